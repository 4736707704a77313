"""The pages of news, and the choice how to hear them elsewhere."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from econweb.config.mail_config import MailServer
from econweb.search_index.models import SeriesTitle
from econweb.watching.models import ChangedFact, Subscription
from tests.dashboard.reading import links, words
from tests.watching.news_builders import a_subscriber, an_announcement, follow

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(User.objects.create(username="ada", email="ada@example.org"))
    return client


def empty_state(page: Any) -> str:
    return words(page, "//*[@class='empty-state']/p")[0]


def test_news_says_what_changed_and_leads_to_the_comparison(client: Client) -> None:
    an_announcement("series:GNPCA", "renamed", title=("Gross <b>", "Real gross"))
    page = client.get("/news/")

    assert "<del><bdi>Gross &lt;b&gt;</bdi></del> <ins><bdi>Real gross</bdi></ins>" in page.text
    assert 'href="/compare/?a=series:GNPCA@2026-11-16&amp;b=series:GNPCA"' in page.text
    assert 'aria-label="Compare before and now: GNPCA' in page.text
    assert "2026-11-18 04:10" in page.text
    assert "2026-11-18 06:10" in page.text


@pytest.mark.parametrize("kind", ["gone", "back"])
def test_source_that_was_or_is_absent_is_compared_nowhere(client: Client, kind: str) -> None:
    an_announcement("series:GNPCA", kind)

    for path in ("/news/", "/news/feed.atom"):
        page = client.get(path).text
        assert "/series/GNPCA/" in page
        assert "/compare/?a=" not in page


@pytest.mark.parametrize(("service", "compared"), [("", False), ("https://data.example.org/econ", True)])
def test_tags_are_compared_only_where_the_service_knows_those_of_a_past_day(
    client: Client, settings: Settings, service: str, compared: bool
) -> None:
    """The comparison said that nothing differs: in the embedded service, a past day has the tags of today."""
    settings.ECON_BASE_URL = service
    an_announcement("category:125")
    an_announcement("series:GNPCA")

    for path in ("/news/", "/news/feed.atom"):
        page = client.get(path).text
        assert "/compare/?a=series:GNPCA@2026-11-16" in page
        assert "/category/125/tags/" in page
        assert ("/compare/?a=category:125@2026-11-16" in page) is compared


def test_news_are_filtered_by_kind_and_source(client: Client) -> None:
    an_announcement("series:GNPCA", "renamed")
    an_announcement("category:125", "gone")

    assert "GNPCA" not in client.get("/news/?kind=gone").text.partition("<main")[2]
    of_series = client.get("/news/?source=series:gnpca").text.partition("<main")[2]
    assert "News of <bdi>GNPCA</bdi>" in of_series
    assert "Category 125" not in of_series
    assert client.get("/news/?source=tag:1").status_code == client.get("/news/?kind=x").status_code == 400


def test_difference_is_in_words(client: Client) -> None:
    an_announcement("series:GNPCA", "gone", presence=("", None))
    an_announcement("series:GDP", "back", presence=(None, ""))
    tags = an_announcement("category:125")
    for name, group, field, before, after in [
        ("nsa", "seas", "notes", "a", "b"),
        ("nsb", "geo", "group_id", "seas", "geo"),
        ("nsc", "zzz", "presence", None, ""),
    ]:
        ChangedFact.objects.create(announcement=tags, name=name, group=group, field=field, before=before, after=after)

    assert words(client.get("/news/"), "//*[@class='changed-field']") == [
        "Tag nsa (Seasonal adjustment), notes: a b",
        "Tag nsb, group: Seasonal adjustment Geography",
        "Tag nsc (zzz): new",
        "The provider has it again.",
        "The provider no longer has it.",
    ]
    assert "The provider no longer has it.&lt;" in client.get("/news/feed.atom").text


def test_news_and_feeds_name_series_by_their_titles(ada: Client) -> None:
    follow("ada", an_announcement("series:GNPCA", "renamed", title=("a", "b")))
    pages = ["/news/", "/me/news/", "/news/feed.atom", "/news/?source=series:GNPCA"]
    stamps = [ada.get(page).get("ETag") for page in pages]
    SeriesTitle.objects.create(place=1, series_id="GNPCA", title="Real <GNP>", popularity=1)

    for page, stamp in zip(pages, stamps, strict=True):
        answer = ada.get(page, headers={"If-None-Match": stamp or ""})
        assert "GNPCA · Real &lt;GNP&gt;" in answer.text
    assert "News of <bdi>GNPCA · Real" in ada.get(pages[-1]).text


def test_titles_of_a_page_are_read_at_once(client: Client) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            client.get("/news/")
        return len([one for one in asked if "series_title" in one["sql"] or "seriestitle" in one["sql"]])

    an_announcement("series:GNPCA")
    few = statements()
    for number in range(5):
        an_announcement(f"series:GNP{number}")
    assert statements() == few > 0


def test_empty_news_say_why_and_what_to_do(ada: Client) -> None:
    assert "You follow nothing yet. Open a series and choose Follow …" in empty_state(ada.get("/me/news/"))
    assert "You follow" not in empty_state(ada.get("/news/"))
    views = [f"/category/{number}/tags/" for number in (1, 2, 3)]
    for count, told in enumerate(("the view", "the 2 views", "the 3 views")):
        ada.post("/me/follow/", {"target": views[count]})
        assert f"Nothing has changed in {told} that you follow. See What" in empty_state(ada.get("/me/news/"))


def test_empty_news_of_a_source_lead_to_it(client: Client) -> None:
    page = client.get("/news/?source=series:gnpca")

    assert empty_state(page).startswith("No change of GNPCA has been confirmed. This site looks for changes only in ")
    assert empty_state(page).endswith(" Open GNPCA · Follow it or stop")
    assert (links(page)["Open GNPCA"], links(page)["Follow it or stop"]) == (
        "/series/GNPCA/",
        "/me/follow/?target=%2Fseries%2FGNPCA%2F",
    )
    assert links(client.get("/news/?source=release:53"))["Open release 53"] == "/release/53/tags/"


def test_news_without_stored_facts_says_so(client: Client) -> None:
    an_announcement("category:125")
    page = client.get("/news/").text

    assert "Changed. This site stores no details." in page
    assert 'href="/category/125/tags/"' in page


def test_long_news_come_in_pages_newest_first(client: Client) -> None:
    for number in range(1, 53):
        an_announcement(f"category:{number}")
    first, second = (client.get(link).text.partition("<main")[2] for link in ("/news/", "/news/?offset=50"))

    assert "1–50 of 52 changes" in first
    assert first.index("Category 52") < first.index("Category 51")
    assert "Category 2<" not in first
    assert "Category 2<" in second


def test_news_are_the_same_for_everybody_and_change_with_the_news(client: Client, ada: Client) -> None:
    an_announcement()
    stranger = Client().get("/news/")

    assert stranger.content == ada.get("/news/").content
    assert Client().get("/news/", headers={"If-None-Match": stranger["ETag"]}).status_code == 304
    an_announcement("category:125")
    assert Client().get("/news/", headers={"If-None-Match": stranger["ETag"]}).status_code == 200


def test_my_news_are_those_of_what_one_follows(ada: Client) -> None:
    follow("ada", an_announcement("series:GNPCA"))
    follow("bob", an_announcement("series:UNRATE"))
    page = ada.get("/me/news/")

    assert "GNPCA" in page.text
    assert "UNRATE" not in page.text
    assert "no-store" in page["Cache-Control"]
    assert Client().get("/me/news/").status_code == 302


def test_address_of_a_feed_is_shown_once(ada: Client) -> None:
    shown = ada.post("/me/news/", {"new_feed": "1"}).text

    assert "/feeds/mine.atom?token=" in shown
    assert 'class="problem"' not in shown
    assert 'data-of="feed-address"' in shown
    token = shown.partition("token=")[2][:40]
    assert token not in ada.get("/me/news/").text
    assert token not in str(list(Subscription.objects.values()))


def test_weekly_mail_is_chosen_and_ended(ada: Client, settings: Settings) -> None:
    assert "Weekly mail" not in ada.get("/me/news/").text
    settings.MAIL_SERVER = MailServer({}, "portal@example.org")
    assert "ada@example.org" in ada.get("/me/news/").text

    assert ada.post("/me/news/", {"mail": "on"}).status_code == 302
    assert Subscription.objects.get().has_mail
    assert "End the mails" in ada.get("/me/news/").text
    ada.post("/me/news/", {"mail": "off"})
    assert not Subscription.objects.get().has_mail


def test_new_account_of_a_name_inherits_nothing(ada: Client) -> None:
    User.objects.get(username="ada").delete()
    a_subscriber("bob")
    Subscription.objects.update(person="ada", feed="x" * 64)
    ada.force_login(User.objects.create(username="ada", pk=999))

    assert "Make an address" in ada.get("/me/news/").text
    ada.post("/me/news/", {"mail": "on"})
    row = Subscription.objects.get()
    assert (row.account, row.feed) == (999, None)
