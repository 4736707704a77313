"""/metrics counts weekly mails that were sent, were refused, failed, or wait."""

import pytest
from django.utils import timezone
from prometheus_client import REGISTRY
from pytest_django import Settings

from econweb.search_index.titles.source_names import name_in_mails
from econweb.watching.weekly_mails import WeeklyMails, count_waiting
from tests.watching.mail_server import serve_mail
from tests.watching.news_builders import MONDAY, a_subscriber, an_announcement, follow

pytestmark = pytest.mark.django_db
OUTCOMES = ("sent", "refused", "failed")


def counts() -> list[float]:
    return [REGISTRY.get_sample_value("econweb_mails_total", {"outcome": outcome}) or 0.0 for outcome in OUTCOMES]


def test_mails_are_counted_by_outcome(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """O20"""
    settings.SIGN_IN = "password"
    monkeypatch.setattr(timezone, "now", lambda: MONDAY)
    for name in ("ada", "bob", "eve"):
        a_subscriber(name)
        follow(name, an_announcement())
    before = counts()
    thread = WeeklyMails(name_in_mails)

    def counted() -> list[float]:
        thread.step()
        return [after - first for first, after in zip(before, counts(), strict=True)]

    with serve_mail(settings) as box:
        server = settings.MAIL_SERVER
        assert server
        settings.MAIL_SERVER = server._replace(connection={**server.connection, "port": 1})
        assert (counted(), counted(), count_waiting()) == ([0, 0, 1], [0, 0, 2], 3)
        settings.MAIL_SERVER = server
        # An address that is refused waits for its own next try.
        box.unknown.add("ada@example.org")
        assert (counted(), count_waiting()) == ([2, 1, 2], 0)
    settings.MAIL_SERVER = None
    a_subscriber("amy")
    assert count_waiting() == 0
