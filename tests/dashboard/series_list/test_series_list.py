"""A list of series: pasted in any form, loaded within the rate limit, sorted and exported."""

import csv
import json
from dataclasses import replace
from datetime import date
from itertools import permutations
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from econweb.dashboard.display.fields import FIELDS
from econweb.dashboard.files import responses
from econweb.dashboard.search_box.pasted_ids import parse_ids
from econweb.dashboard.series_list.forms import SeriesListForm
from econweb.dashboard.series_list.query import DEFAULT_COLUMNS, SeriesListQuery
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import alert, canonical, document, row_heads, words
from tests.processor_time import processor_seconds

pytestmark = pytest.mark.django_db(transaction=True)

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
def test_series_list_parses_pasted_ids(text: str) -> None:
    assert parse_ids(text) == (("GDP", "UNRATE", "CPIAUCSL"), ())


def test_series_list_names_words_that_are_not_ids() -> None:
    assert parse_ids("GDP, S&P500, " + "X" * 26) == (("GDP",), ("S&P500", "X" * 26))


@pytest.mark.parametrize("part", ["a.", "a(", ".", "api_key=", "/series?a&", "//a", "/series/"])
def test_series_list_parses_long_text_in_bounded_time(part: str) -> None:
    """O1: a text ten times as long takes about ten times as long, not a hundred times."""
    few, many = (processor_seconds(lambda n=n: parse_ids(part * n)) for n in (5_000, 50_000))  # type: ignore[misc]

    assert many < 50 * few


DAYS = st.dates(date(1776, 7, 4), date(2025, 12, 31))


@given(st.lists(ids, unique=True, max_size=9), st.sampled_from([",", " ", "\n", ";", ", ", "\t", "|"]))
def test_series_list_link_keeps_order_of_ids(given_ids: list[str], between: str) -> None:
    assert parse_ids(between.join(given_ids)) == (tuple(given_ids), ())


@given(st.lists(ids, unique=True, min_size=1, max_size=5), DAYS, st.sampled_from(["title", "notes"]))
def test_series_list_link_round_trips(given_ids: list[str], day: Any, column: str) -> None:
    columns = ("title", "units") if column == "title" else ("units", column)
    query = SeriesListQuery(tuple(given_ids), columns, column, "desc", day, day)
    form = SeriesListForm(QueryDict(query.query_string()))

    assert form.is_valid()
    assert form.query() == query


def test_series_list_link_omits_defaults() -> None:
    assert SeriesListQuery(("GDP", "UNRATE")).query_string() == "ids=GDP,UNRATE"


# --- On the embedded service -------------------------------------------------------------------------------


@pytest.mark.parametrize("order", list(permutations(["ids=unrate gdp,UNRATE", "columns=units", "order_by=id", "x=1"])))
def test_parameters_in_any_order_have_one_canonical_link(client: Client, three: None, order: tuple[str, ...]) -> None:
    page = client.get(f"/series/?{'&'.join(order)}&sort_order=asc")

    assert canonical(page) == "/series/?ids=UNRATE,GDP&columns=units&order_by=id"


def test_series_list_sorts_by_column_with_missing_series_last(client: Client, three: None) -> None:
    page = client.get("/series/?ids=NONE,UNRATE,GDP,CPI&order_by=popularity&sort_order=desc")

    assert row_heads(page) == ["GDP", "CPI", "UNRATE", "NONE"]
    assert page.text.count("aria-sort") == 1


def test_series_list_sorts_timestamps_across_offsets(client: Client, catalogue: Loader) -> None:
    catalogue(
        series=[
            a_series(id="LATER", last_updated="2026-11-01 00:30:00-06"),
            a_series(id="EARLIER", last_updated="2026-11-01 01:10:00-05"),
        ]
    )

    page = client.get("/series/?ids=LATER,EARLIER&order_by=last_updated&sort_order=asc")
    assert row_heads(page) == ["EARLIER", "LATER"]


def test_series_list_names_missing_and_refused_ids(client: Client, three: None) -> None:
    page = client.get("/series/", {"ids": "GDP, NONE, S&P"}).text

    assert "The series does not exist." in page
    assert "Ignored, because they are not series ids: S&amp;P" in page


@pytest.mark.parametrize("query", ["form=plain&ids=", "form=plain&ids=%20%0A&as_of=2025-01-01"])
def test_series_list_sent_without_ids_asks_for_one(client: Client, query: str) -> None:
    page = client.get(f"/series/?{query}")

    assert page.status_code == 400
    assert "Enter at least one series id, for example GNPCA." in alert(page)
    assert client.get("/series/").status_code == 200


@pytest.mark.parametrize("word", ["A" * 5000, "😀"])
def test_series_list_without_any_id_names_what_is_none(client: Client, word: str) -> None:
    page = client.get("/series/", {"form": "plain", "ids": word}, follow=True)

    assert f"Series ids: “{word[:50]}” is not a series id. Correct or remove it." in alert(page)
    assert document(page).xpath("string(//textarea)").strip() == word


def test_series_list_form_names_what_it_ignores(client: Client, three: None) -> None:
    page = client.get("/series/", {"form": "plain", "ids": "😀 GDP, S&P - •"}, follow=True)

    assert row_heads(page) == ["GDP"]
    assert words(page, "//main/p[@class='notice']") == ["Ignored, because they are not series ids: 😀 · S&P."]


def test_series_list_shows_columns_of_the_link(client: Client, three: None) -> None:
    page = client.get("/series/?ids=GDP&columns=notes,units_short").text

    assert "<td>Bil. of Chn. 2009 $" in page
    assert ">Real Gross National Product" not in page


def test_series_list_form_redirects_to_canonical_link(client: Client, three: None) -> None:
    sent = client.get("/series/?form=plain&ids=gdp%0Aunrate&columns=title&columns=units&realtime_start=")

    assert sent["Location"] == "/series/?ids=GDP,UNRATE&columns=title,units"


def test_series_list_form_without_changes_keeps_link(client: Client, three: None) -> None:
    for link in ("/series/?ids=GDP,UNRATE", "/series/?ids=GDP,UNRATE&columns=units,realtime_start,notes"):
        boxes = document(client.get(link)).xpath("//input[@name='columns' and @checked]/@value")
        sent = client.get("/series/", {"form": "plain", "ids": "GDP,UNRATE", "columns": boxes})

        assert sent["Location"] == link


def test_series_list_columns_have_one_order(client: Client, three: None) -> None:
    heads = words(client.get("/series/?ids=GDP&columns=popularity,units,title"), "//thead//th")

    assert heads == ["Series", "Title", "Units", "Popularity"]
    assert canonical(client.get(f"/series/?ids=GDP&columns={','.join(reversed(DEFAULT_COLUMNS))}")) == (
        "/series/?ids=GDP"
    )


def test_series_list_page_and_file_count_alike(client: Client, three: None) -> None:
    page = client.get("/series/?ids=GDP,NONE,CPI")

    assert words(page, "//caption") == ["2 of 3 series"]
    assert "3 series" not in page.text.replace("2 of 3 series", "")
    assert ["# title", "2 of 3 series"] in list(
        csv.reader(client.get("/series.csv?ids=GDP,NONE,CPI").getvalue().decode().splitlines())
    )


def test_series_list_age_is_that_of_oldest_answer(client: Client, three: None) -> None:
    assert "· oldest data fetched" in client.get("/series/?ids=GDP,CPI").text
    assert "· fetched" in client.get("/series/?ids=GDP").text


def test_series_list_url_removes_key_with_warning(client: Client, three: None) -> None:
    answer = client.get(f"/series/?ids=GDP&api_key={'k' * 32}")

    assert answer["Location"] == "/series/?ids=GDP&notice=key"
    assert "contained an API key" in alert(client.get(answer["Location"]))


def test_series_list_error_keeps_input(client: Client) -> None:
    page = client.get("/series/", {"ids": "gdp, S&P", "columns": "title", "realtime_start": "soon"})

    assert page.status_code == 400
    assert words(page, "//textarea") == ["gdp, S&P"]
    assert document(page).xpath("//input[@name='columns' and @checked]/@value") == ["title"]
    assert document(page).xpath("//input[@name='realtime_start']/@value") == ["soon"]


def test_series_list_without_ids_shows_form(client: Client) -> None:
    page = client.get("/series/")

    assert page.status_code == 200
    assert "<textarea" in page.text
    assert "<table" not in page.text


def test_series_list_file_has_columns_of_view_and_missing_ids(client: Client, three: None) -> None:
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


def test_series_list_json_has_whole_records(client: Client, three: None) -> None:
    found = json.loads(client.get("/series.json?ids=GDP,CPI").getvalue())

    assert [series["id"] for series in found["seriess"]] == ["GDP", "CPI"]
    assert "notes" not in found["seriess"][0]
    assert len(found["seriess"][1]) == 15


def test_series_list_format_may_have_whole_records(
    client: Client, three: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def header() -> str:
        lines = client.get("/series.csv?ids=GDP&columns=units").getvalue().decode().splitlines()
        return next(line for line in lines if not line.startswith("#"))

    before = header()
    whole = replace(responses.TEXT_FORMATS["csv"], has_whole_records=True)
    monkeypatch.setitem(responses.TEXT_FORMATS, "csv", whole)

    assert (before, header()) == ("id,units", ",".join(FIELDS))
