"""Atom feeds: valid XML whatever the texts hold, revalidated, and for a person by a token alone."""

import io
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django.utils.http import http_date
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from econweb.dashboard.news.atom import Feed, write_feed
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.library.models import SavedView
from econweb.watching import subscriptions
from econweb.watching.models import Announcement
from econweb.watching.news import NewsItem, NewsLine
from tests.builders import a_series
from tests.fake_service import FakeService, a_tag
from tests.library.builders import a_saved_view
from tests.watching.news_builders import SEEN, an_announcement, follow

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]
ATOM = {"a": "http://www.w3.org/2005/Atom"}
texts = st.text(alphabet=st.characters(exclude_categories=()), max_size=60)


def parsed(content: bytes) -> Any:
    """Parse strictly, and check what RFC 4287 asks of a feed."""
    root: Any = etree.parse(io.BytesIO(content), etree.XMLParser(recover=False, resolve_entities=False)).getroot()
    for one in root.xpath("/a:feed | //a:entry", namespaces=ATOM):
        for name in ("id", "title", "updated"):
            (found,) = one.findall(f"a:{name}", ATOM)
            assert found.text
            if name == "updated":
                assert datetime.fromisoformat(found.text).tzinfo
        links = [link.get("rel") for link in one.findall("a:link", ATOM)]
        assert links.count("alternate") == 1
    assert root.xpath("count(/a:feed/a:author/a:name[text()])", namespaces=ATOM) == 1
    assert root.xpath("count(/a:feed/a:link[@rel='self'])", namespaces=ATOM) == 1
    return root


def ids(content: bytes) -> list[str]:
    return [str(one) for one in parsed(content).xpath("//a:entry/a:id/text()", namespaces=ATOM)]


def feed_of(person: str) -> str:
    User.objects.get_or_create(username=person)
    return f"/feeds/mine.atom?token={subscriptions.renew_feed(person)}"


@given(title=texts, what=texts, before=st.none() | texts, after=st.none() | texts)
def test_feed_is_valid_whatever_the_texts_hold(title: str, what: str, before: str | None, after: str | None) -> None:
    item = NewsItem(
        id=1,
        kind="changed",
        source=("series", "GNPCA"),
        name=f"GNPCA {title}",
        before=SEEN,
        seen=SEEN,
        confirmed=SEEN,
        lines=(NewsLine(what, before, after),),
        count=3,
    )
    root = parsed(write_feed(Feed("x", f"News {title}", [item], "/x", "/y"), lambda link: f"http://x.example{link}"))
    (html,) = root.xpath("//a:content/text()", namespaces=ATOM)

    # The texts of the service are escaped in the HTML as well.
    assert etree.fromstring(f"<x>{html}</x>").xpath("count(//*)") == 7


def test_feed_names_the_newest_hundred_and_keeps_its_ids(client: Client) -> None:
    for _ in range(102):
        an_announcement(notes=("x" * 1000, "y" * 1000))
    feed = client.get("/news/feed.atom")
    first = ids(feed.content)
    an_announcement()

    assert feed["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert len({*first}) == 100
    assert ids(client.get("/news/feed.atom").content)[1:] == first[:99]
    assert len(feed.content) < 250_000


def test_empty_feed_is_valid(client: Client) -> None:
    assert ids(client.get("/news/feed.atom").content) == []


def test_feed_of_a_source_has_no_others(client: Client) -> None:
    an_announcement("series:GNPCA")
    an_announcement("category:125")

    assert len(ids(client.get("/news/feed.atom").content)) == 2
    assert len(ids(client.get("/news/feed.atom?source=category:125").content)) == 1
    assert client.get("/news/feed.atom?source=x").status_code == 400


@pytest.mark.parametrize("address", ["/news/feed.atom", "/saved/trade/feed.atom", "mine"])
def test_known_feed_is_not_sent_again(client: Client, address: str) -> None:
    a_saved_view(target="/category/125/tags/").save()
    User.objects.create(username="ada")
    follow("ada", an_announcement("category:125"))
    Announcement.objects.update(confirmed=timezone.now() - timedelta(minutes=2))
    link = feed_of("ada") if address == "mine" else address
    feed = client.get(link)
    known = {"If-None-Match": feed["ETag"]}
    again = client.get(link, headers=known)

    assert (again.status_code, again.content, again["ETag"]) == (304, b"", feed["ETag"])
    follow("ada", an_announcement("category:125", seen=timezone.now() - timedelta(hours=2, minutes=1)))
    assert client.get(link, headers=known).status_code == 200


def test_known_feed_is_sent_again_under_its_new_title(client: Client) -> None:
    save_labels([Label(kind="release", number=53, name="Old name")])
    feed = client.get("/news/feed.atom?source=release:53")
    save_labels([Label(kind="release", number=53, name="New name")])
    again = client.get("/news/feed.atom?source=release:53", headers={"If-None-Match": feed["ETag"]})

    assert parsed(again.content).findtext("a:title", namespaces=ATOM) == "News of New name · Release 53"
    assert not feed.is_still_valid()  # type: ignore[attr-defined]


def test_reader_that_sends_a_moment_alone_misses_no_news(client: Client) -> None:
    """News may be stored two minutes after the look that confirms them, and later than newer ones."""
    an_announcement(seen=timezone.now() - timedelta(hours=2, seconds=65))
    feed = client.get("/news/feed.atom")
    moments = {feed.get("Last-Modified", ""), http_date(timezone.now().timestamp())}
    an_announcement(seen=timezone.now() - timedelta(hours=2, seconds=100))

    for moment in moments:
        again = client.get("/news/feed.atom", headers={"If-Modified-Since": moment})
        assert (again.status_code, len(ids(again.content))) == (200, 2)


@pytest.mark.parametrize(
    ("kind", "target", "news"),
    [
        ("tags", "/category/125/tags/?tag_names=usa", ["category:125"]),
        ("series", "/series/GNPCA/", ["series:GNPCA"]),
        ("list", "/series/?ids=GNPCA,UNRATE", ["series:GNPCA", "series:UNRATE"]),
        ("compare", "/compare/?a=category:125@2014-01-01&b=release:53", ["category:125", "release:53"]),
    ],
)
def test_saved_view_has_the_news_of_its_sources(client: Client, kind: str, target: str, news: list[str]) -> None:
    a_saved_view(kind=kind, target=target).save()
    for source in ("category:125", "release:53", "series:GNPCA", "series:UNRATE", "series:OTHER"):
        an_announcement(source)

    assert len(ids(client.get("/saved/trade/feed.atom").content)) == len(news)


@pytest.mark.parametrize("change", [{"audience": "me"}, {"audience": "signed-in"}, {"removed": SEEN}])
def test_feed_of_a_view_that_is_not_for_everyone_is_as_missing(client: Client, change: dict[str, object]) -> None:
    a_saved_view().save()
    public = client.get("/saved/trade/feed.atom")
    check: Callable[[], bool] = public.is_still_valid  # type: ignore[attr-defined]
    assert check()
    SavedView.objects.update(**change)
    missing, private = client.get("/saved/never/feed.atom"), client.get("/saved/trade/feed.atom")

    assert not check()
    assert (private.status_code, private.content) == (404, missing.content)
    assert "Trade" not in private.text


@pytest.mark.parametrize(
    ("path", "source"), [("/series/GNPCA/", "series:GNPCA"), ("/category/125/tags/", "category:125")]
)
def test_page_of_a_source_names_its_feed(client: Client, stand_in: FakeService, path: str, source: str) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    stand_in.has("category", 125, [a_tag("usa")])

    assert f'href="/news/feed.atom?source={source}"' in client.get(path).text


def test_page_names_its_feed(client: Client) -> None:
    page = client.get("/news/?source=series:GNPCA&kind=gone").text

    assert page.count('"/news/feed.atom?source=series:GNPCA"') == 2
