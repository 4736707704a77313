"""A service that refuses past days of a series: the page is not found, and no link leads there."""

import json
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.sharing.citations import MEDIA_TYPES as CITATIONS
from econweb.upstream.errors import NOT_IN_PERIOD, NotInPeriod
from tests.builders import a_series
from tests.dashboard.reading import links
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db
YESTERDAY = str(timezone.localdate() - timedelta(days=1))
PAST = f"realtime_start={YESTERDAY}&realtime_end={YESTERDAY}"


class NoPast(FakeService):
    """Answers for today alone, as the real service does for a series without an archive."""

    def get(self, endpoint: str, parameters: dict[str, str]) -> bytes:
        if parameters.get("realtime_start", str(timezone.localdate())) < str(timezone.localdate()) and not self.error:
            self.asked.append((endpoint, parameters))
            if parameters["series_id"] != "KEPT":
                raise NotInPeriod(NOT_IN_PERIOD, is_explicit=True)
        return super().get(endpoint, parameters)


def a_record(series_id: str, day: str = str(timezone.localdate())) -> dict[str, Any]:
    return a_series(id=series_id) | {"popularity": 50, "realtime_start": day, "realtime_end": day}


@pytest.fixture
def service(stand_in: FakeService) -> FakeService:
    stand_in.__class__ = NoPast
    for series_id in ("SP500", "GDP", "KEPT"):
        stand_in.seriess[series_id] = [a_record(series_id)]
    return stand_in


def read(client: Client, path: str) -> str:
    with closing(client.get(path)) as answer:
        return " ".join(answer.getvalue().decode().split())


def pins(client: Client, path: str) -> list[str]:
    page = client.get(path)
    assert page.status_code == 200
    return [link for name, link in links(page).items() if name.startswith("Link fixed at ")]


@pytest.mark.usefixtures("service")
def test_refused_period_is_not_found_with_link_to_today(client: Client) -> None:
    page = client.get(f"/series/SP500/?{PAST}")

    assert page.status_code == 404
    assert NOT_IN_PERIOD in page.text
    assert links(page)["See it as of today"] == "/series/SP500/"


@pytest.mark.usefixtures("service")
@pytest.mark.parametrize("suffix", [*MEDIA_TYPES, *CITATIONS])
def test_refused_period_export_is_not_found(client: Client, suffix: str) -> None:
    answer = client.get(f"/series/SP500.{suffix}?{PAST}")

    assert answer.status_code == 404
    assert f"As of today: http://testserver/series/SP500.{suffix}\n" in answer.text


@pytest.mark.usefixtures("service")
@pytest.mark.parametrize("suffix", MEDIA_TYPES)
def test_refused_period_list_export_is_not_found(client: Client, suffix: str) -> None:
    assert client.get(f"/series.{suffix}?ids=SP500,GDP&{PAST}").status_code == 404
    assert client.get(f"/series/?ids=SP500,GDP&{PAST}").text.count(NOT_IN_PERIOD) == 2


@pytest.mark.usefixtures("service")
@pytest.mark.parametrize("suffix", ["", *MEDIA_TYPES])
def test_refused_date_comparison_is_not_found_with_link_to_today(client: Client, suffix: str) -> None:
    path = f"/compare.{suffix}" if suffix else "/compare/"

    answer = client.get(f"{path}?a=series:SP500@{YESTERDAY}&b=series:KEPT")

    assert answer.status_code == 404
    assert "Series SP500" in answer.text
    undated = f"{path}?a=series:SP500&b=series:KEPT"
    assert undated in answer.text if suffix else links(answer)["See it as of today"] == undated
    with closing(client.get(undated)) as today_s:
        assert today_s.status_code == 200


VIEWS = ["/series/SP500/", "/series/?ids=KEPT,SP500", "/compare/?a=series:SP500&b=series:KEPT"]


@pytest.mark.usefixtures("service")
@pytest.mark.parametrize("view", VIEWS)
def test_refused_period_removes_pin(client: Client, view: str) -> None:
    before = pins(client, view)
    etag = client.get(view).get("ETag")
    client.get(f"/series/SP500/?{PAST}")

    assert len(before) == 1
    assert pins(client, view) == []
    assert "Cannot be fixed" in client.get(view).text
    assert etag is None or client.get(view)["ETag"] != etag
    assert len(pins(client, "/series/GDP/")) == 1


@pytest.mark.usefixtures("service")
@pytest.mark.parametrize("suffix", CITATIONS)
def test_refused_period_removes_dates_from_citation(client: Client, suffix: str) -> None:
    before = client.get(f"/series/SP500.{suffix}").text
    client.get(f"/series/SP500/?{PAST}")

    dated = f"?realtime_start={timezone.localdate()}&realtime_end={timezone.localdate()}"
    for query in ("", dated):
        after = client.get(f"/series/SP500.{suffix}{query}").text

        assert "http://testserver/series/SP500/" in after
        assert "realtime_start" not in after
    assert "realtime_start" in before
    assert (
        "realtime_start"
        not in client.get(f"/series/SP500/{dated}").text.partition('id="citation"')[2].partition("</p>")[0]
    )


@pytest.mark.usefixtures("service")
def test_answered_past_date_can_be_cited_and_pinned(client: Client, service: FakeService) -> None:
    """It was asked for an earlier day than the archive of the series begins with."""
    client.get(f"/series/KEPT/?{PAST}")
    service.error = NotInPeriod(NOT_IN_PERIOD, is_explicit=True)
    assert client.get("/series/KEPT/?realtime_start=1900-01-01&realtime_end=1900-01-01").status_code == 404
    service.error = None

    assert len(pins(client, "/series/KEPT/")) == 1
    assert PAST in client.get(f"/series/KEPT.txt?{PAST}").text


STAMPED = {"GNPCA": "2026-05-30", "GDP": "2026-06-25", "CPIAUCSL": "2026-07-03"}


class Stamped(FakeService):
    """Stamps an answer without a period with the day of the last change, as the real service does."""

    def get(self, endpoint: str, parameters: dict[str, str]) -> bytes:
        day = STAMPED[parameters["series_id"]]
        self.period = {} if "realtime_start" in parameters else {"realtime_start": day, "realtime_end": day}
        return super().get(endpoint, parameters)


@pytest.fixture
def stamped(stand_in: FakeService) -> FakeService:
    stand_in.__class__ = Stamped
    for series_id, day in STAMPED.items():
        stand_in.seriess[series_id] = [a_record(series_id, day)]
    return stand_in


@pytest.mark.usefixtures("stamped")
def test_series_list_has_one_date_on_page_pin_and_files(client: Client) -> None:
    view = "ids=GNPCA,CPIAUCSL,GDP"
    page = client.get(f"/series/?{view}")

    assert "As of 2026-07-03" in " ".join(page.text.split())
    assert links(page)["Link fixed at 2026-07-03"].endswith("realtime_start=2026-07-03&realtime_end=2026-07-03")
    assert "as of: 2026-07-03" in read(client, f"/series.md?{view}")
    reply = json.loads(read(client, f"/series.json?{view}"))
    assert (reply["realtime_start"], reply["realtime_end"]) == ("2026-07-03", "2026-07-03")


@pytest.mark.usefixtures("stamped")
def test_series_list_with_period_shows_it_everywhere(client: Client) -> None:
    view = "ids=GNPCA,CPIAUCSL&realtime_start=2020-01-01&realtime_end=2020-12-31"

    assert "As of 2020-01-01 to 2020-12-31" in " ".join(client.get(f"/series/?{view}").text.split())
    assert "2020-01-01 to 2020-12-31" in read(client, f"/series.md?{view}")


@pytest.mark.usefixtures("stamped")
def test_series_pin_is_the_date_of_the_reply(client: Client) -> None:
    pin = links(client.get("/series/GDP/"))["Link fixed at 2026-06-25"]

    assert pin == "/series/GDP/?realtime_start=2026-06-25&realtime_end=2026-06-25"
    assert pin in client.get("/series/GDP.txt").text


@pytest.mark.usefixtures("stamped")
def test_comparison_pin_has_date_of_each_reply(client: Client) -> None:
    pin = links(client.get("/compare/?a=series:GDP&b=series:GNPCA"))["Link fixed at these dates"]

    assert pin == "/compare/?a=series:GDP@2026-06-25&b=series:GNPCA@2026-05-30"


@pytest.mark.usefixtures("service")
@pytest.mark.parametrize("period", ["realtime_start=1776-07-04&realtime_end=1776-07-04", "realtime_start=1900-01-01"])
def test_refused_old_date_keeps_pin(client: Client, period: str) -> None:
    """R1"""
    assert client.get(f"/series/SP500/?{period}").status_code == 404

    assert len(pins(client, "/series/SP500/")) == 1
