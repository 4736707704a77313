"""A view as of a past day says that coverage and last update are those at the end of the version."""

import pytest
from django.test import Client

from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import words
from tests.dashboard.series.test_versions import FIRST, SECOND, THIRD

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("day", "is_said"), [("2014-01-01", True), ("2018-07-26", False)])
def test_past_day_says_of_when_the_coverage_is(client: Client, catalogue: Loader, day: str, is_said: bool) -> None:
    catalogue(series=[a_series(**FIRST), a_series(**SECOND)])
    page = client.get(f"/series/GNPCA/?realtime_start={day}&realtime_end={day}")

    text = "Coverage and last update are those at the end of this version (2018-07-26), not on 2014-01-01."
    assert (text in words(page, "//article/p")) == is_said


@pytest.mark.parametrize(("updated", "is_said"), [("2018-03-28 07:51:02-05", True), ("2013-07-31 09:26:16-05", False)])
def test_past_day_of_lists_and_comparisons_says_of_when_the_coverage_is(
    client: Client, catalogue: Loader, updated: str, is_said: bool
) -> None:
    catalogue(series=[a_series(**FIRST, last_updated=updated), a_series(**SECOND), a_series(**THIRD)])
    day = "realtime_start=2015-06-30&realtime_end=2015-06-30"
    listed = client.get(f"/series/?ids=GNPCA&{day}")
    compared = client.get("/compare/?a=series:GNPCA@2015-06-30&b=series:GNPCA")
    file = client.get(f"/series/GNPCA.csv?{day}").getvalue().decode()

    text = "Coverage and last update are those at the end of the version, not on 2015-06-30."
    assert [text in words(page, "//main")[0] for page in (listed, compared)] == [is_said, is_said]
    assert (f'"{text}"' in file) == is_said
