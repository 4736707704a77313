"""The versions of a series: a line and a list of all of them, with what each one changed."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from econweb.dashboard.series.versions import MAX_VERSIONS
from econweb.upstream import service
from econweb.upstream.errors import NotInPeriod, Unavailable
from econweb.upstream.queries import SeriesQuery
from tests.builders import a_series
from tests.dashboard.reading import document, links, rows_of, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db

ITEMS = "//section[@class='versions']//li"
FIRST = {"realtime_end": "2018-07-26"}
SECOND = {"realtime_start": "2018-07-27", "realtime_end": "2023-09-27", "units": "Billions of Chained 2012 Dollars"}
THIRD = {"realtime_start": "2023-09-28", "units": "Billions of Chained 2017 Dollars"}


def versions(stand_in: FakeService, *changes: dict[str, Any]) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39, **change} for change in changes]


def labels_of(client: Client, path: str = "/series/GNPCA/") -> list[str]:
    drawing = document(client.get(path)).xpath("//section[@class='versions']/*[name()='svg']")[0]
    return [str(label) for label in drawing.xpath("*[name()='text']/text()")]


def test_versions_are_listed_with_links_and_changes(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, FIRST, SECOND, THIRD)
    page = client.get("/series/GNPCA/")

    assert words(page, "//section[@class='versions']/h2") == ["3 versions of this description"]
    assert words(page, ITEMS) == [
        "2013-01-01 to 2018-07-26 First version Compare with today",
        "2018-07-27 to 2023-09-27 Base year 2009 → 2012 Compare with today",
        "since 2023-09-28 Base year 2012 → 2017 current version",
    ]
    second = "/series/GNPCA/?realtime_start=2018-07-27&realtime_end=2023-09-27"
    assert links(page)["2018-07-27 to 2023-09-27"] == second
    assert links(page)["since 2023-09-28"] == "/series/GNPCA/"
    assert "/compare/?a=series:GNPCA@2023-09-27&b=series:GNPCA" in links(page).values()


def test_versions_count_by_their_days_in_whatever_order_a_service_sends_them(
    client: Client, stand_in: FakeService
) -> None:
    versions(stand_in, THIRD | {"title": "Newest"}, SECOND | {"title": "Middle"}, FIRST | {"title": "Oldest"})
    page = client.get("/series/GNPCA/")

    assert words(page, "//main//h1") == ["Newest"]
    assert [item[:10] for item in words(page, ITEMS)] == ["2013-01-01", "2018-07-27", "since 2023"]
    assert "Newest" in client.get("/series/GNPCA.bib").text
    assert [row["title"] for row in rows_of(client, "/series/GNPCA.csv")] == ["Oldest", "Middle", "Newest"]
    assert "Newest" in client.get("/series/?ids=GNPCA").text


def test_versions_mark_the_current_one(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, FIRST, SECOND, THIRD)
    marked = words(client.get("/series/GNPCA/?realtime_start=2023-10-01"), "//li[@aria-current]")

    assert marked == ["since 2023-09-28 Base year 2012 → 2017 current version"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"units": "Percent"}, "Units Billions of Chained 2009 Dollars → Percent"),
        ({"title": "Output"}, "Title Real Gross National Product → Output"),
        ({"frequency": "Quarterly", "frequency_short": "Q"}, "Frequency Annual → Quarterly"),
        ({"notes": "Other words."}, "Notes changed"),
        ({"notes": None}, "Notes removed"),
        ({"observation_end": "2016-01-01"}, "Last observation 2012-01-01 → 2016-01-01"),
        ({"units": "Index 2012 of 2009", "title": "A"}, "Title Real Gross National Product → A · Units"),
        ({}, "No change"),
    ],
)
def test_versions_summarise_changes(client: Client, stand_in: FakeService, change: dict[str, Any], told: str) -> None:
    versions(stand_in, FIRST, {"realtime_start": "2018-07-27", **change})

    assert f"since 2018-07-27 {told}" in words(client.get("/series/GNPCA/"), ITEMS)[1]


def test_versions_link_changed_notes_to_their_comparison(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, FIRST, {"realtime_start": "2018-07-27", "notes": "Other words."})
    link = links(client.get("/series/GNPCA/"))["Notes changed"]

    assert link == "/compare/?a=series:GNPCA@2018-07-26&b=series:GNPCA@2018-07-27#notes-1"
    assert document(client.get(link)).xpath("//h2[@id='notes-1']")
    assert "Notes changed" not in links(client.get("/series/GNPCA/?embed=1"))


def test_versions_line_has_year_labels(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, FIRST, SECOND, THIRD)

    assert labels_of(client) == ["2013", "2018", "2023", "now"]


def test_versions_line_omits_overlapping_years(client: Client, stand_in: FakeService) -> None:
    near = {"realtime_start": "2018-07-27", "realtime_end": "2018-09-27"}
    versions(stand_in, FIRST, near, {"realtime_start": "2018-09-28"})

    assert labels_of(client) == ["2013", "2018", "now"]


def test_versions_line_leaves_space_after_version_without_start(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, {**FIRST, "realtime_start": "1776-07-04"}, SECOND, THIRD)

    assert labels_of(client) == ["earlier", "2018", "2023", "now"]


def test_versions_are_requested_once_for_all_periods(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, FIRST, SECOND, THIRD)
    for path in ("/series/GNPCA/", "/series/GNPCA/?realtime_end=2020-01-01", "/series/GNPCA/"):
        client.get(path)

    whole = {"series_id": "GNPCA", "realtime_start": "1776-07-04", "realtime_end": "9999-12-31"}
    assert [parameters for _, parameters in stand_in.asked].count(whole) == 1
    assert len(stand_in.asked) == 3


def test_series_export_requests_no_versions(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, FIRST, SECOND, THIRD)
    client.get("/series/GNPCA.csv")

    assert len(stand_in.asked) == 1


@pytest.mark.parametrize("error", [Unavailable("It is away."), NotInPeriod("It has no archive.")])
def test_series_page_states_missing_versions(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    versions(stand_in, THIRD)
    whole = service.series

    def without_past(query: SeriesQuery, renew: bool = False) -> Any:
        if query.realtime_start:
            raise error
        return whole(query, renew)

    monkeypatch.setattr(service, "series", without_past)
    page = client.get("/series/GNPCA/")

    assert page.status_code == 200
    assert f"Earlier versions could not be read. {error}" in words(page, "//section[@class='versions']")[0]
    assert "Real Gross National Product" in words(page, "//h1")[0]


def test_versions_refused_by_the_service_are_requested_hourly(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[SeriesQuery] = []
    versions(stand_in, THIRD)
    whole = service.series

    def without_past(query: SeriesQuery, renew: bool = False) -> Any:
        if query.realtime_start:
            asked.append(query)
            raise NotInPeriod("It has no archive.", is_explicit=True)
        return whole(query, renew)

    monkeypatch.setattr(service, "series", without_past)
    for _ in range(3):
        client.get("/series/GNPCA/")

    assert len(asked) == 1


def test_versions_do_not_wait_for_rate_limit(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions(stand_in, THIRD)
    monkeypatch.setattr(
        service, "state", lambda: {"breaker": "closed", "failure": "", "allowance_left": 0, "key": "ok"}
    )
    page = client.get("/series/GNPCA/")

    assert "This site has reached its request limit." in words(page, "//section[@class='versions']")[0]
    assert len(stand_in.asked) == 1


def test_versions_of_a_long_history_are_whole_in_the_file_only(client: Client, stand_in: FakeService) -> None:
    years = range(1800, 1800 + MAX_VERSIONS + 20)
    versions(
        stand_in, *({"realtime_start": f"{y}-01-01", "realtime_end": f"{y}-12-31", "title": str(y)} for y in years)
    )
    page = client.get("/series/GNPCA/")

    assert len(words(page, ITEMS)) == MAX_VERSIONS
    assert "The oldest 20 are in the CSV file only." in words(page, "//section[@class='versions']")[0]


# --- Next steps ---------------------------------------------------------------------------------------------


def test_series_with_versions_has_the_same_button_as_any_other(client: Client, stand_in: FakeService) -> None:
    """The button was named after the last day of the old version; the versions lead to that comparison."""
    versions(stand_in, FIRST, SECOND, THIRD)
    page = client.get("/series/GNPCA/")

    assert links(page)["Compare"] == "/compare/?a=series:GNPCA"
    compared = document(page).xpath("//section[@class='versions']//a[.='Compare with today']/@href")
    assert compared[-1] == "/compare/?a=series:GNPCA@2023-09-27&b=series:GNPCA"


def test_past_version_links_to_comparison_with_today(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, FIRST)
    actions = document(client.get("/series/GNPCA/?realtime_end=2014-06-01")).xpath("//div[@class='view-menu']/a")

    assert [(link.text, link.get("href")) for link in actions] == [
        ("Compare with today", "/compare/?a=series:GNPCA@2014-06-01&b=series:GNPCA"),
        ("Add to a list", "/series/?ids=GNPCA&added=GNPCA&realtime_end=2014-06-01"),
    ]


def test_single_version_links_to_comparison_form(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, {"realtime_start": str(timezone.localdate())})

    assert links(client.get("/series/GNPCA/"))["Compare"] == "/compare/?a=series:GNPCA"


def test_citation_menu_names_programs(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, {})
    found = links(client.get("/series/GNPCA/"))

    assert found["BibTeX"] == "/series/GNPCA.bib"
    assert found["RIS (Zotero, EndNote)"] == "/series/GNPCA.ris"


def test_single_version_is_named_so_without_a_form_for_dates(client: Client, stand_in: FakeService) -> None:
    versions(stand_in, {"realtime_start": "2021-08-20"})
    page = client.get("/series/GNPCA/")

    assert words(page, "//section[@class='versions']//li") == ["since 2021-08-20 Only version"]
    assert document(page).xpath("//form[@id='period']") == []
