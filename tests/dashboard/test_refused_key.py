"""A refused API key: users have none, so each page and file refers to the administrator. Row U15 of the faults."""

import json
from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.upstream import service
from tests.dashboard.reading import alert, words
from tests.upstream.client_calls import good
from tests.upstream.raw_server import Peer, http, listening

pytestmark = pytest.mark.django_db
NOT_REGISTERED = {"error_code": 400, "error_message": "Bad Request.  The value for variable api_key is not registered."}
REFUSALS = {
    "400": http(json.dumps(NOT_REGISTERED).encode(), 400),
    "401": http(b"", 401),
    "403": http(b'{"error_message": "Forbidden"}', 403),
}
ADMINISTRATOR = "The administrator of this site needs to check its API key."


@pytest.fixture
def peer(settings: Settings) -> Iterator[Peer]:
    with listening() as peer:
        settings.ECON_BASE_URL, settings.ECON_API_KEY = peer.url, "0123456789abcdef" * 2
        settings.ECON_FRESH_SECONDS = 0
        service.upstream.cache_clear()
        yield peer
    service.upstream.cache_clear()


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
def test_refused_key_refers_to_the_administrator(client: Client, peer: Peer, refusal: bytes) -> None:
    peer.will(refusal)
    page, file, rows = (client.get(path) for path in ("/series/GNPCA/", "/series/GNPCA.csv", "/series/?ids=GDP,CPI"))

    assert (page.status_code, file.status_code) == (502, 502)
    for text in (alert(page), file.text, words(rows, "//tbody//td")[0], words(rows, "//*[@id='list-loading']")[0]):
        assert f". {ADMINISTRATOR}" in text
        assert "Change it" not in text
        assert "Load the page again in" not in text


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
def test_stale_page_with_a_refused_key_refers_to_the_administrator(client: Client, peer: Peer, refusal: bytes) -> None:
    peer.will(good())
    client.get("/series/GNPCA/")
    peer.will(refusal)

    assert f". {ADMINISTRATOR}" in words(client.get("/series/GNPCA/"), "//p[@class='notice warning']")[0]
