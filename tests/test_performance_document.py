"""`make bench` writes its tables into docs/performance.md, and five figures into README.md."""

import pytest

from bench.bounds import Bound
from bench.record import RUNS, document_of, replace_block


@pytest.mark.parametrize("name", RUNS)
def test_performance_document_has_one_block_per_measurement(name: str) -> None:
    text = document_of(name).read_text(encoding="utf-8")

    assert text.count(f"<!-- begin {name} -->") == text.count(f"<!-- end {name} -->") == 1
    assert "new tables" in replace_block(text, name, "new tables")


def test_performance_block_is_replaced_alone() -> None:
    before = "a\n<!-- begin x -->\n\nold\n\n<!-- end x -->\nb\n<!-- begin y -->\n\nother\n\n<!-- end y -->\n"

    after = replace_block(before, "x", "\n| new |\n")

    assert after == before.replace("old", "| new |")


def test_performance_name_without_block_is_refused() -> None:
    with pytest.raises(SystemExit, match="no block called z"):
        replace_block("a", "z", "")


def test_performance_summary_says_which_limits_are_not_kept() -> None:
    kept, missed = Bound("a page", 1.2, 1.5, "times"), Bound("a search", 15.1, 15, "ms")

    assert kept.row() == "| a page | at most 1.50 times | 1.20 times | yes |"
    assert missed.row() == "| a search | at most 15 ms | 15.1 ms | **no** |"


def test_performance_summary_knows_limits_from_below() -> None:
    faster, slower = (Bound("a page", times, 20, "times faster", is_at_least=True) for times in (130.0, 19.0))

    assert faster.row() == "| a page | at least 20 times faster | 130 times faster | yes |"
    assert not slower.is_kept
