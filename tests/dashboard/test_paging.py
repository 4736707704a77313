"""Pages of a long list, for offsets at their beginning, between two of them, and past the end."""

import pytest

from econweb.dashboard.paging import Paging


@pytest.mark.parametrize(
    ("offset", "number", "previous", "following"),
    [
        (0, 1, None, 50),
        (20, 1, 0, 70),
        (50, 2, 0, 100),
        (100, 3, 50, None),
        (5000, 101, 100, None),
    ],
)
def test_pages_of_120_rows_by_50_are_three(
    offset: int, number: int, previous: int | None, following: int | None
) -> None:
    paging = Paging(120, offset, 50)

    assert (paging.number, paging.last_number, paging.last) == (number, 3, 100)
    assert (paging.previous, paging.following) == (previous, following)


def test_pages_of_no_rows_are_one() -> None:
    paging = Paging(0, 0, 50)

    assert (paging.number, paging.last_number, paging.previous, paging.following) == (1, 1, None, None)


@pytest.mark.parametrize(("total", "following"), [(50, None), (51, 50)])
def test_next_page_needs_a_row_after_this_one(total: int, following: int | None) -> None:
    assert Paging(total, 0, 50).following == following


@pytest.mark.parametrize(
    ("total", "offset", "span"),
    [
        (50, 0, "50"),
        (1200, 0, "1–50 of 1,200"),
        (120, 100, "101–120 of 120"),
        (120, 110, "111–120 of 120"),
        (120, 500, "none of 120"),
    ],
)
def test_span_names_the_rows_unless_the_page_has_all(total: int, offset: int, span: str) -> None:
    assert Paging(total, offset, 50).range_text() == span
