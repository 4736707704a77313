"""Dates of a series page: a wrong one keeps the page, and an open period ends today."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.builders import a_series
from tests.dashboard.reading import document, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db


def versions(stand_in: FakeService, *changes: dict[str, Any]) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39, **change} for change in changes]


def test_a_wrong_date_keeps_the_page_and_has_a_message_beside_its_field(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, {})
    page = client.get("/series/GNPCA/?realtime_start=1/1/2014&realtime_end=2015")

    assert page.status_code == 400
    assert words(page, "//h1") == ["Real Gross National Product"]
    form = document(page).xpath("//form[@class='period']")[0]
    assert form.xpath(".//*[@role='alert']/text()") == ["Enter the first day as YYYY-MM-DD, for example 2020-01-31."]
    (field,) = form.xpath(".//input[@aria-invalid='true']")
    assert (field.get("name"), field.get("value")) == ("realtime_start", "1/1/2014")
    assert form.xpath(f"boolean(.//*[@id='{field.get('aria-describedby')}'])")


def test_a_wrong_date_sent_without_javascript_has_a_short_link(client: Client, stand_in: FakeService) -> None:
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
def test_other_forms_with_an_error_have_a_short_link_too(client: Client, sent: str, short: str) -> None:
    assert client.get(sent)["Location"] == short


def test_a_file_with_a_wrong_date_stays_a_plain_error(client: Client) -> None:
    answer = client.get("/series/GNPCA.csv?realtime_start=soon")

    assert answer.status_code == 400
    assert "Enter the first day" in answer.text
    assert "<" not in answer.text


def test_an_open_period_ends_today_on_screen_and_on_paper(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, {})
    stand_in.period = {"realtime_end": "9999-12-31"}
    page = client.get("/series/GNPCA/?realtime_start=1990-01-01&realtime_end=9999-12-31")

    today = str(timezone.localdate())
    assert f"As of 1990-01-01 to {today}" in words(page, "//p[@class='provenance']")[0]
    assert words(page, "//p[@class='provenance only-print']")[0].endswith(f"as of {today}")
    assert "since 2013-01-01" in words(page, "//dl[@class='fields']")[0]
