"""Rows of a LaTeX table that need care."""

from dataclasses import replace

import pytest

from econweb.dashboard.files.latex_format import TEX
from econweb.dashboard.files.sheet import Column, Sheet
from econweb.dashboard.files.streaming import stream
from tests.dashboard.files.sheets import tag_sheet


def table_of(sheet: Sheet) -> str:
    return b"".join(stream(sheet, TEX)).decode()


@pytest.mark.parametrize(("name", "written"), [("[x]", "{}[x]"), (" *x", "{} *x"), ("x", "x")])
def test_latex_guards_a_row_that_begins_like_an_option(name: str, written: str) -> None:
    assert f"\n{written} & b &" in table_of(tag_sheet([(name, "b", "[c]", "d", 1, 2)]))


@pytest.mark.parametrize(("column", "written"), [("created", "2012-02-27"), ("title", "2012-02-27 10:18")])
def test_latex_shortens_moments_only(column: str, written: str) -> None:
    sheet = replace(tag_sheet([("a", "2012-02-27 10:18")]), columns=(Column("name"), Column(column)))

    assert f"\na & {written} \\\\\n" in table_of(sheet)


def test_latex_aligns_numbers_to_the_right_and_ids_to_the_left() -> None:
    sheet = replace(tag_sheet([("a", 1)]), columns=(Column("id"), Column("count", "number")))

    assert "{@{}lr@{}}" in table_of(sheet)
