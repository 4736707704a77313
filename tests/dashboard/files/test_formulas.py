"""B22: no file of the search index starts a cell with the sign of a formula."""

import csv
from io import StringIO

import pytest
from django.test import Client
from django.utils import timezone

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from tests.search_index.recorded import record_tags, tag

pytestmark = pytest.mark.django_db
FORMULA = "=cmd+1"


@pytest.mark.parametrize(
    "path", [f"/search.csv?q={FORMULA}".replace("+", "%2B"), f"/tag/{FORMULA}.csv", "/browse/overview.csv"]
)
def test_csv_files_of_the_index_hold_no_formula(client: Client, path: str) -> None:
    title_index.add([Record("A", FORMULA, FORMULA, FORMULA, FORMULA)], title_index.FETCHED)
    save_labels([Label(kind="category", number=9, name=FORMULA)])
    record_tags("category", 9, [tag(FORMULA)], 10, timezone.now())
    cells = [cell for row in csv.reader(StringIO(client.get(path).getvalue().decode())) for cell in row]

    assert f"'{FORMULA}" in cells
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
