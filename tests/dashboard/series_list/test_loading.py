"""A series list loads step by step: within the rate limit, past failures, each ID requested once."""

import json
from collections import Counter
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from pytest_django import Settings

from econweb.dashboard.lookup.known_series import find_near, look_up
from econweb.dashboard.series_list import loading
from econweb.upstream import client as upstream_client
from econweb.upstream import clock
from econweb.upstream.cache import answers
from econweb.upstream.errors import BadReply, NotFound, Refused, Unavailable, UpstreamError
from tests.builders import a_series
from tests.dashboard.reading import document, links, words

pytestmark = pytest.mark.django_db(transaction=True)


class Slow:
    """A service with a rate limit, on a clock that only sleeping and waiting move."""

    def __init__(self) -> None:
        self.moment = 1_800_000_000.0
        self.asked: list[tuple[float, str]] = []
        self.error: UpstreamError | None = None
        self.failing = ""
        self.failure: UpstreamError = Unavailable("The service failed (status 500).")

    def exchange(self, _session: object, _url: str, parameters: dict[str, str], _deadline: object) -> Any:
        series_id = parameters["series_id"]
        self.asked.append((self.moment, series_id))
        if self.error:
            return self.error
        if series_id == self.failing:
            return self.failure
        if series_id == "NONE":
            return NotFound("The series does not exist.", is_explicit=True)
        period = {"realtime_start": "2026-11-20", "realtime_end": "2026-11-20"}
        return json.dumps({**period, "seriess": [{**a_series(id=series_id), "popularity": 1}]}).encode()

    def wait(self, seconds: float) -> None:
        self.moment += seconds


@pytest.fixture
def slow(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Slow:
    service = Slow()
    settings.ECON_BASE_URL, settings.ECON_API_KEY = "http://127.0.0.1:9", "0123456789abcdef0123456789abcdef"
    monkeypatch.setattr(upstream_client, "exchange", service.exchange)
    monkeypatch.setattr(clock, "now", lambda: service.moment)
    monkeypatch.setattr(clock, "steady", lambda: service.moment)
    monkeypatch.setattr(clock, "sleep", service.wait)
    # A stale answer is refreshed before it is returned, however busy the machine is.
    monkeypatch.setattr(answers, "STALE_WAIT_SECONDS", 10.0)
    return service


# The one that is missing comes first, and so could be asked for again on every later look.
TWO_HUNDRED = ["NONE", *(f"S{n}" for n in range(199))]
LINK = f"/series/?ids={','.join(TWO_HUNDRED)}"
AWAY, EMPTY = Unavailable("The service failed (status 500)."), BadReply("The data provider's reply is empty.")
NO_KEY = Refused("The key is not registered.", is_about_key=True)


@pytest.mark.slow
def test_series_list_requests_200_ids_once_within_rate_limit(client: Client, slow: Slow) -> None:
    shown = []
    for _ in range(100):
        page = client.get(LINK, headers={"HX-Request": "true", "HX-Target": "list"}).text
        shown.append(page.count("<td>Real Gross National Product"))
        if "hx-trigger" not in page:
            break
        # The user once leaves for a while.
        slow.wait(30 if len(shown) == 3 else 2)

    assert shown[0] == 9
    assert shown == sorted(shown)
    assert shown[-1] == 199
    assert Counter(series_id for _, series_id in slow.asked) == Counter(TWO_HUNDRED)
    for moment, _ in slow.asked:
        assert sum(moment <= other < moment + 60 for other, _ in slow.asked) <= 120


def test_series_list_polls_while_loading_and_offers_link(client: Client, slow: Slow) -> None:
    page = client.get(LINK).text

    assert 'hx-trigger="load delay:2s"' in page
    assert "Continue</a>" in page
    assert "Loaded 10 of 200, about 2 min left" in page
    assert page.count("loading…") == 190


def test_series_list_poll_replaces_new_rows_only(client: Client, slow: Slow) -> None:
    parts = document(client.get(LINK)).xpath("string(//*[@id='list-loading']/@hx-select-oob)").split(",")
    rows = {part for part in parts if part.startswith("#row-")}

    assert {"#list-loading", "#list-size", "#list-missing", "#list-findings"} <= {*parts}
    assert rows == {f"#row-S{n}" for n in range(9, 199)}
    assert "#list-menu" not in parts


@pytest.mark.parametrize(
    ("count", "left"), [(12, "about 5 s left"), (100, "about 45 s left"), (200, "about 2 min left")]
)
def test_series_list_shows_time_left(client: Client, slow: Slow, count: int, left: str) -> None:
    page = client.get(f"/series/?ids={','.join(f'S{n}' for n in range(count))}")

    assert f"Loaded 10 of {count}, {left}" in words(page, "//*[@id='list-loading']")[0]


@pytest.mark.parametrize("failure", [AWAY, EMPTY])
def test_series_list_does_not_call_failed_series_missing(client: Client, slow: Slow, failure: UpstreamError) -> None:
    slow.failing, slow.failure = "B", failure
    page = client.get("/series/?ids=A,B,NONE")

    assert words(page, "//*[@id='list-missing']") == ["1 of 3 ids was not found: NONE. Remove it"]
    assert "Load the page again in 30 seconds." in page.text


def test_series_list_file_is_complete_or_has_retry_after(client: Client, slow: Slow) -> None:
    early = client.get(LINK.replace("/series/", "/series.csv"))
    while client.get(LINK.replace("/series/", "/series.csv")).status_code == 503:
        slow.wait(2)
    late = client.get(LINK.replace("/series/", "/series.csv")).getvalue().decode()

    assert (early.status_code, early["Retry-After"]) == (503, "2")
    assert "10 of 200 series are loaded." in early.text
    assert late.count("\r\nS") == 199


def test_series_list_pauses_during_outage(client: Client, slow: Slow) -> None:
    client.get(LINK)
    slow.wait(5)
    slow.error = Unavailable("The data provider is not available at the moment (status 503).")
    page = client.get(LINK).text

    assert page.count("<td>Real Gross National Product") == 9
    assert "The data provider is not available at the moment" in page


def test_series_list_continues_past_failed_series(client: Client, slow: Slow) -> None:
    slow.failing = "B"
    page = client.get("/series/?ids=A,B,C,D").text
    slow.wait(5)
    client.get("/series/?ids=A,B,C,D")

    assert page.count("<td>Real Gross National Product") == 3
    assert "The service failed (status 500)." in page
    # The second time is the second try of the same question.
    assert [series_id for _, series_id in slow.asked].count("B") <= 2


def test_series_that_failed_once_is_not_called_missing(client: Client, slow: Slow) -> None:
    slow.failing = "B"
    client.get("/series/?ids=A,B,NONE")

    assert [look_up(series_id).exists for series_id in ("A", "B", "NONE")] == [True, None, False]


@pytest.mark.parametrize("failure", [AWAY, EMPTY, NO_KEY])
def test_series_list_retries_failed_series(
    client: Client, slow: Slow, monkeypatch: pytest.MonkeyPatch, failure: UpstreamError
) -> None:
    monkeypatch.setattr(loading, "FAILURE_RETRY_SECONDS", 0.0)
    slow.failing, slow.failure = "B", failure
    client.get("/series/?ids=A,B")
    slow.failing = ""
    slow.wait(10)

    assert client.get("/series/?ids=A,B").text.count("<td>Real Gross National Product") == 2


@pytest.mark.parametrize("error", [AWAY, EMPTY, NO_KEY])
def test_series_list_without_a_good_reply_calls_no_id_missing(client: Client, slow: Slow, error: UpstreamError) -> None:
    slow.error = error
    page, file = client.get("/series/?ids=A,B"), client.get("/series.csv?ids=A,B")

    assert words(page, "//*[@id='list-missing']") == [""]
    assert (file.status_code, str(error) in file.text, "Check the spelling" in file.text) == (503, True, False)
    assert look_up("A").exists is None


def test_series_list_behind_an_open_breaker_has_loaded_nothing(
    client: Client, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("econweb.upstream.service.state", lambda: {"breaker": "open", "allowance_left": None})
    slow.error = AWAY
    file, page = (client.get(f"{path}?ids=A,B") for path in ("/series.csv", "/series/"))

    assert words(page, "//*[@id='list-loading']/label") == ["Loaded 0 of 2"]
    assert (file.status_code, "Too many requests" in file.text, str(AWAY) in file.text) == (503, False, True)


def test_series_list_pauses_when_the_key_is_refused(client: Client, slow: Slow) -> None:
    slow.error = NO_KEY
    page = client.get("/series/?ids=A,B")

    assert "The key is not registered." in words(page, "//*[@id='list-loading']")[0]
    assert [series_id for _, series_id in slow.asked] == ["A"]


def test_series_list_refreshes_stale_series(client: Client, slow: Slow, settings: Settings) -> None:
    client.get("/series/?ids=A,B")
    slow.wait(settings.ECON_FRESH_SECONDS + 10)
    page = client.get("/series/?ids=A,B").text

    assert [series_id for _, series_id in slow.asked] == ["A", "B", "A", "B"]
    assert ">cached data<" not in page


def test_series_list_skips_broken_cache(client: Client, slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[object] = []

    def fails(*arguments: object) -> None:
        looks.append(arguments)
        raise OSError

    monkeypatch.setattr(type(caches["default"]), "get", fails)
    client.get(LINK)

    assert 1 <= len(looks) < 10


def test_loading_list_can_be_stopped_and_keeps_its_rows(client: Client, slow: Slow) -> None:
    page = client.get(LINK)
    stopped = client.get(links(page)["Stop, and keep these 10"])

    assert links(page)["Stop, and keep these 10"] == f"/series/?ids={','.join(TWO_HUNDRED[:10])}"
    assert words(stopped, "//*[@id='list-loading']") == [""]
    assert len(slow.asked) == 10


def test_close_ids_come_from_what_the_site_knows_and_ask_the_service_for_nothing(client: Client, slow: Slow) -> None:
    client.get("/series/SEEN_BEFORE/")
    asked = len(slow.asked)
    page = client.get("/series/?ids=NONE,S1")

    assert len(slow.asked) == asked + 2
    assert find_near(["SEEN_BEFOR", "UNRAT", "ZZQQXX"]) == {
        "SEEN_BEFOR": [("SEEN_BEFORE", "Real Gross National Product")],
        "UNRAT": [("UNRATE", "Unemployment Rate")],
        "ZZQQXX": [],
    }
    assert len(slow.asked) == asked + 2
    assert "NONE. Remove it" in words(page, "//*[@id='list-missing']")[0]
