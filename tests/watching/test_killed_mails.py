"""A small run of the drill that kills processes while they send the weekly mails."""

import pytest

pytest.importorskip("aiosmtpd", reason="aiosmtpd is missing: install requirements-dev.txt")

from bench.drills.killed_mails import killed_mails

pytestmark = pytest.mark.slow


def test_kill_sends_no_mail_twice_and_loses_no_news() -> None:
    """O21"""
    outcome = killed_mails(kills=4, people=20)

    assert outcome.good, outcome.line()
