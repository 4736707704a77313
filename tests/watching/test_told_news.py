"""The weekly mail tells all news since its beginning, and none from before."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import Settings

from econweb.search_index.titles.source_names import name_in_mails
from econweb.watching import subscriptions
from econweb.watching.weekly_mails import send_weekly_mails
from tests.watching.mail_server import Postbox, serve_mail
from tests.watching.news_builders import MONDAY, SEEN, a_subscriber, an_announcement, follow

pytestmark = pytest.mark.django_db
DAY, WEEK = timedelta(days=1), timedelta(days=7)


@pytest.fixture(autouse=True)
def box(settings: Settings) -> Iterator[Postbox]:
    settings.SIGN_IN = "password"
    with serve_mail(settings) as box:
        yield box


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    return lambda now: monkeypatch.setattr(timezone, "now", lambda: now)


def send() -> int:
    return send_weekly_mails(name_in_mails)


def test_news_without_an_address_wait_for_one(set_clock: Callable[[datetime], None], box: Postbox) -> None:
    set_clock(MONDAY)
    a_subscriber("ada")
    User.objects.update(email="")
    follow("ada", an_announcement())
    assert send() == 0

    User.objects.update(email="ada@example.org")
    set_clock(MONDAY + WEEK)
    assert (send(), send(), box.people) == (1, 0, ["ada"])


def test_first_mail_tells_nothing_from_before_its_beginning(
    set_clock: Callable[[datetime], None], box: Postbox
) -> None:
    User.objects.create(username="ada", email="ada@example.org")
    follow("ada", an_announcement(seen=SEEN - DAY))
    for begun in (SEEN, SEEN + DAY):
        # The second time the mails are on: nothing of the first day is lost.
        set_clock(begun)
        subscriptions.begin_mail("ada")
        assert send() == 0
    follow("ada", an_announcement("category:125", seen=SEEN + DAY / 4))

    set_clock(MONDAY)
    assert (send(), send()) == (1, 0)
    text = box.mails[0][1].get_content()
    assert "Category 125" in text
    assert "GNPCA" not in text


def test_choosing_mails_again_ends_the_wait_after_a_refusal(set_clock: Callable[[datetime], None]) -> None:
    a_subscriber("ada", due=MONDAY + WEEK, refusals=8)
    set_clock(MONDAY)
    follow("ada", an_announcement())
    assert send() == 0
    subscriptions.begin_mail("ada")
    assert send() == 1
