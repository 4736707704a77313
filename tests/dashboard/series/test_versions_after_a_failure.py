"""The versions of a series once the service answers again for them."""

from datetime import timedelta

import pytest
from django.test import Client

from econweb.upstream import clock
from econweb.upstream.errors import BadReply, NotFound, NotInPeriod, Refused, Unavailable, UpstreamError
from tests.dashboard.reading import words
from tests.dashboard.series.test_versions import FIRST, SECOND, THIRD, versions
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db
FAILURES = [
    # Of a proxy in front of the service.
    NotFound("An error without a message."),
    BadReply("The reply is empty."),
    Refused("The key is not registered.", is_about_key=True),
    Unavailable("It is away."),
]
ANSWERS = [NotInPeriod("It has no archive.", is_explicit=True), Refused("It has no archive.")]


def fail_once(client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch, error: UpstreamError) -> None:
    """Show a page without versions, and let two minutes pass."""
    versions(stand_in, FIRST, SECOND, THIRD)
    get, now = stand_in.get, clock.now

    def without_past(endpoint: str, parameters: dict[str, str]) -> bytes:
        if "realtime_start" in parameters:
            raise error
        return get(endpoint, parameters)

    monkeypatch.setattr(stand_in, "get", without_past)
    assert str(error) in words(client.get("/series/GNPCA/"), "//section[@class='versions']")[0]
    monkeypatch.setattr(stand_in, "get", get)
    monkeypatch.setattr(clock, "now", lambda: now() + timedelta(minutes=2).total_seconds())


def shown(client: Client) -> list[str]:
    return words(client.get("/series/GNPCA/"), "//section[@class='versions']/h2")


@pytest.mark.parametrize("error", FAILURES)
def test_versions_come_back_once_the_service_recovers(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch, error: UpstreamError
) -> None:
    fail_once(client, stand_in, monkeypatch, error)

    assert shown(client) == ["3 versions of this description"]


@pytest.mark.parametrize("error", [*FAILURES, *ANSWERS])
def test_refresh_brings_versions_back(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch, error: UpstreamError
) -> None:
    fail_once(client, stand_in, monkeypatch, error)
    client.get("/series/GNPCA/?renew=1")

    assert shown(client) == ["3 versions of this description"]
