"""A list of series: pasted in any form, loaded within the allowance, sorted, and taken along."""

import csv
import json
from collections import Counter
from datetime import date
from itertools import permutations
from typing import Any

import pytest
from django.core.cache import caches
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from econweb.dashboard import series_list
from econweb.dashboard.pasted import ids_in
from econweb.dashboard.series_list_query import SeriesListForm, SeriesListQuery
from econweb.upstream import client as upstream_client
from econweb.upstream import clock
from econweb.upstream.errors import NotFound, Unavailable, UpstreamError
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import alert, canonical, document, words

ids = st.from_regex(r"[A-Z0-9_]{1,25}", fullmatch=True)


@pytest.mark.parametrize(
    "text",
    [
        "GDP,UNRATE,CPIAUCSL",
        "gdp unrate\ncpiaucsl",
        "GDP\tUNRATE\tCPIAUCSL\r\n",
        "GDP; UNRATE; CPIAUCSL; GDP",
        'c("GDP", "UNRATE", "CPIAUCSL")',
        "['GDP', 'UNRATE', 'CPIAUCSL']",
        "- GDP\n- UNRATE\n- CPIAUCSL.",
        "https://econweb.example/series/GDP/ /series/UNRATE https://x.example/fred/series?series_id=cpiaucsl&limit=3",
        "| GDP | UNRATE |\n| CPIAUCSL |",
    ],
)
def test_ids_are_found_however_they_are_pasted(text: str) -> None:
    assert ids_in(text) == (("GDP", "UNRATE", "CPIAUCSL"), ())


def test_words_that_cannot_be_ids_are_named() -> None:
    assert ids_in("GDP, S&P500, " + "X" * 26) == (("GDP",), ("S&P500", "X" * 26))


@pytest.mark.timeout(5)
@pytest.mark.parametrize("text", ["a." * 200_000, "a(" * 200_000, "." * 400_000, "api_key=" * 50_000])
def test_a_long_text_is_looked_through_in_time(text: str) -> None:
    ids_in(text)


DAYS = st.dates(date(1776, 7, 4), date(2025, 12, 31))


@given(st.lists(ids, unique=True, max_size=9), st.sampled_from([",", " ", "\n", ";", ", ", "\t", "|"]))
def test_any_ids_come_back_in_their_order(given_ids: list[str], between: str) -> None:
    assert ids_in(between.join(given_ids)) == (tuple(given_ids), ())


@given(st.lists(ids, unique=True, min_size=1, max_size=5), DAYS, st.sampled_from(["title", "notes"]))
def test_a_link_read_back_is_the_same_list(given_ids: list[str], day: Any, column: str) -> None:
    query = SeriesListQuery(tuple(given_ids), (column, "units"), column, "desc", day, day)
    form = SeriesListForm(QueryDict(query.link()))

    assert form.is_valid()
    assert form.query() == query


def test_a_plain_list_has_a_plain_link() -> None:
    assert SeriesListQuery(("GDP", "UNRATE")).link() == "ids=GDP,UNRATE"


# --- On the embedded service -------------------------------------------------------------------------------


@pytest.fixture
def three(catalogue: Loader) -> None:
    catalogue(
        series=[
            a_series(id="GDP", popularity="90", notes=""),
            a_series(id="UNRATE", popularity="5", units="Percent"),
            a_series(id="CPI", popularity="40"),
        ]
    )


pytestmark = pytest.mark.django_db(transaction=True)


def order_of(page: Any) -> list[str]:
    return words(page, "//tbody//th")


def test_the_table_has_the_series_in_the_order_of_the_list(client: Client, three: None) -> None:
    page = client.get("/series/?ids=UNRATE,GDP,CPI")

    assert order_of(page) == ["UNRATE", "GDP", "CPI"]
    assert "2 units:" in page.text


@pytest.mark.parametrize(
    "order", list(permutations(["ids=unrate gdp,UNRATE", "columns=units", "order_by=id", "x=1"]))
)
def test_parameters_in_any_order_have_one_canonical_link(
    client: Client, three: None, order: tuple[str, ...]
) -> None:
    page = client.get(f"/series/?{'&'.join(order)}&sort_order=asc")

    assert canonical(page) == "/series/?ids=UNRATE,GDP&columns=units&order_by=id"


def test_a_column_sorts_it_and_missing_ones_come_last(client: Client, three: None) -> None:
    page = client.get("/series/?ids=NONE,UNRATE,GDP,CPI&order_by=popularity&sort_order=desc")

    assert order_of(page) == ["GDP", "CPI", "UNRATE", "NONE"]
    assert page.text.count("aria-sort") == 1


def test_missing_and_refused_ids_are_named(client: Client, three: None) -> None:
    page = client.get("/series/", {"ids": "GDP, NONE, S&P"}).text

    assert "The series does not exist." in page
    assert "These are no ids, and are left out: S&amp;P" in page


def test_the_columns_are_those_of_the_link(client: Client, three: None) -> None:
    page = client.get("/series/?ids=GDP&columns=notes,units_short").text

    assert "Bil. of Chn. 2009 $</td>" in page
    assert "Real Gross National Product</td>" not in page


def test_a_form_without_javascript_leads_to_the_short_link(client: Client, three: None) -> None:
    sent = client.get("/series/?form=plain&ids=gdp%0Aunrate&columns=title&columns=units&realtime_start=")

    assert sent["Location"] == "/series/?ids=GDP,UNRATE&columns=title,units"


def test_a_key_in_the_address_is_dropped_with_a_warning(client: Client, three: None) -> None:
    answer = client.get(f"/series/?ids=GDP&api_key={'k' * 32}")

    assert answer["Location"] == "/series/?ids=GDP&notice=key"
    assert "held a key" in alert(client.get(answer["Location"]))


def test_a_list_that_is_refused_keeps_what_was_given(client: Client) -> None:
    page = client.get("/series/", {"ids": "gdp, S&P", "columns": "title", "realtime_start": "soon"})

    assert page.status_code == 400
    assert words(page, "//textarea") == ["GDP"]
    assert document(page).xpath("//input[@name='columns' and @checked]/@value") == ["title"]
    assert document(page).xpath("//input[@name='realtime_start']/@value") == ["soon"]


def test_an_empty_list_is_a_form(client: Client) -> None:
    page = client.get("/series/")

    assert page.status_code == 200
    assert "<textarea" in page.text
    assert "<table" not in page.text


def test_a_file_holds_the_columns_of_the_view_and_names_what_is_missing(client: Client, three: None) -> None:
    response = client.get("/series.csv?ids=UNRATE,NONE,GDP&columns=units,popularity&order_by=id")
    lines = list(csv.reader(response.getvalue().decode().splitlines()))

    assert [
        "# source",
        "http://testserver/series/?ids=UNRATE,NONE,GDP&columns=units,popularity&order_by=id",
    ] in lines
    assert ["# missing", "NONE: The series does not exist."] in lines
    assert lines[-3:] == [
        ["id", "units", "popularity"],
        ["GDP", "Billions of Chained 2009 Dollars", "90"],
        ["UNRATE", "Percent", "5"],
    ]


def test_json_holds_whole_records(client: Client, three: None) -> None:
    found = json.loads(client.get("/series.json?ids=GDP,CPI").getvalue())

    assert [series["id"] for series in found["seriess"]] == ["GDP", "CPI"]
    assert "notes" not in found["seriess"][0]
    assert len(found["seriess"][1]) == 15


# --- Within an allowance -----------------------------------------------------------------------------------


class Slow:
    """A service with an allowance, on a clock that only sleeping and waiting move."""

    def __init__(self) -> None:
        self.moment = 1_800_000_000.0
        self.asked: list[tuple[float, str]] = []
        self.error: UpstreamError | None = None
        self.failing = ""

    def exchange(self, _session: object, _url: str, parameters: dict[str, str], _deadline: object) -> Any:
        series_id = parameters["series_id"]
        self.asked.append((self.moment, series_id))
        if self.error:
            return self.error
        if series_id == self.failing:
            return Unavailable("The service failed (status 500).")
        if series_id == "NONE":
            return NotFound("The series does not exist.")
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
    monkeypatch.setattr(clock, "sleep", service.wait)
    return service


# The one that is missing comes first, and so could be asked for again on every later look.
TWO_HUNDRED = ["NONE", *(f"S{n}" for n in range(199))]
LINK = f"/series/?ids={','.join(TWO_HUNDRED)}"


def test_two_hundred_ids_come_within_the_allowance_and_each_is_asked_for_once(
    client: Client, slow: Slow
) -> None:
    shown = []
    for _ in range(100):
        page = client.get(LINK, headers={"HX-Request": "true", "HX-Target": "list"}).text
        shown.append(page.count("Real Gross National Product</td>"))
        if "hx-trigger" not in page:
            break
        # Once somebody goes away for a while.
        slow.wait(30 if len(shown) == 3 else 2)

    assert shown[0] == 9
    assert shown == sorted(shown)
    assert shown[-1] == 199
    assert Counter(series_id for _, series_id in slow.asked) == Counter(TWO_HUNDRED)
    for moment, _ in slow.asked:
        assert sum(moment <= other < moment + 60 for other, _ in slow.asked) <= 120


def test_a_page_that_waits_asks_for_itself_again_and_works_without_javascript(
    client: Client, slow: Slow
) -> None:
    page = client.get(LINK).text

    assert 'hx-trigger="load delay:2s"' in page
    assert "Go on loading</a>" in page
    assert "10 of 200 are loaded" in page
    assert page.count("not loaded yet") == 190


def test_a_file_is_whole_or_says_when_to_come_again(client: Client, slow: Slow) -> None:
    early = client.get(LINK.replace("/series/", "/series.csv"))
    while client.get(LINK.replace("/series/", "/series.csv")).status_code == 503:
        slow.wait(2)
    late = client.get(LINK.replace("/series/", "/series.csv")).getvalue().decode()

    assert (early.status_code, early["Retry-After"]) == (503, "2")
    assert "10 of 200 series are loaded." in early.text
    assert late.count("\r\nS") == 199


def test_a_service_that_goes_away_pauses_the_list_and_nothing_is_lost(client: Client, slow: Slow) -> None:
    client.get(LINK)
    slow.wait(5)
    slow.error = Unavailable("The service is not available at the moment (status 503).")
    page = client.get(LINK).text

    assert page.count("Real Gross National Product</td>") == 9
    assert "The service is not available at the moment" in page


def test_one_series_that_the_service_fails_for_holds_up_no_other_one(client: Client, slow: Slow) -> None:
    slow.failing = "B"
    page = client.get("/series/?ids=A,B,C,D").text
    slow.wait(5)
    client.get("/series/?ids=A,B,C,D")

    assert page.count("Real Gross National Product</td>") == 3
    assert "The service failed (status 500)." in page
    # The second time is the second try of the same question.
    assert [series_id for _, series_id in slow.asked].count("B") <= 2


def test_a_series_that_the_service_failed_for_is_asked_for_again(
    client: Client, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series_list, "AGAIN_AFTER_FAILURE", 0.0)
    slow.failing = "B"
    client.get("/series/?ids=A,B")
    slow.failing = ""
    slow.wait(10)

    assert client.get("/series/?ids=A,B").text.count("Real Gross National Product</td>") == 2


def test_what_has_become_old_is_asked_for_again(client: Client, slow: Slow, settings: Settings) -> None:
    client.get("/series/?ids=A,B")
    slow.wait(settings.ECON_FRESH_SECONDS + 10)
    page = client.get("/series/?ids=A,B").text

    assert [series_id for _, series_id in slow.asked] == ["A", "B", "A", "B"]
    assert "older than it should be" not in page


def test_a_list_leaves_a_broken_cache_alone(
    client: Client, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[object] = []

    def fails(*arguments: object) -> None:
        looks.append(arguments)
        raise OSError

    monkeypatch.setattr(type(caches["default"]), "get", fails)
    client.get(LINK)

    assert 1 <= len(looks) < 10
