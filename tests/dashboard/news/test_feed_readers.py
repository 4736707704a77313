"""The feeds in the libraries of two feed readers, and after the rules of RFC 4287."""

import re
from copy import deepcopy
from typing import Any

import atoma
import feedparser
import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django.live_server_helper import LiveServer

from econweb.dashboard.news.atom import Feed, write_feed
from econweb.watching.models import GONE, Announcement
from econweb.watching.news import NewsItem, NewsLine
from tests.dashboard.news.rfc4287 import ATOM, broken_rules, parse_strictly
from tests.dashboard.news.test_feeds import feed_of
from tests.library.builders import a_saved_view
from tests.watching.news_builders import SEEN, an_announcement, follow

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]
HOSTILE = 'a <b>&amp; "x" ]]> ü 語 😀'
texts = st.text(alphabet=st.characters(exclude_categories=()), max_size=60)


def changed_news() -> Announcement:
    return an_announcement("series:GNPCA", units=("Dollars", HOSTILE))


def feeds(client: Client) -> dict[str, bytes]:
    """Return every kind of feed, with two news."""
    User.objects.create(username="ada")
    follow("ada", changed_news())
    an_announcement("category:125", kind=GONE)
    a_saved_view(slug="a", target="/series/GNPCA/", kind="series").save()
    links = ["/news/feed.atom", "/news/feed.atom?source=series:GNPCA", "/saved/a/feed.atom", feed_of("ada")]
    return {link: client.get(link).content for link in links}


def test_readers_open_every_feed(client: Client) -> None:
    for link, content in feeds(client).items():
        tolerant, strict = feedparser.parse(content), atoma.parse_atom_bytes(content)
        entries = [(one.id, one.title, one.link, one.published) for one in tolerant.entries]

        assert not tolerant.bozo, link
        assert tolerant.version == "atom10"
        assert len(entries) == len(strict.entries) == (2 if link == "/news/feed.atom" else 1)
        assert [one.id_ for one in strict.entries] == [entry[0] for entry in entries]
        assert [one.title.value for one in strict.entries] == [entry[1] for entry in entries]
        assert all(one.updated.tzinfo for one in strict.entries)


def test_readers_show_texts_of_the_provider_as_text(client: Client) -> None:
    changed_news()
    content = client.get("/news/feed.atom").content
    (tolerant,), (strict,) = feedparser.parse(content).entries, atoma.parse_atom_bytes(content).entries

    for shown in (tolerant.content[0].value, strict.content.value):
        assert "&lt;b&gt;&amp;amp; " in shown
        assert "<b>" not in shown
        assert "語 😀" in shown


@pytest.mark.django_db(transaction=True)
def test_reader_asks_again_and_gets_nothing_new(live_server: LiveServer) -> None:
    changed_news()
    link = f"{live_server.url}/news/feed.atom"
    first = feedparser.parse(link)
    same_etag = feedparser.parse(link, etag=first.etag)
    an_announcement("category:125", kind=GONE)
    news = feedparser.parse(link, etag=first.etag)

    assert (first.status, len(first.entries)) == (200, 1)
    assert (same_etag.status, same_etag.entries) == (304, [])
    assert (news.status, len(news.entries)) == (200, 2)


def test_feeds_keep_the_rules(client: Client) -> None:
    for link, content in feeds(client).items():
        assert broken_rules(parse_strictly(content)) == [], link
    assert broken_rules(parse_strictly(client.get("/news/feed.atom?source=series:NONE").content)) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(name=texts, what=texts)
def test_feed_keeps_the_rules_whatever_the_texts_hold(name: str, what: str) -> None:
    item = NewsItem(
        id=1,
        kind=GONE,
        source=("series", "GNPCA"),
        name=name,
        before=SEEN,
        seen=SEEN,
        confirmed=SEEN,
        lines=(NewsLine(what, None, name),),
        count=1,
    )
    content = write_feed(Feed("x", name, [item], "/x", "/y"), lambda path: f"http://testserver{path}")

    assert broken_rules(parse_strictly(content)) == []
    assert not feedparser.parse(content).bozo
    assert atoma.parse_atom_bytes(content).entries[0].updated == SEEN


@pytest.mark.parametrize(
    ("place", "change", "rule"),
    [
        ("entry/id", lambda one: one.getparent().remove(one), "4.1"),
        ("title", lambda one: one.addnext(deepcopy(one)), "4.1"),
        ("updated", lambda one: setattr(one, "text", "2026-11-18"), "3.3"),
        ("entry/id", lambda one: setattr(one, "text", "7"), "4.2.6"),
        ("link", lambda one: one.set("href", "/x"), "4.2.7.1"),
        ("link", lambda one: one.set("type", "html"), "4.2.7.3"),
        ("author", lambda one: one.getparent().remove(one), "4.1.2"),
        ("entry", lambda one: one.addnext(deepcopy(one)), "4.1.1"),
        ("entry/category", lambda one: one.attrib.clear(), "4.2.2.1"),
        ("entry/content", lambda one: one.append(deepcopy(one)), "3.1.1"),
        ("entry/link", lambda one: one.addnext(deepcopy(one)), "4.1"),
    ],
)
def test_broken_rule_is_found(client: Client, place: str, change: Any, rule: str) -> None:
    changed_news()
    root = parse_strictly(client.get("/news/feed.atom").content)
    change(root.find("/".join(f"{ATOM}{name}" for name in place.split("/"))))

    assert [found for found in broken_rules(root) if re.match(rf"{rule}:", found)]
