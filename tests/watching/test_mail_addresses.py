"""Weekly mails of people whose account has no address yet."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import Settings

from econweb.search_index.titles.source_names import name_in_mails
from econweb.watching.weekly_mails import count_waiting, send_weekly_mails
from tests.watching.mail_server import serve_mail
from tests.watching.news_builders import MONDAY, a_subscriber, an_announcement, follow

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("days", [1, 7])
def test_first_mail_to_a_new_address_names_no_earlier_one(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    settings.SIGN_IN = "password"
    a_subscriber("ada")
    follow("ada", an_announcement())
    User.objects.update(email="")
    monkeypatch.setattr(timezone, "now", lambda: MONDAY)
    with serve_mail(settings) as box:
        assert (send_weekly_mails(name_in_mails), count_waiting()) == (0, 0)
        User.objects.update(email="ada@example.org")
        monkeypatch.setattr(timezone, "now", lambda: MONDAY + timedelta(days=days))
        assert (send_weekly_mails(name_in_mails), box.people) == (1, ["ada"])

    text = box.mails[0][1].get_content()
    assert "GNPCA" in text
    assert "An earlier mail may not have reached you" not in text
