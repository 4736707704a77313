"""Pages and files when a proxy in front of the service sends a 404 of its own."""

import json
import socket
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.dashboard.frozen.contents import find_content
from econweb.dashboard.lookup.known_series import look_up
from econweb.library.models import FrozenCopy
from econweb.upstream import clock
from tests.builders import a_series
from tests.dashboard.reading import words
from tests.upstream.raw_server import Peer, http, listening

pytestmark = pytest.mark.django_db(transaction=True)
LIST = "ids=GNPCA,UNRATE"
BARE_404 = http(b"404 page not found\n", 404, "Content-Type: text/plain; charset=utf-8")


def answer(series_id: str) -> bytes:
    period = {"realtime_start": "2026-11-20", "realtime_end": "2026-11-20"}
    return http(json.dumps({**period, "seriess": [a_series(id=series_id) | {"popularity": 1}]}).encode())


@pytest.fixture
def proxy(settings: Settings) -> Iterator[Peer]:
    """A service that has both series, behind a proxy that answers requests for one of them itself."""
    with listening() as peer:

        def respond(connection: socket.socket) -> None:
            is_known = "series_id=GNPCA" in peer.requests[-1]
            connection.sendall(answer("GNPCA") if is_known else BARE_404)

        peer.will(respond)
        settings.ECON_BASE_URL, settings.ECON_API_KEY = peer.url, "0123456789abcdef0123456789abcdef"
        yield peer


def test_list_calls_no_series_missing(client: Client, proxy: Peer) -> None:
    page = client.get(f"/series/?{LIST}")

    assert words(page, "//*[@id='list-missing']") == [""]
    assert "The data provider sent an error without a message. Load the page again in 30 seconds." in page.text
    assert look_up("UNRATE").exists is None


@pytest.mark.parametrize("since", ["", "&since=2026-01-01"])
def test_check_has_no_verdict(client: Client, proxy: Peer, since: str) -> None:
    reply = client.get(f"/check.json?{LIST}{since}")
    whole = json.loads(reply.getvalue())

    assert (reply.status_code, reply["Retry-After"], whole["complete"]) == (503, "30", False)
    assert {one["id"]: one["verdict"] for one in whole["checks"]}["UNRATE"] == "not checked"


def test_list_is_not_frozen_without_it(client: Client, proxy: Peer) -> None:
    target = {"target": f"/series/?{LIST}"}
    form = client.get("/me/freeze/", target)
    sent = client.post("/me/freeze/", {"title": "Both", "days": "0", "audience": "everyone"}, query_params=target)

    assert find_content(target["target"]).failed == ["UNRATE"]
    assert "Some ids could not be loaded: UNRATE." in form.text
    assert (sent.status_code, FrozenCopy.objects.count()) == (form.status_code, 0)


def test_file_of_a_list_says_that_it_failed(client: Client, proxy: Peer) -> None:
    alone, both = client.get("/series.csv?ids=UNRATE"), client.get(f"/series.csv?{LIST}")

    assert (alone.status_code, "Check the spelling" in alone.text) == (503, False)
    assert "Load the page again in 30 seconds." in both.getvalue().decode()


@pytest.mark.parametrize("link", ["/series/UNRATE/", "/series/UNRATE.csv", "/compare/?a=GNPCA&b=UNRATE"])
def test_series_is_found_once_the_service_answers(
    client: Client, proxy: Peer, monkeypatch: pytest.MonkeyPatch, link: str
) -> None:
    client.get(f"/series/?{LIST}")
    failing, now = client.get(link).status_code, clock.now
    proxy.will(answer("UNRATE"))
    monkeypatch.setattr(clock, "now", lambda: now() + timedelta(minutes=1).total_seconds())

    assert (failing, client.get(link).status_code) == (404, 200)
    assert look_up("UNRATE").exists
