"""The two sides share no code: page and service module on one, the embedded catalogue on the other."""

import pytest
import yaml
from django.conf import settings as project
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer
from structlog.contextvars import merge_contextvars
from structlog.stdlib import add_logger_name
from structlog.testing import capture_logs

from econweb.catalogue.parameters import GROUPS
from econweb.upstream import service
from econweb.upstream.queries import CONTRACT_GROUPS, ORDER_BYS, SeriesQuery
from tests.builders import a_series
from tests.conftest import Loader

pytestmark = pytest.mark.django_db(transaction=True)
HOSTILE = "a \"quote\" <b> & 'tick' \r\nnext line\ttab é 𝔸 \u2028"


def test_pages_show_the_records_of_the_catalogue(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series(title="Real Output of a Test")])

    page = client.get("/series/GNPCA/")

    assert page.status_code == 200
    assert "Real Output of a Test" in page.text


@pytest.mark.parametrize("notes", ["", HOSTILE])
def test_xml_and_json_give_equal_records(catalogue: Loader, settings: Settings, notes: str) -> None:
    versions = [
        a_series(realtime_end="2014-12-31", notes=notes),
        a_series(realtime_start="2015-01-01", units=HOSTILE, notes=notes),
    ]
    catalogue(series=versions)
    query = SeriesQuery("GNPCA", realtime_start=None, realtime_end=None)
    replies = {}
    for file_type in ("json", "xml"):
        settings.ECON_FILE_TYPE = file_type
        cache.clear()
        service.upstream.cache_clear()
        replies[file_type] = service.series(query).reply.seriess

    assert replies["json"] == replies["xml"]
    assert replies["json"][0].notes == (notes or None)
    assert replies["json"][0].units == HOSTILE


def test_service_behind_a_socket_gives_equal_pages(
    client: Client, catalogue: Loader, settings: Settings, live_server: LiveServer
) -> None:
    catalogue(series=[a_series()])
    embedded = client.get("/series/GNPCA/")
    settings.ECON_BASE_URL, settings.ECON_API_KEY = live_server.url, settings.CATALOGUE_OWN_KEY
    service.upstream.cache_clear()

    other = client.get("/series/GNPCA/")

    assert service.upstream().client.base_url == live_server.url
    assert other.status_code == 200
    assert _record_of(other.text) == _record_of(embedded.text)


def test_another_key_is_refused_with_the_message_of_the_service(
    client: Client, catalogue: Loader, settings: Settings, live_server: LiveServer
) -> None:
    catalogue(series=[a_series()])
    settings.ECON_BASE_URL, settings.ECON_API_KEY = live_server.url, "0123456789abcdef" * 2
    service.upstream.cache_clear()

    answer = client.get("/series/GNPCA/")

    assert answer.status_code == 502
    assert "The value for variable api_key is not registered." in answer.text
    assert "0123456789abcdef" * 2 not in answer.text


def test_request_has_one_id_in_both_logs(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series()])

    with capture_logs(processors=[merge_contextvars, add_logger_name]) as logs:
        client.get("/series/GNPCA.json", headers={"X-Request-ID": "trip-1"})

    written = [line for line in logs if line["logger"] == "econweb.requests"]
    assert [line["path"] for line in written] == ["/econ/series", "/series/GNPCA.json"]
    assert [line["request_id"] for line in written] == ["trip-1", "trip-1"]
    # The first one is not that of a stranger.
    assert [line["event"] for line in written] == ["request from inside", "request"]


def _record_of(page: str) -> str:
    return page.partition("<dl")[2].partition("</dl>")[0]


def test_groups_and_orders_agree_between_contract_catalogue_and_upstream() -> None:
    """The packages share no list, so a new group has to be added to each."""
    described = yaml.safe_load((project.BASE_DIR / "docs/openapi.yaml").read_text())["components"]

    assert set(described["schemas"]["Group"]["enum"]) == set(GROUPS) == set(CONTRACT_GROUPS)
    assert set(described["parameters"]["order_by"]["schema"]["enum"]) == set(ORDER_BYS)
