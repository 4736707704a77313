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
COLUMNS = {
    "/category/125/tags.{}": TAGS,
    "/series/A.{}": SERIES,
    "/series.{}?ids=A,B": LISTED,
    "/search.{}?q=product": "id title frequency units seasonal_adjustment popularity discontinued",
    "/check.{}?ids=A,B": "id verdict also reason title units frequency observation_end last_updated",
    "/compare.{}?a=category:125&b=release:53": COMPARED,
    "/compare.{}?a=series:A&b=series:B": "field a b differs",
    "/browse/overview.{}": "kind id name tags series daily weekly monthly quarterly annual adjusted discontinued",
    "/browse/tags.{}": "name group_id occurrences popularity",
    "/tag/usa.{}": "kind id name series_count share",
    "/changes/record.{}": "moment person verb kind key title before after reason request_id",
}
# The fields of a record and around the list, as in the contract.
OF_CONTRACT = {
    "/series/A.json": ("seriess", SERIES, "realtime_start realtime_end"),
    "/category/125/tags.json": (
        "tags",
        "name group_id notes created popularity series_count",
        "realtime_start realtime_end order_by sort_order count offset limit",
    ),
}
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


@pytest.mark.parametrize("path", OF_CONTRACT)
def test_exported_json_has_the_fields_of_the_contract(client: Client, path: str) -> None:
    """O24"""
    listed, fields, around = OF_CONTRACT[path]

    document = json.loads(client.get(path).getvalue())

    assert " ".join(document[listed][0]) == fields
    assert set(document) - {"about"} == {listed, *around.split()}


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
