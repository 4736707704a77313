"""A view as of a past day says that coverage and last update are those of a later day."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.test import Client

from econweb.upstream import service
from econweb.upstream.queries import FIRST_DAY, LAST_DAY, SeriesQuery
from econweb.upstream.records import SeriesFailure
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.reading import words
from tests.dashboard.series.test_versions import FIRST, SECOND, THIRD

POPULARITY = "Popularity is that of the day of the fetch."
LATER = (
    "Coverage and last update are those at the end of the version, "
    "or at the fetch if that is earlier, not on 2015-06-30."
)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("day", "is_said"), [("2014-01-01", True), ("2018-07-26", False)])
def test_past_day_says_of_when_the_coverage_is(client: Client, catalogue: Loader, day: str, is_said: bool) -> None:
    catalogue(series=[a_series(**FIRST), a_series(**SECOND)])
    page = client.get(f"/series/GNPCA/?realtime_start={day}&realtime_end={day}")

    text = "Coverage and last update are those at the end of this version (2018-07-26), not on 2014-01-01."
    assert (text in words(page, "//dt[.='Last updated']/following-sibling::dd/p")) == is_said


def test_coverage_of_a_version_that_has_not_ended_is_called_todays(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series(**FIRST), a_series(realtime_start="2018-07-27")])
    page = client.get("/series/GNPCA/?as_of=2019-06-30", follow=True)

    text = "Coverage and last update are today's, not those of 2019-06-30."
    assert words(page, "//dt[.='Last updated']/following-sibling::dd/p") == [text]


def test_popularity_of_a_past_day_is_called_todays(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series()])
    popularity = "//dt[.='Popularity']/following-sibling::dd"

    assert words(client.get("/series/GNPCA/?as_of=2014-01-01", follow=True), popularity) == ["39 today's"]
    assert words(client.get("/series/GNPCA/"), popularity) == ["39"]


@pytest.mark.parametrize(("updated", "is_said"), [("2018-03-28 07:51:02-05", True), ("2013-07-31 09:26:16-05", False)])
def test_past_day_of_lists_and_comparisons_says_of_when_the_coverage_is(
    client: Client, catalogue: Loader, updated: str, is_said: bool
) -> None:
    catalogue(series=[a_series(**FIRST, last_updated=updated), a_series(**SECOND), a_series(**THIRD)])
    day = "realtime_start=2015-06-30&realtime_end=2015-06-30"
    listed = client.get(f"/series/?ids=GNPCA&{day}")
    compared = client.get("/compare/?a=series:GNPCA@2015-06-30&b=series:GNPCA")
    paths = f"/series/GNPCA.csv?{day}", f"/series.csv?ids=GNPCA&{day}"
    files = [client.get(path).getvalue().decode() for path in paths]

    assert [LATER in words(page, "//main")[0] for page in (listed, compared)] == [is_said, is_said]
    for file in files:
        assert f'"{LATER} {POPULARITY}"' in file if is_said else f"# note,{POPULARITY}\r\n" in file


def test_comparison_with_a_past_day_has_its_notes_on_the_page_and_in_files(client: Client, catalogue: Loader) -> None:
    """The headline counted the coverage as a difference, and the files said nothing of it."""
    catalogue(series=[a_series(**FIRST, last_updated="2018-03-28 07:51:02-05"), a_series(**SECOND), a_series(**THIRD)])
    sources = "a=series:GNPCA@2015-06-30&b=series:GNPCA"
    page = client.get(f"/compare/?{sources}")
    file = client.get(f"/compare.csv?{sources}").getvalue().decode()
    about = json.loads(client.get(f"/compare.json?{sources}").getvalue())["about"]

    assert words(page, "//header/p[@class='summary']")[0].endswith(LATER)
    assert words(page, "//tr[th[normalize-space()='Popularity']]/td") == ["39 today's", "39"]
    assert about["note"] == f"{LATER} {POPULARITY}"
    assert f"# note,{about['note']}\n".replace('"', "") in file.replace('"', "").replace("\r", "")
    assert "note" not in json.loads(client.get("/compare.json?a=series:GNPCA&b=series:GNPCA").getvalue())["about"]


def test_version_that_has_not_ended_is_not_said_to_have_an_end(client: Client, catalogue: Loader) -> None:
    """The page knew better than its files, lists and comparisons."""
    catalogue(series=[a_series(last_updated="2018-03-28 07:51:02-05")])
    day = "realtime_start=2015-06-30&realtime_end=2015-06-30"
    page = client.get(f"/series/GNPCA/?{day}")
    others = (
        f"/series/GNPCA.csv?{day}",
        f"/series.json?ids=GNPCA&{day}",
        "/compare.csv?a=series:GNPCA@2015-06-30&b=series:GNPCA",
    )

    text = "Coverage and last update are today's, not those of 2015-06-30."
    assert words(page, "//dt[.='Last updated']/following-sibling::dd/p") == [text]
    assert all(LATER in client.get(path).getvalue().decode() for path in others)


def test_page_without_known_versions_has_the_note_of_its_files(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series(last_updated="2018-03-28 07:51:02-05")])
    refused = SeriesFailure("It has no archive.", is_temporary=False)
    service.remember_failure(SeriesQuery("GNPCA", FIRST_DAY, LAST_DAY), refused)
    page = client.get("/series/GNPCA/?realtime_start=2015-06-30&realtime_end=2015-06-30")

    assert words(page, "//dt[.='Last updated']/following-sibling::dd/p") == [LATER]


@pytest.mark.parametrize("target", ["/series/GNPCA/?", "/series/?ids=GNPCA&"])
def test_copy_of_a_past_day_says_of_when_the_coverage_is(client: Client, catalogue: Loader, target: str) -> None:
    catalogue(series=[a_series(**FIRST, last_updated="2018-03-28 07:51:02-05"), a_series(**SECOND)])
    path = freeze(client, f"{target}realtime_start=2015-06-30&realtime_end=2015-06-30")
    with ZipFile(BytesIO(client.get(f"{path.rstrip('/')}.zip").getvalue())) as pack:
        readme = pack.read("README.txt").decode()

    text = "Coverage and last update are those at the end of the version, not on 2015-06-30."
    assert text in words(client.get(path), "//main")[0]
    assert f"Note: {text} {POPULARITY}\n" in readme
    # Files of a copy never change, so they keep the words of the first copies.
    for suffix in ("csv", "json", "xml", "md", "tex"):
        assert (
            f"{text} {POPULARITY}" in client.get(f"{path.rstrip('/').partition('?')[0]}.{suffix}").getvalue().decode()
        )
