"""The list of faults is complete, and each row names existing tests or drills."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WHOLE = {
    f"{letter}{number}" for letter, last in {"U": 39, "B": 23, "P": 17, "L": 8}.items() for number in range(1, last + 1)
}
# Attacks, real replies and operation; the list uses no other numbers.
WHOLE |= {f"A{number}" for number in range(1, 45) if number != 38} | {f"R{number}" for number in range(1, 16)}
WHOLE |= {"O1", "O2", "O3", "O4", "O8", "O9", "O10", "O11", "O12", "O13"}
# Assistants.
WHOLE |= {"A52", "A53", "A54"}
# The check of ids.
WHOLE |= {"O25"}
# News: feeds and mails.
WHOLE |= {"A48", "A49", "O20", "O21", "O22", "O23", "O24", "O26", "O27"}
# Watches.
WHOLE |= {"O30", "O31", "O32"}
NUMBERS = re.compile(r"([UBPLARO]\d{1,2}(?:, [UBPLARO]\d{1,2})*)(?:[ :]|$)")


def rows_of(text: str) -> dict[str, list[str]]:
    """Return the tests and drills of each row, by its number."""
    lines = [line.strip("|").split("|") for line in text.splitlines() if re.match(r"\| [A-Z]\d+ ", line)]
    return {cells[0].strip(): re.findall(r"`([^`]+)`", cells[-1]) for cells in lines}


def numbers_in(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = NUMBERS.match(node.value)
            yield from found[1].split(", ") if found else []


@cache
def functions_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


ROWS = rows_of((ROOT / "docs" / "faults.md").read_text(encoding="utf-8"))


def test_fault_list_is_complete() -> None:
    assert ROWS.keys() == WHOLE


@pytest.mark.parametrize("number", ROWS)
def test_fault_rows_name_existing_tests_and_drills(number: str) -> None:
    references = [reference.partition("::") for reference in ROWS[number]]

    assert references
    assert [(path, name) for path, _, name in references if name not in functions_in(path)] == []
    assert all(path.startswith("bench/drills/") or name.startswith("test_") for path, _, name in references)


@pytest.mark.parametrize("folder", ["tests", "bench/drills"])
def test_tests_and_drills_name_existing_fault_rows(folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*.py") if path != Path(__file__)]

    assert {number for path in files for number in numbers_in(path.read_text("utf-8"))} <= ROWS.keys()


def test_service_faults_begin_a_text_of_their_test() -> None:
    tests = (ROOT / "tests" / "upstream").rglob("test_*.py")
    begun = {number for path in tests for number in numbers_in(path.read_text("utf-8"))}

    assert {number for number in WHOLE if number.startswith("U")} <= begun


def test_fault_number_is_found_at_the_start_of_a_text_only() -> None:
    code = """
def test_it() -> None:
    'U3, U4'

IDS = {'U5 a fault': 'of U6', 'U71x': '', 'B7: so': ''}
"""

    assert set(numbers_in(code)) == {"U3", "U4", "U5", "B7"}
