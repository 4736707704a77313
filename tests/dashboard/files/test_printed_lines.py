"""The lines below a LaTeX table say on paper which rows it has, of what, and from where."""

import re

import pytest
from django.test import Client

from econweb.label_book.models import Label
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.frozen.copies import freeze, view
from tests.fake_service import FakeService
from tests.latex import text_set_by

__all__ = ["view"]
pytestmark = pytest.mark.django_db(transaction=True)


def below(client: Client, link: str) -> str:
    """Return what is printed below the table."""
    latex = client.get(link).getvalue().decode().partition("\\end{longtable}")[2]
    line = re.search(r"\\noindent (.*)\\par", latex)
    assert line, latex
    return text_set_by(line[1].replace("\\hspace{0pt}", ""))


@pytest.fixture
def named(view: str) -> str:
    Label.objects.create(kind="category", number=125, name="Trade Balance")
    return view


def test_table_of_a_filtered_view_names_the_filter_and_the_source(client: Client, named: str) -> None:
    line = below(client, "/category/125/tags.tex?tag_group_id=freq")

    assert line.startswith("Tags of category 125, Trade Balance (tag_group_id: freq), as of ")
    assert line.endswith(" Source: the embedded catalogue, http://testserver/category/125/tags/?tag_group_id=freq")
    assert "(" not in below(client, "/category/125/tags.tex")


def test_table_of_a_copy_names_its_category_filter_and_address(client: Client, named: str) -> None:
    path = freeze(client, named).rstrip("/")
    line = below(client, f"{path}.tex?tag_group_id=freq")

    assert line.startswith("Tags of category 125, Trade Balance (tag_group_id: freq), as of ")
    assert line.endswith(f", http://testserver{path}/?tag_group_id=freq")
    # Scripts and digests of published files depend on the other formats.
    assert "Trade Balance" not in client.get(f"{path}.csv").getvalue().decode()


def test_table_of_a_list_names_the_ids_that_it_lacks_and_the_source(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series(id="GDP"), a_series(id="UNRATE", realtime_start="2020-01-01"), a_series()])
    link = "?ids=GDP,UNRATE,GNPCA&as_of=2014-01-01"
    path = freeze(client, f"/series/{link}").rstrip("/")

    for line in (below(client, f"/series.tex{link}"), below(client, f"{path}.tex")):
        assert line.startswith("2 of 3 series, as of 2014-01-01. Not in this table: UNRATE: There is no record")
        assert " Source: the embedded catalogue, http://testserver/" in line


def test_table_of_a_check_has_one_full_stop_behind_its_summary(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["A"] = [{**a_series(id="A"), "popularity": 39}]

    assert re.match(r"A is [^.]+\. Source: ", below(client, "/check.tex?ids=A"))


def test_table_of_many_series_does_not_repeat_all_ids(client: Client, stand_in: FakeService) -> None:
    ids = [f"{number:020}" for number in range(10)]
    stand_in.seriess = {one: [{**a_series(id=one), "popularity": 39}] for one in ids}

    assert below(client, f"/series.tex?ids={','.join(ids)}").endswith(" Source: the embedded catalogue")
