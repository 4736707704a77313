"""The OpenAPI description, and foreign client libraries.

Their imports take seconds, in each process that collects the tests: fixtures make them.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pytest
import yaml
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client
from hypothesis import HealthCheck, assume, given
from hypothesis import settings as bounds
from hypothesis import strategies as st
from pytest_django.live_server_helper import LiveServer

from econweb.startup.load_catalogue import load_sample_if_due

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
HELD = {
    "/series": {"series_id": "GNPCA"},
    "/category/tags": {"category_id": "125"},
    "/release/tags": {"release_id": "53"},
}


@pytest.fixture
def sample(transactional_db: None) -> None:
    load_sample_if_due()


@pytest.fixture(scope="module")
def draw_case() -> Callable[[st.DataObject, str, str], Any]:
    import schemathesis  # noqa: PLC0415

    # Whether something is there, a key is valid or a day has come, no description can say.
    refusals = {"expected-statuses": [200, 400, 414, 503]}
    config = schemathesis.Config.from_dict({"checks": {"positive_data_acceptance": refusals}})
    description = schemathesis.openapi.from_path("docs/openapi.yaml", config=config)
    description.app = WSGIHandler()

    def draw(data: st.DataObject, path: str, mode: str) -> Any:
        strategy = description[path]["GET"].as_strategy(generation_mode=schemathesis.GenerationMode(mode))
        return data.draw(strategy)

    return draw


@pytest.fixture(scope="module")
def checks() -> list[Any]:
    """Return all checks but the one that wants 401 or 403 without a key. Such services answer 400, as tested below."""
    from schemathesis.checks import CHECKS, load_all_checks  # noqa: PLC0415

    load_all_checks()
    return [check for check in CHECKS.get_all() if check.__name__ != "ignored_auth"]


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("key", [{}, {"api_key": ""}, {"api_key": "a" * 32}])
@pytest.mark.parametrize("path", HELD)
def test_no_answer_without_a_valid_key(client: Client, path: str, key: dict[str, str]) -> None:
    answer = client.get(f"/econ{path}", {**HELD[path], "file_type": "json", **key})

    assert (answer.status_code, [*answer.json()]) == (400, ["error_code", "error_message"])


def test_openapi_description_is_served(client: Client) -> None:
    answer = client.get("/econ/openapi.yaml")

    assert answer.content == Path("docs/openapi.yaml").read_bytes()
    assert answer["Content-Type"] == "application/yaml; charset=utf-8"


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize("path", ["/series", "/category/tags", "/release/tags"])
@bounds(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_answer_matches_the_openapi_description(
    draw_case: Callable[[st.DataObject, str, str], Any], checks: list[Any], path: str, mode: str, data: st.DataObject
) -> None:
    case = draw_case(data, path, mode)
    case.query = {**case.query, "api_key": settings.CATALOGUE_OWN_KEY}
    if mode == "positive" and data.draw(st.booleans()):
        # Chance alone would hardly ever ask for something that the sample holds.
        narrowing = {"tag_names", "tag_group_id", "search_text", "realtime_start", "realtime_end", "offset"}
        case.query = {name: value for name, value in case.query.items() if name not in narrowing}
        case.query |= {"file_type": "json", **HELD[path]}

    # Without a socket between them, nobody would unpack a compressed answer.
    case.call_and_validate(checks=checks, headers={"Accept-Encoding": "identity"})


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("mode", ["positive", "negative"])
@bounds(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_check_matches_the_openapi_description(
    draw_case: Callable[[st.DataObject, str, str], Any], checks: list[Any], mode: str, data: st.DataObject
) -> None:
    case = draw_case(data, "/check.json", mode)
    if mode == "positive" and data.draw(st.booleans()):
        case.query = {**case.query, "ids": "GNPCA,NOTHING,GNPCA"}
    # A wrong value such as an empty list is sent as nothing, which counts as absent, as white space does.
    sent = re.search(r"[?&]since=([^&']*)", case.as_curl_command())
    assume("since" not in case.query or (sent and unquote_plus(sent[1]).strip()))

    case.call_and_validate(base_url="http://localhost", checks=checks, headers={"Accept-Encoding": "identity"})


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("ids", "status"),
    [
        ("most series first", 200),
        ("GDP; unrate", 200),
        ("'GNPCA' | \"GDP\",", 200),
        ("GDP,GDP", 200),
        ("Größe\x1cGDP", 200),
        ("Größe", 400),
        ("äöü, ½", 400),
    ],
)
def test_description_of_a_check_refuses_no_ids_that_are_accepted(client: Client, ids: str, status: int) -> None:
    description = yaml.safe_load((settings.BASE_DIR / "docs/openapi.yaml").read_text())
    described = description["paths"]["/check.json"]["get"]["parameters"][0]

    assert described["name"] == "ids"
    assert client.get("/check.json", {"ids": ids}).status_code == status
    assert re.search(described["schema"]["pattern"], ids) or status == 400


@pytest.fixture
def client_of(live_server: LiveServer, sample: None) -> Any:
    from fred.api import FredAPI  # noqa: PLC0415

    def client(file_type: str, key: str = settings.CATALOGUE_OWN_KEY) -> Any:
        made = FredAPI(api_key=key)
        made.base_url = f"{live_server.url}/econ"
        made.base_params["file_type"] = file_type
        return made

    return client


def test_fred_py_api_reads_series_and_tags_as_json(client_of: Any) -> None:
    client = client_of("json")

    series = client.get_series(series_id="GNPCA")
    category = client.get_category_tags(category_id=125, order_by="name", limit=2)
    release = client.get_release_tags(release_id=53, tag_group_id="freq", sort_order="desc")

    assert series["seriess"][0]["id"] == "GNPCA"
    assert len(category["tags"]) == 2
    assert {tag["group_id"] for tag in release["tags"]} == {"freq"}


def test_fred_py_api_reads_series_and_tags_as_xml(client_of: Any) -> None:
    client = client_of("xml")

    assert client.get_series(series_id="GNPCA", file_type="xml").tag == "seriess"
    assert client.get_category_tags(category_id=125, file_type="xml")[0].tag == "tag"
    assert client.get_release_tags(release_id=53, file_type="xml").get("order_by") == "series_count"


@pytest.mark.parametrize("file_type", ["json", "xml"])
def test_fred_py_api_shows_the_error_message(client_of: Any, file_type: str) -> None:
    from fred.api.exceptions import BaseFredAPIError  # noqa: PLC0415

    with pytest.raises(BaseFredAPIError, match=r"series does not exist\."):
        client_of(file_type).get_series(series_id="NOTHING")
    with pytest.raises(BaseFredAPIError, match=r"not registered\."):
        client_of(file_type, "a" * 32).get_category_tags(category_id=125)


def test_fredapi_reads_a_series_and_an_error(
    live_server: LiveServer, sample: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fredapi import Fred  # noqa: PLC0415

    monkeypatch.setattr(Fred, "root_url", f"{live_server.url}/econ")
    client = Fred(api_key=settings.CATALOGUE_OWN_KEY)

    assert client.get_series_info("GNPCA")["title"] == "Real Gross National Product"
    with pytest.raises(ValueError, match=r"series does not exist\."):
        client.get_series_info("NOTHING")
