"""Marks around pasted ids that a reader does not count as part of them."""

import pytest

from econweb.dashboard.search_box.pasted_ids import parse_ids

QUOTES = ["“GDP”", "‘GDP’", "«GDP»", "»GDP«", "„GDP“", "‚GDP‘", "‹GDP›", "”GDP”", "‟GDP”", "“‘GDP’”.", "“GDP,”"]


@pytest.mark.parametrize("quoted", QUOTES)
def test_typographic_quotes_around_an_id_are_no_part_of_it(quoted: str) -> None:
    assert parse_ids(f"{quoted}, UNRATE") == (("GDP", "UNRATE"), ())
    assert parse_ids(f"{quoted}\tGross Domestic Product\n‘UNRATE’\tUnemployment Rate") == (("GDP", "UNRATE"), ())


def test_apostrophe_within_a_word_separates_no_ids() -> None:
    assert parse_ids("GDP driver’s") == (("GDP",), ("driver’s",))
