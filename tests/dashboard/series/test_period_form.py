"""Dates of a series page: a wrong one keeps the page, and an open period ends today."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.builders import a_series
from tests.dashboard.reading import alert, document, links, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db
DATES = ["as_of", "realtime_start", "realtime_end"]


def versions(stand_in: FakeService, *changes: dict[str, Any]) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39, **change} for change in changes]


def test_period_form_keeps_page_with_error_beside_field(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, {})
    page = client.get("/series/GNPCA/?realtime_start=1/1/2014&realtime_end=2015")

    assert page.status_code == 400
    assert words(page, "//h1") == ["Real Gross National Product"]
    # The record of another day than the one that was asked for is announced above it.
    (notice,) = words(page, "//main//header/following-sibling::p[@class='notice warning'][1]")
    assert notice == "A date is not valid, so this is the record of today. Correct the date"
    assert links(page)["Correct the date"] == "#period"
    assert "A date is not valid" not in client.get("/series/GNPCA/").text
    form = document(page).xpath("//form[@class='period']")[0]
    assert form.xpath(".//*[@role='alert']/text()") == ["Enter the first day as YYYY-MM-DD, for example 2020-01-31."]
    (field,) = form.xpath(".//input[@aria-invalid='true']")
    assert (field.get("name"), field.get("value")) == ("realtime_start", "1/1/2014")
    assert form.xpath(f"boolean(.//*[@id='{field.get('aria-describedby')}'])")


def test_period_form_error_has_canonical_link_without_javascript(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, {})
    answer = client.get("/series/GNPCA/?form=plain&realtime_start=soon&realtime_end=")

    assert answer["Location"] == "/series/GNPCA/?realtime_start=soon"
    assert client.get(answer["Location"]).status_code == 400


@pytest.mark.parametrize(
    ("sent", "short"),
    [
        ("/series/?form=plain&ids=GDP&realtime_start=soon&realtime_end=", "/series/?ids=GDP&realtime_start=soon"),
        ("/compare/?form=plain&a=category:125&b=nothing+here%21&c=&d=", "/compare/?a=category:125&b=nothing%20here%21"),
    ],
)
def test_form_errors_have_canonical_links(client: Client, sent: str, short: str) -> None:
    assert client.get(sent)["Location"] == short


def test_export_with_invalid_date_is_a_plain_error(client: Client) -> None:
    answer = client.get("/series/GNPCA.csv?realtime_start=soon")

    assert answer.status_code == 400
    assert "Enter the first day" in answer.text
    assert "<" not in answer.text


def test_open_period_ends_today_on_screen_and_paper(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, {})
    stand_in.period = {"realtime_end": "9999-12-31"}
    page = client.get("/series/GNPCA/?realtime_start=1990-01-01&realtime_end=9999-12-31")

    today = str(timezone.localdate())
    assert f"As of 1990-01-01 to {today}" in words(page, "//p[@class='provenance']")[0]
    assert words(page, "//p[@class='provenance only-print']")[0].endswith(f"as of {today}")
    assert "since 2013-01-01" in words(page, "//dl[@class='fields']")[0]


@pytest.mark.parametrize(
    ("path", "ids"), [("/series/GNPCA/", ""), ("/series/", "ids=GNPCA&"), ("/category/125/tags/", "")]
)
def test_one_date_of_a_form_is_the_first_and_last_day(client: Client, path: str, ids: str) -> None:
    answer = client.get(f"{path}?form=plain&{ids}as_of=2014-01-01&realtime_start=&realtime_end=")

    assert answer["Location"] == f"{path}?{ids}realtime_start=2014-01-01&realtime_end=2014-01-01"


@pytest.mark.parametrize("path", ["/series/GNPCA/", "/series/?ids=GNPCA"])
def test_period_form_asks_for_one_date_and_folds_the_others(client: Client, stand_in: FakeService, path: str) -> None:
    versions(stand_in, {})
    period = "realtime_start=2014-01-01&realtime_end="
    link = f"{path}{'&' if '?' in path else '?'}{period}"

    one, several = (document(client.get(f"{link}{day}")) for day in ("2014-01-01", "2014-02-01"))
    shown = [[form.xpath(f"string(//input[@name='{name}']/@value)") for name in DATES] for form in (one, several)]
    assert shown == [["2014-01-01", "", ""], ["", "2014-01-01", "2014-02-01"]]
    assert [form.xpath("boolean(//details[@class='more-dates']/@open)") for form in (one, several)] == [False, True]


@pytest.mark.parametrize("path", ["/series/GNPCA/", "/category/125/tags/"])
def test_period_form_takes_one_date_or_a_period(client: Client, stand_in: FakeService, path: str) -> None:
    versions(stand_in, {})
    page = client.get(f"{path}?as_of=2014-01-01&realtime_start=2013-01-01")

    assert page.status_code == 400
    assert "Enter one date, or a first and last day, not both." in alert(page)
    assert document(page).xpath("//input[@aria-invalid='true']/@name") == ["as_of"]
