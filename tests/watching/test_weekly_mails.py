"""Weekly mails at a real mail server: one for each person and week, whatever the server does."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from structlog.testing import capture_logs

from econweb.config.mail_config import MailServer
from econweb.search_index.titles.source_names import name_in_mails
from econweb.watching import subscriptions, weekly_mails
from econweb.watching.models import Subscription
from econweb.watching.weekly_mails import NotTaken, WeeklyMails, send_weekly_mails
from tests.watching.mail_server import Postbox, serve_mail
from tests.watching.news_builders import MONDAY, a_subscriber, an_announcement, follow

pytestmark = pytest.mark.django_db


class Clock:
    def __init__(self) -> None:
        self.now = MONDAY

    def __call__(self) -> Any:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Clock:
    settings.SIGN_IN = "password"
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


@pytest.fixture
def box(settings: Settings) -> Iterator[Postbox]:
    with serve_mail(settings) as box:
        yield box


def send() -> int:
    return send_weekly_mails(name_in_mails)


def test_mail_tells_what_changed_from_what_to_what(box: Postbox) -> None:
    a_subscriber("ada")
    follow("ada", an_announcement(kind="renamed", title=("Gross", "Real gross")), an_announcement("category:125"))

    assert send() == 1
    ((address, mail),) = box.mails
    text = mail.get_content()
    assert (address, mail["From"], mail["Subject"]) == (
        "ada@example.org",
        "portal@example.org",
        "2 changes of what you follow",
    )
    assert "GNPCA: renamed\n  Title: “Gross” → “Real gross”\n" in text.replace("\r\n", "\n")
    assert "Seen 2026-11-18 04:10, confirmed 2026-11-18 06:10 (UTC)" in text
    assert "/compare/?a=series:GNPCA@2026-11-16&b=series:GNPCA" in text
    assert "Category 125: changed" in text


def test_mail_is_sent_once_a_week_and_only_with_news(box: Postbox, clock: Clock) -> None:
    a_subscriber("ada")
    a_subscriber("bob")
    follow("ada", an_announcement())
    sent = []
    for _ in range(21):
        sent.append(send())
        clock.now += timedelta(days=1)
    follow("ada", an_announcement(seen=clock.now - timedelta(days=1)))
    for _ in range(14):
        sent.append(send())
        clock.now += timedelta(hours=12)

    assert (box.people, sent[0]) == (["ada", "ada"], 1)
    assert box.mails[0][1]["Message-ID"] != box.mails[1][1]["Message-ID"]
    assert "GNPCA" in box.mails[1][1].get_content()


def test_news_of_this_week_wait_for_the_next_mail(box: Postbox, clock: Clock) -> None:
    a_subscriber("ada")
    follow("ada", an_announcement(seen=MONDAY))

    assert send() == 0
    clock.now += timedelta(days=7)
    assert send() == 1


def test_mail_ends_by_one_link_without_signing_in(box: Postbox, client: Client) -> None:
    row = a_subscriber("ada")
    follow("ada", an_announcement())
    send()
    mail = box.mails[0][1]
    link = mail["List-Unsubscribe"].strip("<>").partition("//")[2].partition("/")[2]

    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "ada" not in link
    assert "End the mails" in client.get(f"/{link}").text
    assert Subscription.objects.get().has_mail
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post(f"/{link}", {"List-Unsubscribe": "One-Click"})
    assert (answer.status_code, answer.cookies) == (200, {})
    assert not Subscription.objects.get().has_mail
    row.delete()
    assert strict.post(f"/{link}").content == answer.content
    assert strict.post(f"/{link}x").status_code == strict.get("/me/unsubscribe/").status_code == 404
    # As after a change of SECRET_KEY.
    assert "or the site has a new key since then" in strict.get(f"/{link}x").text


def test_refused_address_does_not_stop_the_others(box: Postbox, clock: Clock) -> None:
    box.unknown.add("ada@example.org")
    news = an_announcement()
    for name in ("ada", "bob", "eve"):
        a_subscriber(name)
        follow(name, news)
    User.objects.filter(username="bob").update(email="b\nob@example.org")

    assert send() == 1
    assert box.people == ["eve"]
    tries = []
    for _ in range(24):
        clock.now += timedelta(minutes=5)
        refusals = sum(Subscription.objects.values_list("refusals", flat=True))
        send()
        tries.append(sum(Subscription.objects.values_list("refusals", flat=True)) - refusals)
    # After 10, 30 and 70 minutes.
    assert [place + 1 for place, number in enumerate(tries) if number] == [2, 6, 14]
    box.unknown.clear()
    clock.now += timedelta(days=1)
    assert send() == 1
    assert sorted(box.people) == ["ada", "eve"]


@pytest.mark.parametrize("fault", ["refuses the text", "refuses the sender"])
def test_refused_mail_is_sent_later(box: Postbox, clock: Clock, fault: str) -> None:
    a_subscriber("ada")
    follow("ada", an_announcement())
    box.fault = fault

    assert WeeklyMails(name_in_mails).step() in {weekly_mails.MIN_WAIT, weekly_mails.IDLE_SECONDS}
    box.fault = ""
    clock.now += timedelta(hours=1)
    assert (send(), box.people) == (1, ["ada"])


@pytest.mark.parametrize("fault", ["drops the recipient", "drops after the text", "hangs after the text"])
def test_interrupted_mail_is_not_sent_twice_and_its_news_come_next_week(
    settings: Settings, clock: Clock, fault: str
) -> None:
    with serve_mail(settings, seconds=2) as box:
        a_subscriber("ada")
        follow("ada", an_announcement())
        box.fault = fault
        with pytest.raises(NotTaken):
            send()
        box.fault = ""
        clock.now += timedelta(days=6)
        assert send() == 0
        assert len(box.mails) == (0 if fault == "drops the recipient" else 1)
        clock.now += timedelta(days=1)
        assert send() == 1
        assert "An earlier mail may not have reached you" in box.mails[-1][1].get_content()
        clock.now += timedelta(days=7)
        assert send() == 0


def test_server_that_is_away_costs_nobody_a_mail_and_one_log_line(
    settings: Settings, box: Postbox, clock: Clock
) -> None:
    for name in ("ada", "bob"):
        a_subscriber(name)
        follow(name, an_announcement())
    server = settings.MAIL_SERVER
    assert server
    settings.MAIL_SERVER = server._replace(connection={**server.connection, "port": 1})
    thread = WeeklyMails(name_in_mails)

    with capture_logs() as logs:
        assert [thread.step() for _ in range(8)] == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert [(line["log_level"], line["failure"]) for line in logs] == [("warning", "ConnectionRefusedError")]
    assert not Subscription.objects.exclude(week=None).exists()
    settings.MAIL_SERVER = server
    assert (thread.step(), sorted(box.people)) == (weekly_mails.IDLE_SECONDS, ["ada", "bob"])


def test_silent_server_costs_nobody_a_mail(settings: Settings) -> None:
    a_subscriber("ada")
    follow("ada", an_announcement())
    with socket.create_server(("127.0.0.1", 0)) as silent:
        connection = {"backend": "django.core.mail.backends.smtp.EmailBackend", "host": "127.0.0.1"}
        settings.MAIL_SERVER = MailServer(
            {**connection, "port": silent.getsockname()[1], "timeout": 0.1}, "a@b.example"
        )
        with pytest.raises(NotTaken, match="Disconnected"):
            send()

    assert Subscription.objects.get().week is None


def test_only_one_of_many_processes_sends_a_mail(box: Postbox, monkeypatch: pytest.MonkeyPatch) -> None:
    row = a_subscriber("ada")
    week_start = weekly_mails.week_start_of(MONDAY)

    assert [weekly_mails._claim(row, week_start) for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize("fate", ["disabled", "removed", "another account", "no address", "unsubscribed"])
def test_person_who_left_gets_no_mail(box: Postbox, fate: str) -> None:
    a_subscriber("ada")
    follow("ada", an_announcement())
    account = User.objects.get(username="ada")
    if fate == "disabled":
        User.objects.update(is_active=False)
    elif fate == "no address":
        User.objects.update(email="")
    elif fate == "unsubscribed":
        subscriptions.end_mail("ada")
    else:
        account.delete()
    if fate == "another account":
        User.objects.create(username="ada", email="other@example.org", pk=account.pk or 99)

    assert (send(), box.mails) == (0, [])


def test_text_of_the_service_writes_no_header_and_no_control_character(box: Postbox) -> None:
    a_subscriber("ada")
    follow("ada", an_announcement(title=("a\r\nBcc: eve@example.org", "\x1b[31mred\x07 " + "x" * 2000)))

    assert send() == 1
    mail = box.mails[0][1]
    assert mail["Bcc"] is None
    assert not {*"\x1b\x07"} & {*mail.get_content()}
    assert "…" in mail.get_content()


@pytest.mark.parametrize(("zone", "day"), [("UTC", 23), ("America/Chicago", 16)])
def test_week_begins_on_monday_in_the_time_zone_of_the_site(zone: str, day: int) -> None:
    with timezone.override(zone):
        start = timezone.localtime(weekly_mails.week_start_of(datetime(2026, 11, 23, 3, tzinfo=UTC)))
        assert (start.day, start.hour) == (day, 0)
