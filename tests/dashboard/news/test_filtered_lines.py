"""The lines of news for a person: what the filters of the followed views show, and nothing else."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.search_index.titles.source_names import name_in_mails
from econweb.watching.models import Announcement, ChangedFact, Watch
from econweb.watching.weekly_mails import send_weekly_mails
from tests.dashboard.news.test_feeds import feed_of
from tests.dashboard.reading import words
from tests.dashboard.saved.people import OWNER, client_of, let_people_sign_in
from tests.watching.mail_server import serve_mail
from tests.watching.news_builders import MONDAY, a_subscriber, an_announcement

pytestmark = pytest.mark.django_db
TAGS = "/category/106/tags/"
# Name, group, field, before and after.
ANNUAL = ("annual", "freq", "notes", "A year", "Twelve months")
GDP = ("gdp", "gen", "notes", "Product", "Output of a year")
MOVED = ("weekly", "freq", "group_id", "gen", "freq")
NEW = ("flow", "gen", "presence", None, "")
GONE = ("", "", "presence", "", None)


@pytest.fixture
def ada(settings: Settings) -> Client:
    let_people_sign_in(settings)
    return client_of(OWNER)


def announce(*facts: tuple[str, str, str, str | None, str | None]) -> Announcement:
    news = an_announcement("category:106")
    for name, group, field, before, after in facts:
        ChangedFact.objects.create(announcement=news, name=name, group=group, field=field, before=before, after=after)
    Announcement.objects.filter(pk=news.pk).update(facts=len(facts))
    return news


def follow(news: Announcement, *queries: str, person: str = OWNER) -> None:
    account = User.objects.get(username=person)
    for query in queries:
        watch = Watch.objects.create(
            person=person, account=account, kind="tags", target=f"{TAGS}{query}", created=news.before
        )
        watch.news.add(news)


def tags_on(page: str, client: Client) -> list[str]:
    lines = words(client.get(page), "//*[@class='changed-field']")
    return [line.partition(" (")[0].partition(",")[0].removeprefix("Tag ") for line in lines]


@pytest.mark.parametrize(
    ("queries", "shown"),
    [
        (["?tag_group_id=freq"], ["annual", "weekly"]),
        (["?tag_group_id=gen"], ["gdp", "weekly", "flow"]),
        (["?tag_names=gdp%3Bflow"], ["gdp", "flow"]),
        (["?tag_names=gdp", "?tag_names=annual"], ["annual", "gdp"]),
        (["?tag_names=gdp", ""], ["annual", "gdp", "weekly", "flow"]),
        # The notes of the last two did not change, and are stored nowhere.
        (["?search_text=product+year"], ["gdp", "weekly", "flow"]),
        (["?search_text=product+year&tag_group_id=freq"], ["weekly"]),
    ],
)
def test_news_have_the_lines_of_the_filters_alone(ada: Client, queries: list[str], shown: list[str]) -> None:
    follow(announce(ANNUAL, GDP, MOVED, NEW), *queries)

    assert tags_on("/me/news/", ada) == shown
    assert tags_on("/me/news/?source=category:106&kind=changed", ada) == shown
    assert tags_on("/news/", ada) == ["annual", "gdp", "weekly", "flow"]


@pytest.mark.parametrize("query", ["?tag_group_id=freq", "?tag_names=quarterly"])
def test_change_that_is_not_stored_whole_has_all_lines(ada: Client, query: str) -> None:
    """A fact that is not stored may be what the filters show."""
    news = announce(ANNUAL, GDP)
    Announcement.objects.filter(pk=news.pk).update(facts=1_100)
    follow(news, query)

    lines = words(ada.get("/me/news/"), "//*[@class='changed-field']")
    assert [line.partition(" (")[0] for line in lines] == ["Tag annual", "Tag gdp", "and 1,098 more"]


def test_what_happens_to_the_source_is_in_each_filter(ada: Client) -> None:
    follow(announce(GONE), "?tag_names=annual")

    assert tags_on("/me/news/", ada) == ["The provider no longer has it."]


def test_lines_that_are_counted_alone_are_those_of_the_filters(ada: Client) -> None:
    others = [(f"topic {number}", "gen", "presence", None, "") for number in range(30)]
    own = [(f"rate {number}", "freq", "presence", None, "") for number in range(23)]
    follow(announce(*others, *own), "?tag_group_id=freq")
    lines = tags_on("/me/news/", ada)

    assert (lines[0], lines[19:]) == ("rate 0", ["rate 19", "and 3 more"])


def test_feed_of_a_person_has_the_lines_of_the_filters_alone(ada: Client) -> None:
    news = announce(ANNUAL, GDP)
    follow(news, "?tag_group_id=freq", "?search_text=product")
    link = feed_of(OWNER)
    both = ada.get(link)
    Watch.objects.filter(target__contains="search_text").delete()
    one = ada.get(link, headers={"If-None-Match": both["ETag"]})

    assert ["annual" in both.text, "gdp" in both.text] == [True, True]
    assert (one.status_code, "annual" in one.text, "gdp" in one.text) == (200, True, False)
    assert ada.get(link, headers={"If-None-Match": one["ETag"]}).status_code == 304
    assert "gdp" in ada.get("/news/feed.atom").text


def test_weekly_mail_has_the_lines_of_the_filters_alone(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SIGN_IN = "password"
    monkeypatch.setattr(timezone, "now", lambda: MONDAY)
    a_subscriber("bob")
    follow(announce(ANNUAL, GDP), "?tag_group_id=freq", person="bob")
    with serve_mail(settings) as box:
        assert send_weekly_mails(name_in_mails) == 1

    text = box.mails[0][1].get_content()
    assert ["Tag annual" in text, "gdp" in text, " more" in text] == [True, False, True]
