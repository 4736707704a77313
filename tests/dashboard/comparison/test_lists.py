"""Two states of a series list: the page says what changed, and the day that was asked for is no change."""

import json
import re
from collections.abc import Sequence

import pytest
from django.test import Client

from econweb.upstream.errors import Unavailable
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.comparison.test_frozen_sources import renew
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.reading import row_heads, words
from tests.dashboard.series.test_coverage_of_a_past_day import LATER
from tests.dashboard.series.test_versions import FIRST, SECOND, THIRD
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db(transaction=True)
SOURCES = "a=list:GNPCA@2015-06-30&b=list:GNPCA"


@pytest.fixture
def versions(catalogue: Loader) -> None:
    catalogue(series=[a_series(**FIRST, last_updated="2018-03-28 07:51:02-05"), a_series(**SECOND), a_series(**THIRD)])


@pytest.mark.usefixtures("versions")
def test_list_of_a_past_day_is_compared_with_the_one_of_today(client: Client) -> None:
    page = client.get(f"/compare/?{SOURCES}")
    reply = json.loads(client.get(f"/compare.json?{SOURCES}").getvalue())
    note = f"{LATER} Popularity is that of the day of the fetch."

    assert words(page, "//section[@class='difference']/h2") == ["Changed (1)"]
    assert {*row_heads(page)} == {"GNPCA"}
    assert {(row["change"], row["id"]) for row in reply["rows"]} == {("changed", "GNPCA")}
    assert not {row["field"] for row in reply["rows"]} & {"realtime_start", "realtime_end"}
    assert words(page, "//header/p[@class='summary']")[0].endswith(note)
    assert reply["about"]["note"] == note


def test_frozen_list_is_the_same_on_the_next_day(client: Client, stand_in: FakeService) -> None:
    """A service dates each series by the day on which it is asked."""
    days = ({"realtime_start": day, "realtime_end": day} for day in ("2026-11-25", "2026-11-26"))
    stand_in.seriess["GNPCA"], tomorrow = ([a_series(**day) | {"popularity": 39}] for day in days)
    copy_id = freeze(client, "/series/?ids=GNPCA").strip("/").rpartition("/")[2]
    stand_in.seriess["GNPCA"] = tomorrow
    renew()

    page = client.get(f"/compare/?a=frozen:{copy_id}&b=list:GNPCA")
    assert "nothing differs" in words(page, "//header/p[@class='summary']")[0]


@pytest.mark.parametrize("suffix", ["/", ".csv"])
def test_list_without_any_series_is_not_found(client: Client, stand_in: FakeService, suffix: str) -> None:
    """Nobody waits for it: the service has none of the series."""
    stand_in.seriess["GNPCA"] = [a_series()]
    answer = client.get(f"/compare{suffix}?a=list:ZZQ1,ZZQ2&b=list:GNPCA")

    assert (answer.status_code, answer.has_header("Retry-After")) == (404, False)
    said = "Series list ZZQ1, ZZQ2: None of these series could be loaded. ZZQ1: The series does not exist."
    assert said in " ".join(answer.text.split())


def test_list_that_cannot_be_loaded_for_a_moment_is_busy(client: Client, stand_in: FakeService) -> None:
    stand_in.error = Unavailable("The service failed.")

    assert client.get("/compare.csv?a=list:ZZQ1,ZZQ2&b=list:GNPCA").status_code == 503


def list_of(client: Client, stand_in: FakeService, *there: str) -> str:
    """Freeze a list of two series and a missing one, of which these are there; return the copy as a source."""
    stand_in.seriess = {one: [a_series(id=one) | {"popularity": 39}] for one in there}
    renew()
    return f"frozen:{freeze(client, '/series/?ids=GDP,UNRATE,NOPE1').strip('/').rpartition('/')[2]}"


@pytest.mark.parametrize(
    ("before", "after", "is_doubtful"),
    [
        (("GDP", "UNRATE"), ("GDP", "UNRATE"), False),
        (("GDP", "UNRATE"), ("GDP",), True),
        (("GDP",), ("GDP", "UNRATE"), True),
    ],
)
def test_lists_that_lack_the_same_id_are_compared_without_doubt(
    client: Client, stand_in: FakeService, before: Sequence[str], after: Sequence[str], is_doubtful: bool
) -> None:
    """The page said that some rows may look gone, where both lack the same id and no row does."""
    first, last = list_of(client, stand_in, *before), list_of(client, stand_in, *after)
    page = client.get(f"/compare/?a={first}&b={last}")
    (summary,) = words(page, "//header/p[@class='summary']")
    file = json.loads(client.get(f"/compare.json?a={first}&b={last}").getvalue())

    assert ("some rows may seem to be gone or new" in page.text) is is_doubtful
    assert ("nothing differs" in summary) is not is_doubtful
    assert summary.endswith("Neither has NOPE1.")
    assert file["about"]["note"] == "Neither has NOPE1."


def test_an_id_of_other_lists_is_gone_without_doubt(client: Client, stand_in: FakeService) -> None:
    copy = list_of(client, stand_in, "GDP", "UNRATE")
    page = client.get(f"/compare/?a={copy}&b=list:GDP,NOPE1")

    assert words(page, "//section[@class='difference']/h2") == ["Only in the first (1)"]
    assert "is not complete" not in page.text


def test_two_lists_have_no_series_that_is_gone(client: Client, stand_in: FakeService) -> None:
    """A series that is merely not in the second list was gone, as if the provider had ended it."""
    stand_in.seriess = {one: [a_series(id=one) | {"popularity": 39}] for one in ("GDP", "UNRATE", "GNPCA")}
    sources = "a=list:GDP,UNRATE&b=list:GDP,GNPCA"
    page = client.get(f"/compare/?{sources}")
    file = json.loads(client.get(f"/compare.json?{sources}").getvalue())
    tex = client.get(f"/compare.tex?{sources}").getvalue().decode()

    assert words(page, "//header/p[@class='summary']")[0].startswith("1 only in the first, 1 only in the second.")
    assert words(page, "//section[@class='difference']/h2") == ["Only in the first (1)", "Only in the second (1)"]
    assert [(row["change"], row["id"]) for row in file["rows"]] == [
        ("only in the first", "UNRATE"),
        ("only in the second", "GNPCA"),
    ]
    assert re.search(r"& [^&]*First[^&]*& [^&]*Second", tex)


def test_one_list_in_another_order_is_the_same_list(client: Client, stand_in: FakeService) -> None:
    copy = list_of(client, stand_in, "GDP", "UNRATE")
    stand_in.seriess.pop("UNRATE")
    renew()
    page = client.get(f"/compare/?a={copy}&b=list:UNRATE,NOPE1,GDP")

    assert words(page, "//section[@class='difference']/h2") == ["Gone (1)"]


@pytest.mark.parametrize("typed", ["GDP,UNRATE", "gdp, unrate", "GDP; UNRATE"])
def test_comparison_form_reads_ids_with_separators_as_a_list(client: Client, stand_in: FakeService, typed: str) -> None:
    """They were not known, and no sentence named the spelling with `list:`."""
    stand_in.seriess = {one: [a_series(id=one) | {"popularity": 39}] for one in ("GDP", "UNRATE", "GNPCA")}
    answer = client.get("/compare/", {"form": "plain", "a": typed, "b": "GDP,GNPCA"})

    assert answer["Location"] == "/compare/?a=list:GDP,UNRATE&b=list:GDP,GNPCA"
