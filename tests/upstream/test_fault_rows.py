"""Every row of the list of faults, U1 to U38, has its test: its number begins a docstring or an id."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROWS = re.compile(r"(U\d+(?:, U\d+)*)(?: |$)")


def rows_of(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = ROWS.match(node.value)
            yield from found[1].split(", ") if found else []


HERE = Path(__file__)
TESTED = {
    row for path in HERE.parent.glob("test_*.py") if path != HERE for row in rows_of(path.read_text("utf-8"))
}


@pytest.mark.parametrize("number", range(1, 39))
def test_a_row_has_its_test(number: int) -> None:
    assert f"U{number}" in TESTED


def test_no_test_names_a_row_that_is_not_there() -> None:
    assert {row for row in TESTED if not 1 <= int(row[1:]) <= 38} == set()


def test_a_row_is_found_where_it_begins_a_text_and_nowhere_else() -> None:
    code = """
def test_it() -> None:
    'U3, U4'

IDS = {'U5 a fault': 'of U6', 'U71x': ''}
"""

    assert set(rows_of(code)) == {"U3", "U4", "U5"}
