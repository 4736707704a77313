"""Each verdict on an id, asked from outside: on the page and in the files."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.dashboard.id_check.records import SINCE, current, days_ago, versions
from tests.dashboard.reading import links, row_heads, rows_of, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db
UNITS = "Billions of Chained 2009 Dollars"
OTHER_BASE = "Billions of Chained 2017 Dollars"


def ask(client: Client, ids: str, since: str = "") -> Any:
    link = f"/check.json?ids={ids}" + (f"&since={since}" if since else "")
    return json.loads(client.get(link).getvalue())


def verdicts(client: Client, ids: str, since: str = "") -> dict[str, str]:
    return {one["id"]: one["verdict"] for one in ask(client, ids, since)["checks"]}


def test_verdicts_of_today(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {
        "FINE": [current("FINE")],
        "ENDED": [current("ENDED", title="Output (DISCONTINUED)")],
        "LATE": [current("LATE", observation_end=str(days_ago(200)), last_updated=f"{days_ago(190)} 07:50:04-05")],
    }

    assert verdicts(client, "FINE,ENDED,LATE,NONE") == {
        "NONE": "not found",
        "ENDED": "discontinued",
        "LATE": "late",
        "FINE": "fine",
    }


@pytest.mark.parametrize(
    ("before", "verdict"),
    [
        ({}, "fine"),
        ({"title": "Output of the nation"}, "renamed"),
        ({"units": "Percent"}, "units changed"),
        ({"units": OTHER_BASE}, "base year changed"),
        ({"frequency": "Quarterly"}, "frequency changed"),
        ({"seasonal_adjustment": "Seasonally Adjusted"}, "adjustment changed"),
        ({"notes": "Other words", "popularity": 90}, "fine"),
    ],
)
def test_verdict_on_a_change_since_a_day(
    client: Client, stand_in: FakeService, before: dict[str, Any], verdict: str
) -> None:
    stand_in.seriess["A"] = versions("A", before)

    assert verdicts(client, "A", SINCE) == {"A": verdict}
    assert verdicts(client, "A", "2025-07-01") == {"A": "fine"}
    assert verdicts(client, "A") == {"A": "fine"}


def test_reason_names_both_states_and_the_day(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["A"] = versions("A", {"units": OTHER_BASE, "title": "Output"})
    row = ask(client, "A", SINCE)["checks"][0]

    assert (row["verdict"], row["also"]) == ("base year changed", "renamed")
    assert "Base year was “2017” on 2025-01-01, and has been “2009” since 2025-07-01." in row["reason"]
    assert (
        "Title was “Output” on 2025-01-01, and has been “Real Gross National Product” since 2025-07-01."
        in row["reason"]
    )


def test_change_that_was_undone_is_fine(client: Client, stand_in: FakeService) -> None:
    first = current("A", realtime_end="2025-03-31")
    second = current("A", realtime_start="2025-04-01", realtime_end="2025-06-30", units="Percent")
    stand_in.seriess["A"] = [first, second, current("A", realtime_start="2025-07-01")]

    assert verdicts(client, "A", SINCE) == {"A": "fine"}


def test_title_that_only_says_discontinued_is_not_renamed(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["A"] = versions("A", {"title": "Output"}, title="Output (DISCONTINUED)")
    row = ask(client, "A", SINCE)["checks"][0]

    assert (row["verdict"], row["also"]) == ("discontinued", "")


def test_check_asks_once_for_each_id_whatever_the_day(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {name: versions(name, {}) for name in "ABC"}
    for since in (SINCE, "2025-02-03", "2026-01-01"):
        ask(client, "A,B,C", since)

    assert len(stand_in.asked) == 3


def test_day_before_the_first_record_cannot_be_judged(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["A"] = [current("A", realtime_start="2025-03-01")]
    answer = ask(client, "A", SINCE)

    assert [one["verdict"] for one in answer["checks"]] == ["cannot tell"]
    assert answer["checks"][0]["reason"] == "The provider has no record before 2025-03-01."
    page = client.get(f"/check/?ids=A&since={SINCE}")
    assert links(page)["Check it since that day"] == "/check/?ids=A&since=2025-03-01"
    assert words(page, "//td[contains(@class, 'wrong')]") == []
    assert (answer["fine"], answer["complete"]) == (False, True)


def test_one_link_checks_all_ids_that_begin_after_the_day(client: Client, stand_in: FakeService) -> None:
    begins = {"A": "2025-03-01", "B": "2025-06-01", "C": "2025-04-01"}
    stand_in.seriess = {one: [current(one, realtime_start=day)] for one, day in begins.items()}
    stand_in.seriess["FINE"] = [current("FINE")]
    page = client.get(f"/check/?ids=A,B,FINE,C&since={SINCE}")

    assert links(page)["Check these 3 since 2025-06-01"] == "/check/?ids=A,B,C&since=2025-06-01"
    assert (
        "3 ids have no record of 2025-01-01. Each has one since 2025-06-01."
        in words(page, "//main//p[@class='facts']")[-1]
    )
    assert not [text for text in links(page) if text.startswith("Check it")]
    assert words(client.get("/check/?ids=A,B,C&since=2025-06-01"), "//tbody//td[1]") == ["Fine"] * 3


def test_summary_of_one_id_names_it(client: Client, stand_in: FakeService) -> None:
    """It counted, as in “1 of 1 series is not fine (1 not found).”"""
    stand_in.seriess["A"] = [current("A", realtime_end="2024-12-01"), current("A", realtime_start="2025-07-01")]

    assert ask(client, "NONE")["about"]["title"] == "NONE is not fine (not found)."
    assert ask(client, "A", SINCE)["about"]["title"] == "A cannot be judged."


def test_day_in_a_gap_cannot_be_judged(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["A"] = [current("A", realtime_end="2024-12-01"), current("A", realtime_start="2025-07-01")]

    assert ask(client, "A", SINCE)["checks"][0]["reason"] == "The provider has no record of 2025-01-01."


def test_answer_says_fine_only_if_every_id_is(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"A": [current("A")], "B": [current("B")]}
    good, bad = ask(client, "A,B"), ask(client, "A,B,NONE")

    assert (good["fine"], good["count"], good["not_fine"], good["not_checked"]) == (True, 2, 0, 0)
    assert (bad["fine"], bad["count"], bad["not_fine"], bad["not_checked"]) == (False, 3, 1, 0)
    assert good["about"]["title"] == "Both series are fine."
    assert bad["about"]["title"] == "1 of 3 series is not fine (1 not found)."


@pytest.mark.parametrize(
    ("ids", "counts", "title"),
    [
        ("A,B,NONE", (2, 1), "2 of 3 series are not fine (1 not found, 1 base year changed), 1 cannot be judged."),
        ("A,FINE", (0, 1), "1 of 2 series cannot be judged."),
        ("FINE", (0, 0), "FINE is fine."),
    ],
)
def test_what_cannot_be_judged_is_neither_fine_nor_wrong(
    client: Client, stand_in: FakeService, ids: str, counts: tuple[int, int], title: str
) -> None:
    stand_in.seriess = {"A": [current("A", realtime_start="2025-03-01")], "FINE": [current("FINE")]}
    stand_in.seriess["B"] = versions("B", {"units": OTHER_BASE})
    answer = ask(client, ids, SINCE)

    assert (answer["not_fine"], answer["cannot_tell"]) == counts
    assert answer["fine"] is (counts == (0, 0))
    assert answer["about"]["title"] == title


def test_page_shows_what_is_not_fine_first(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"A": [current("A")], "B": [current("B", title="Output (discontinued)")]}
    page = client.get("/check/?ids=A,B,NONE")

    assert page.status_code == 200
    assert row_heads(page) == ["NONE", "B", "A"]
    assert words(page, "//tbody//td[1]") == ["Not found", "Discontinued", "Fine"]
    assert words(page, "//*[@role='status']/strong") == ["2 of 3 series are not fine (1 not found, 1 discontinued)."]


def test_page_calls_a_late_series_as_help_does(client: Client, stand_in: FakeService) -> None:
    late = {"observation_end": str(days_ago(200)), "last_updated": f"{days_ago(190)} 07:50:04-05"}
    stand_in.seriess = {"A": [current("A", **late)]}
    page = client.get("/check/?ids=A")

    assert words(page, "//tbody//td[1]") == ["No recent data"]
    assert words(page, "//*[@role='status']/strong") == ["A is not fine (no recent data)."]
    assert words(client.get("/help/"), "//h2[@id='late']") == ["No recent data"]


def test_csv_has_a_row_for_each_id(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"A": [current("A")]}

    rows = rows_of(client, "/check.csv?ids=A,NONE")

    assert [(row["id"], row["verdict"], row["title"]) for row in rows] == [
        ("NONE", "not found", ""),
        ("A", "fine", "Real Gross National Product"),
    ]
