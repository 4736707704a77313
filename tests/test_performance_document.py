"""`make bench` writes its tables into docs/performance.md."""

import pytest

from bench.record import DOCUMENT, RUNS, replace_block


@pytest.mark.parametrize("name", RUNS)
def test_performance_document_has_one_block_per_measurement(name: str) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")

    assert text.count(f"<!-- begin {name} -->") == text.count(f"<!-- end {name} -->") == 1
    assert "new tables" in replace_block(text, name, "new tables")


def test_performance_block_is_replaced_alone() -> None:
    before = "a\n<!-- begin x -->\n\nold\n\n<!-- end x -->\nb\n<!-- begin y -->\n\nother\n\n<!-- end y -->\n"

    after = replace_block(before, "x", "\n| new |\n")

    assert after == before.replace("old", "| new |")


def test_performance_name_without_block_is_refused() -> None:
    with pytest.raises(SystemExit, match="no block called z"):
        replace_block("a", "z", "")
