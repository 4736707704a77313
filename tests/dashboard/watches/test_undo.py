"""Undo of *Stop following*: what was there before is there again."""

from datetime import timedelta
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.library.models import MAX_TARGET
from econweb.watching.models import ChangedFact, EndedWatch, Watch, WatchedSource
from tests.dashboard.reading import Answer, document, words
from tests.dashboard.saved.people import OWNER, READER, client_of, let_people_sign_in
from tests.dashboard.watches.test_follow import FILTERED, TAGS, followed_by
from tests.watching.news_builders import an_announcement

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]


def stop_and_undo(client: Client) -> None:
    undo(client, client.post("/me/watches/", {"stop": Watch.objects.get().pk}, follow=True))


def undo(client: Client, stopped: Answer) -> None:
    form = document(stopped).xpath("//*[@role='status']//input[@type='hidden']")
    client.post("/me/follow/", {field.get("name"): field.get("value") for field in form})


def test_stopping_is_taken_back_with_the_news(client: Client) -> None:
    client.post("/me/follow/", {"target": TAGS})
    began = timezone.now() - timedelta(days=9)
    Watch.objects.update(created=began)
    now = timezone.now()
    old, news = (an_announcement("category:125", seen=now - timedelta(days=days)) for days in (20, 3))
    Watch.objects.get().news.add(news)
    stopped = client.post("/me/watches/", {"stop": Watch.objects.get().pk}, follow=True)

    assert not Watch.objects.exists()
    assert WatchedSource.objects.get().due is None
    assert words(stopped, "//*[@role='status']")[0].startswith("You no longer follow Category 125")
    form = document(stopped).xpath("//*[@role='status']//input[@type='hidden']")
    client.post("/me/follow/", {field.get("name"): field.get("value") for field in form})
    watch = Watch.objects.get()
    assert (watch.created, list(watch.news.all())) == (began, [news])
    assert old.pk not in watch.news.values_list("pk", flat=True)
    assert "no longer" not in client.get(stopped.redirect_chain[0][0]).text


@pytest.mark.parametrize("may_store", [True, False])
def test_undo_brings_back_the_news_that_were_there_and_no_others(
    client: Client, settings: Settings, may_store: bool
) -> None:
    settings.ECON_MAY_STORE = may_store
    client.post("/me/follow/", {"target": FILTERED})
    now = timezone.now()
    Watch.objects.update(created=now - timedelta(days=9))
    # The first was let through by a note that is not stored; the second was not, and has no stored facts.
    heard, _ = (an_announcement("category:125", seen=now - timedelta(days=days)) for days in (3, 2))
    ChangedFact.objects.create(announcement=heard, name="usa", group="geo", field="presence", after="")
    Watch.objects.get().news.add(heard)
    stop_and_undo(client)

    assert list(Watch.objects.get().news.all()) == [heard]


def test_undo_brings_the_news_since_the_end(client: Client) -> None:
    """Others follow the source as well, so that looks go on."""
    client.post("/me/follow/", {"target": TAGS})
    ended = client.post("/me/watches/", {"stop": Watch.objects.get().pk}, follow=True)
    missed = an_announcement("category:125", seen=timezone.now())
    undo(client, ended)

    assert list(Watch.objects.get().news.all()) == [missed]


def test_undo_brings_the_news_since_the_end_that_the_filters_let_through(client: Client) -> None:
    target = f"{TAGS}?tag_names=usa"
    client.post("/me/follow/", {"target": target})
    ended = client.post("/me/watches/", {"stop": Watch.objects.get().pk}, follow=True)
    about_usa, about_gdp, without_facts = (an_announcement("category:125", seen=timezone.now()) for _ in range(3))
    for name, announcement in (("usa", about_usa), ("gdp", about_gdp)):
        ChangedFact.objects.create(announcement=announcement, name=name, field="presence", after="")
    undo(client, ended)

    assert {*Watch.objects.get().news.all()} == {about_usa, without_facts}


def test_end_of_another_person_or_view_is_not_taken_back(settings: Settings) -> None:
    let_people_sign_in(settings)
    client = client_of(OWNER)
    client.post("/me/follow/", {"target": TAGS})
    Watch.objects.update(created=timezone.now() - timedelta(days=9))
    client.post("/me/watches/", {"stop": Watch.objects.get().pk})
    number = EndedWatch.objects.get().pk

    assert "no longer follow" not in client_of(READER).get(f"/me/watches/?ended={number}").text
    assert client.get("/me/watches/?ended=x").status_code == 400
    for name, target, ended in [(READER, TAGS, number), (OWNER, FILTERED, number), (OWNER, TAGS, "x")]:
        client_of(name).post("/me/follow/", {"target": target, "ended": ended})
    assert Watch.objects.filter(created__gt=timezone.now() - timedelta(hours=1)).count() == 3


def test_longest_link_is_followed_stopped_and_followed_again(client: Client) -> None:
    target = f"{TAGS}?tag_names={quote(';'.join(letter * 45 for letter in 'бвгджзи'))}"
    assert 1900 < len(target) < MAX_TARGET
    answer = client.post("/me/follow/", {"target": target}, follow=True)

    assert (answer.status_code, followed_by("local editor")) == (200, [target])
    stop_and_undo(client)
    assert followed_by("local editor") == [target]
