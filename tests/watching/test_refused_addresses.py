"""A refused address is tried once by all processes, and then after its wait."""

from collections.abc import Iterable, Mapping
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from econweb.search_index.titles.source_names import name_in_mails
from econweb.watching.models import Subscription
from econweb.watching.weekly_mails import send_weekly_mails
from tests.watching.mail_server import serve_mail
from tests.watching.news_builders import MONDAY, a_subscriber, an_announcement, follow

pytestmark = pytest.mark.django_db


def test_refused_address_is_tried_once_by_all_processes(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """O20"""
    settings.SIGN_IN = "password"
    monkeypatch.setattr(timezone, "now", lambda: MONDAY)
    for name in ("ada", "bob"):
        a_subscriber(name)
        follow(name, an_announcement())
    others = [lambda: send_weekly_mails(name_sources)] * 2

    def name_sources(sources: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
        # Another process does all of its work between the reading and the sending of this one.
        if others:
            others.pop()()
        return name_in_mails(sources)

    with serve_mail(settings) as box:
        box.unknown |= {"ada@example.org", "bob@example.org"}
        assert send_weekly_mails(name_sources) == 0
    rows = Subscription.objects.values_list("refusals", "due")
    assert list(rows) == [(1, MONDAY + timedelta(minutes=10))] * 2
