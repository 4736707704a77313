"""Pages and feeds of news say that the site looks only at what people follow, and tell nobody what that is."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from econweb.watching.models import Watch
from tests.builders import a_series
from tests.dashboard.news.rfc4287 import ATOM, parse_strictly
from tests.dashboard.news.test_feeds import feed_of
from tests.dashboard.reading import words
from tests.dashboard.saved.people import client_of
from tests.fake_service import FakeService
from tests.library.builders import a_saved_view

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]
SENTENCES = (
    "This site looks for changes only in what people follow here. "
    "Choose “Follow …” on the page of a series, list, category or release to hear of its changes."
)
FEEDS = ["/news/feed.atom", "/news/feed.atom?source=series:GNPCA", "/saved/trade/feed.atom"]
PAGES = {
    "/news/?source=series:GNPCA": ("//*[@class='empty-state']/p", SENTENCES),
    "/saved/trade/": ("//*[@id='saved-view']/p", "News (Atom) of what people follow"),
}


@pytest.fixture(autouse=True)
def _list(stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    a_saved_view(kind="list", target="/series/?ids=GNPCA,UNRATE").save()


def follow_gnpca() -> None:
    client_of("ada").post("/me/follow/", {"target": "/series/GNPCA/"})
    assert Watch.objects.filter(target="/series/GNPCA/").exists()


@pytest.mark.parametrize("link", FEEDS)
def test_feed_says_that_only_what_is_followed_counts(client: Client, link: str) -> None:
    before = client.get(link)
    follow_gnpca()
    after = client.get(link)

    assert parse_strictly(before.content).findtext(f"{ATOM}subtitle") == SENTENCES
    assert (after.content, after["ETag"]) == (before.content, before["ETag"])


@pytest.mark.parametrize("link", PAGES)
def test_page_says_that_only_what_is_followed_counts(client: Client, link: str) -> None:
    before, (place, said) = client.get(link), PAGES[link]
    follow_gnpca()

    assert said in words(before, place)[-1]
    assert client.get(link).content == before.content


@pytest.mark.parametrize("audience", ["me", "signed-in"])
def test_view_without_a_public_feed_speaks_of_no_news(audience: str) -> None:
    User.objects.create(username="ada")
    a_saved_view(slug="own", audience=audience, kind="list", target="/series/?ids=GNPCA").save()
    (line,) = words(client_of("ada").get("/me/saved/own/"), "//*[@id='saved-view']/p[@class='facts']")

    assert "News" not in line
    assert "people follow" not in line


def test_feed_of_a_person_has_no_such_words(client: Client) -> None:
    """It has the news of what its person follows, and its title says so."""
    assert parse_strictly(client.get(feed_of("ada")).content).find(f"{ATOM}subtitle") is None
