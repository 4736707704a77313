"""A refused key shows in the log, in /readyz and on /about/."""

from contextlib import nullcontext

import pytest
from django.test import Client
from structlog.testing import capture_logs
from structlog.typing import EventDict

from econweb.upstream import service
from econweb.upstream.errors import UpstreamError
from tests.dashboard.reading import words
from tests.upstream.client_calls import KEY, a_client, a_shared_store, ask, good
from tests.upstream.conftest import Clock
from tests.upstream.raw_server import Peer, http
from tests.upstream.transport.test_faults_status import NO_KEY, NO_LIMIT, in_json

REFUSALS = {
    "400 with a message": http(in_json(400, NO_KEY), 400),
    "401": http(b"", 401),
    "403 with a message": http(in_json(403, "Forbidden."), 403),
}


def errors(logs: list[EventDict]) -> list[str]:
    return [line["event"] for line in logs if line["log_level"] == "error"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
def test_key_status_is_refused_until_the_service_accepts_it(client: Client, pointed_at: Peer, refusal: bytes) -> None:
    """O4"""
    pointed_at.will(refusal, good())
    with capture_logs() as logs:
        client.get("/series/GNPCA/")
        refused = client.get("/readyz")
        shown = words(client.get("/about/"), "//dd")
        page = client.get("/series/GNPCB/")
        client.get("/series/gnpca/?realtime_start=2020-01-01&realtime_end=2020-01-01")

    assert (refused.status_code, refused.json()["upstream"]["key"]) == (200, "refused")
    assert "the provider rejects the key of this site" in shown
    assert errors(logs) == ["the service refuses the API key: check ECON_API_KEY"]
    assert KEY not in repr(logs) + refused.text + page.text
    assert service.state()["key"] == "ok"
    assert "OK" in words(client.get("/about/"), "//dd")


def test_key_status_is_logged_once_a_minute(peer: Peer, frozen_clock: Clock) -> None:
    """O4"""
    peer.will(REFUSALS["401"])
    client = a_client(peer.url)
    with capture_logs() as logs:
        for _ in range(5):
            with pytest.raises(UpstreamError):
                ask(client)
            frozen_clock.moment += 15.0

    assert len(errors(logs)) == 2


def test_key_status_is_logged_again_after_the_key_was_accepted(peer: Peer, frozen_clock: Clock) -> None:
    """O4"""
    peer.will(REFUSALS["401"], good(), REFUSALS["401"])
    client = a_client(peer.url)
    with capture_logs() as logs:
        for is_accepted in (False, True, False):
            with nullcontext() if is_accepted else pytest.raises(UpstreamError):
                ask(client)

    assert len(errors(logs)) == 2


def test_key_status_ignores_other_refusals(peer: Peer) -> None:
    """O4"""
    peer.will(http(in_json(400, NO_LIMIT), 400))
    client = a_client(peer.url)
    with capture_logs() as logs, pytest.raises(UpstreamError):
        ask(client)

    assert (errors(logs), client.key_status.state()) == ([], "ok")


def test_key_status_is_shared_between_workers(peer: Peer) -> None:
    """O4"""
    peer.will(REFUSALS["401"], good())
    store = a_shared_store()
    one, other = a_client(peer.url, store=store), a_client(peer.url, store=store)
    with pytest.raises(UpstreamError):
        ask(one)
    before = other.key_status.state()
    ask(other)

    assert (before, one.key_status.state()) == ("refused", "ok")
