"""Marks around pasted ids that a reader does not count as part of them."""

import pytest

from econweb.dashboard.search_box.pasted_ids import find_repeated, parse_ids

QUOTES = ["“GDP”", "‘GDP’", "«GDP»", "»GDP«", "„GDP“", "‚GDP‘", "‹GDP›", "”GDP”", "‟GDP”", "“‘GDP’”.", "“GDP,”"]
INVISIBLE = "\ufeff\u200b\u200c\u200d\u2060\u00ad\u200e\u200f"


@pytest.mark.parametrize("quoted", QUOTES)
def test_typographic_quotes_around_an_id_are_no_part_of_it(quoted: str) -> None:
    assert parse_ids(f"{quoted}, UNRATE") == (("GDP", "UNRATE"), ())
    assert parse_ids(f"{quoted}\tGross Domestic Product\n‘UNRATE’\tUnemployment Rate") == (("GDP", "UNRATE"), ())


def test_apostrophe_within_a_word_separates_no_ids() -> None:
    assert parse_ids("GDP driver’s") == (("GDP",), ("driver’s",))


@pytest.mark.parametrize("sign", INVISIBLE)
def test_invisible_characters_are_no_part_of_an_id(sign: str) -> None:
    assert parse_ids(f"{sign}GDP\nUN{sign}RATE{sign} {sign}") == (("GDP", "UNRATE"), ())
    assert parse_ids(f"“{sign}GDP{sign}”, https://a.example/series/UN{sign}RATE{sign}") == (("GDP", "UNRATE"), ())
    assert parse_ids(f"GDP{sign}\tGross Product\tQ\nUNRATE {sign}\tUnemployment Rate\tM")[0][:3:2] == ("GDP", "UNRATE")
    assert find_repeated(f"GDP GDP{sign}") == ["GDP"]


def test_word_that_is_no_id_keeps_its_joiners() -> None:
    assert parse_ids("GDP می‌خواهم") == (("GDP",), ("می‌خواهم",))


@pytest.mark.parametrize(
    "text",
    [
        "1. GDP\n2. UNRATE",
        "1) GDP\r\n2) UNRATE",
        "(1) GDP\n(2) UNRATE",
        " 9. gdp\n10. unrate",
        "1. “GDP”\n2. “UNRATE”",
        "1. GDP 2. UNRATE",
        "1.\nGDP\n2.\nUNRATE",
        "1.\tGDP\n2.\tUNRATE",
        "1. GDP\tGross Domestic Product\n2. UNRATE\tUnemployment Rate",
    ],
)
def test_number_before_a_word_is_a_list_mark(text: str) -> None:
    assert parse_ids(text) == (("GDP", "UNRATE"), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.", ("1",)),
        ("GDP 1.", ("GDP", "1")),
        ("1. 2. 3.", ("1", "2", "3")),
        ("1 GDP", ("1", "GDP")),
        ("2020. GDP", ("2020", "GDP")),
        ("S1. GDP", ("S1", "GDP")),
        ("1. 4BIGEURO", ("4BIGEURO",)),
    ],
)
def test_other_numbers_stay(text: str, expected: tuple[str, ...]) -> None:
    assert parse_ids(text) == (expected, ())


def test_formula_of_a_spreadsheet_is_its_id() -> None:
    assert parse_ids("=GDP\n='UNRATE'") == (("GDP", "UNRATE"), ())
