"""The columns of every exported file: scripts of readers depend on their names and order.

A new column goes to the end where it can. JSON and XML of tags and series have the fields of the contract.
"""

import csv
import json
from pathlib import Path

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from econweb.dashboard.files.provenance import name_live_service
from econweb.dashboard.urls import urlpatterns
from econweb.library.models import FrozenCopy
from tests.builders import a_series
from tests.catalogue.api_calls import a_catalogue
from tests.conftest import Loader
from tests.dashboard.frozen.copies import freeze, view
from tests.fake_service import FakeService, a_tag
from tests.search_index.recorded import record_tags, tags

__all__ = ["view"]
pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[3]

SERIES = (
    "id realtime_start realtime_end title observation_start observation_end frequency frequency_short units "
    "units_short seasonal_adjustment seasonal_adjustment_short last_updated popularity notes"
)
LISTED = "id title units frequency seasonal_adjustment observation_start observation_end last_updated popularity"
TAGS = "name group_id notes created popularity series_count"
COMPARED = "name group_id a_series_count b_series_count a_share b_share difference_series_count ratio_of_series_counts"
SHARES = COMPARED.replace("difference_series_count ratio_of_series_counts", "difference_points ratio_of_shares")
SPREAD = SHARES.replace("b_series_count", "b_series_count c_series_count").replace("b_share", "b_share c_share")
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
# Columns of a comparison of sources whose numbers of series are known, and of two states of one thing.
OTHER_COLUMNS = {
    "/compare.{}?a=category:125&b=release:53": SHARES,
    "/compare.{}?a=category:125&b=release:53&c=release:51": f"{SPREAD} spread",
    "/compare.{}?a=frozen:0123456789abc&b=category:125": "change name group_id field a b",
    "/compare.{}?a=list:A,B&b=list:A,C": "change id field a b",
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


def test_columns_of_tags_have_one_order_but_for_notes_in_latex(client: Client) -> None:
    """The reference said that they have the order of the page."""
    files = {suffix: client.get(f"/category/125/tags.{suffix}").getvalue().decode() for suffix in ("md", "tex")}
    reference = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")

    assert "| name | group_id | notes | created | popularity | series_count |" in files["md"]
    assert "Tag & Group & Tag created & Popularity & Series & Notes " in files["tex"]
    assert "tags in the order below. LaTeX has notes last." in reference


@pytest.mark.parametrize("path", COLUMNS)
def test_fields_of_exported_json_are_fixed(client: Client, path: str) -> None:
    """O24"""
    document = json.loads(client.get(path.format("json")).getvalue())

    listed, *around = AROUND[path].split()
    assert set(document) == {"about", listed, *around}
    assert [" ".join(record) for record in document[listed][:1]] in ([], [WHOLE.get(path, COLUMNS[path])])


@pytest.mark.parametrize("path", OTHER_COLUMNS)
def test_columns_that_depend_on_the_sources_are_fixed(client: Client, stand_in: FakeService, path: str) -> None:
    """O24"""
    counts = {("usa", "geo"): 9, ("annual", "freq"): 9, ("sa", "seas"): 9}
    for kind, number in (("category", 125), ("release", 53), ("release", 51)):
        stand_in.has(kind, number, [a_tag(name, group_id=group, series_count=n) for (name, group), n in counts.items()])
    stand_in.seriess |= {one: [a_series(id=one) | {"popularity": 39}] for one in "ABC"}
    copy_id = freeze(client, "/category/125/tags/").strip("/").rpartition("/")[2]
    link = path.replace("0123456789abc", copy_id)

    text = client.get(link.format("csv")).getvalue().decode()
    head = next(row for row in csv.reader(text.splitlines()) if row and not row[0].startswith("# "))
    assert " ".join(head) == OTHER_COLUMNS[path]
    assert set(json.loads(client.get(link.format("json")).getvalue())) == {"about", "rows"}
    # The reference has them.
    named = path.format("json").replace("0123456789abc", "<id>")
    columns = " ".join(f"`{column}`" for column in head)
    assert f"| `{named}` | `rows` | {columns} |" in (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(COLUMNS.keys() - {"/changes/record.{}"}))
def test_every_exported_file_names_the_data_provider(client: Client, path: str) -> None:
    about = json.loads(client.get(path.format("json")).getvalue())["about"]

    assert any("the embedded catalogue" in value for value in about.values()), about


def test_comparison_with_a_copy_names_both_data_providers(client: Client, view: str, stand_in: FakeService) -> None:
    stand_in.has("release", 53, [a_tag()])
    copy_id = freeze(client, view).strip("/").rpartition("/")[2]
    FrozenCopy.objects.update(service="https://data.example.org")

    for other in ("category:125", "release:53"):
        about = json.loads(client.get(f"/compare.json?a=frozen:{copy_id}&b={other}").getvalue())["about"]
        assert about["service"] == f"https://data.example.org; {name_live_service()}"


def test_every_exported_file_is_here() -> None:
    """A route that ends with a suffix is a file."""
    routes = {str(one.name) for one in urlpatterns if str(one.pattern).endswith(".<file:suffix>")}
    tried = {str(resolve(path.format("csv").partition("?")[0]).url_name) for path in COLUMNS}

    assert routes - tried == SAME_SHEETS
