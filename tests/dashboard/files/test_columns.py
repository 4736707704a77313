"""The columns of every exported file: scripts of readers depend on their names and order.

A new column goes to the end where it can. JSON and XML of tags and series have the fields of the contract.
"""

import csv
import json

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from econweb.dashboard.urls import urlpatterns
from tests.catalogue.api_calls import a_catalogue
from tests.conftest import Loader
from tests.dashboard.frozen.copies import freeze, view
from tests.search_index.recorded import record_tags, tags

__all__ = ["view"]
pytestmark = pytest.mark.django_db(transaction=True)

SERIES = (
    "id realtime_start realtime_end title observation_start observation_end frequency frequency_short units "
    "units_short seasonal_adjustment seasonal_adjustment_short last_updated popularity notes"
)
LISTED = "id title units frequency seasonal_adjustment observation_start observation_end last_updated popularity"
TAGS = "name group_id notes created popularity series_count"
COMPARED = "name group_id a_series_count b_series_count a_share b_share difference_series_count ratio_of_series_counts"
OVERVIEW = "kind id name tag_count series_count daily weekly monthly quarterly annual adjusted discontinued"
COLUMNS = {
    "/category/125/tags.{}": TAGS,
    "/series/A.{}": SERIES,
    "/series.{}?ids=A,B": LISTED,
    "/search.{}?q=product": "id title frequency units seasonal_adjustment popularity discontinued",
    "/check.{}?ids=A,B": "id verdict also reason title units frequency observation_end last_updated",
    "/compare.{}?a=category:125&b=release:53": COMPARED,
    "/compare.{}?a=series:A&b=series:B": "field a b differs",
    "/browse/overview.{}": OVERVIEW,
    "/browse/tags.{}": "name group_id occurrence_count popularity",
    "/tag/usa.{}": "kind id name series_count share",
    "/changes/record.{}": "moment person verb kind key title before after reason request_id",
}
# In JSON: the name of the list, and the fields around it beside `about`.
ORDERED = "count order_by sort_order"
AROUND = {
    "/category/125/tags.{}": "tags realtime_start realtime_end order_by sort_order count offset limit",
    "/series/A.{}": "seriess realtime_start realtime_end",
    "/series.{}?ids=A,B": "seriess realtime_start realtime_end",
    "/search.{}?q=product": "seriess count offset limit",
    "/check.{}?ids=A,B": "checks fine complete checked since count not_fine cannot_tell not_checked retry_after",
    "/compare.{}?a=category:125&b=release:53": "rows",
    "/compare.{}?a=series:A&b=series:B": "rows",
    "/browse/overview.{}": f"owners {ORDERED}",
    "/browse/tags.{}": f"tags {ORDERED}",
    "/tag/usa.{}": f"occurrences {ORDERED}",
    "/changes/record.{}": "changes",
}
# Records that JSON and XML have whole, in the order of the contract.
WHOLE = {"/category/125/tags.{}": "name group_id notes created popularity series_count", "/series.{}?ids=A,B": SERIES}
# Frozen copies and comparisons of one's own have the sheets of the live views.
SAME_SHEETS = {"frozen_file", "my_frozen_file", "my_compare_file"}


@pytest.fixture(autouse=True)
def a_site(catalogue: Loader) -> None:
    catalogue(**a_catalogue({"A": ["usa", "sa"], "B": ["usa"]}))
    record_tags("category", 125, tags(usa=2), 2, timezone.now())


@pytest.mark.parametrize("path", COLUMNS)
def test_columns_of_an_exported_file_are_fixed(client: Client, path: str) -> None:
    """O24"""
    text = client.get(path.format("csv")).getvalue().decode()

    head = next(row for row in csv.reader(text.splitlines()) if row and not row[0].startswith("# "))
    assert " ".join(head) == COLUMNS[path]


@pytest.mark.parametrize("path", COLUMNS)
def test_fields_of_exported_json_are_fixed(client: Client, path: str) -> None:
    """O24"""
    document = json.loads(client.get(path.format("json")).getvalue())

    listed, *around = AROUND[path].split()
    assert set(document) == {"about", listed, *around}
    assert [" ".join(record) for record in document[listed][:1]] in ([], [WHOLE.get(path, COLUMNS[path])])


def test_columns_of_a_difference_are_fixed(client: Client, view: str) -> None:
    """O24"""
    copy_id = freeze(client, view).strip("/").rpartition("/")[2]

    text = client.get(f"/compare.csv?a=frozen:{copy_id}&b=category:125").getvalue().decode()

    assert "\nchange,name,group_id,field,a,b\n" in text.replace("\r\n", "\n")


def test_every_exported_file_is_here() -> None:
    """A route that ends with a suffix is a file."""
    routes = {str(one.name) for one in urlpatterns if str(one.pattern).endswith(".<file:suffix>")}
    tried = {str(resolve(path.format("csv").partition("?")[0]).url_name) for path in COLUMNS}

    assert routes - tried == SAME_SHEETS
