"""The filters of a watch: which changes they let through."""

from dataclasses import dataclass

import pytest

from econweb.watching.filters import lets_through
from econweb.watching.models import ChangedFact


@dataclass(frozen=True)
class Change:
    name: str = "usa"
    group: str = "geo"
    field: str = "notes"
    before: str | None = "A country"
    after: str | None = "A nation of 50 states"


OF_THE_SOURCE = Change(name="", group="", field="presence", before="", after=None)
TAGS = "/category/125/tags/"


@pytest.mark.parametrize(
    ("query", "is_let_through"),
    [
        ("", True),
        ("?tag_names=usa", True),
        ("?tag_names=annual", False),
        ("?tag_names=annual%3Busa", True),
        ("?tag_names=a%5C%3Busa", False),
        ("?tag_group_id=geo", True),
        ("?tag_group_id=freq", False),
        ("?tag_names=usa&tag_group_id=freq", False),
        ("?tag_names=annual&tag_group_id=geo", False),
        ("?search_text=US", True),
        ("?search_text=nation+states", True),
        ("?search_text=nation+planet", False),
        ("?search_text=nation&tag_names=annual", False),
    ],
)
def test_filters_let_through_what_is_about_their_tags(query: str, is_let_through: bool) -> None:
    link = f"{TAGS}{query}"

    assert lets_through("tags", link, [Change()]) is is_let_through
    assert (
        lets_through("tags", link, [Change(name="x", group="y", before=None, after=None), Change()]) is is_let_through
    )
    assert lets_through("tags", link, [OF_THE_SOURCE]), "what happens to the source is for all"
    assert lets_through("tags", link, []), "nothing is known against a change without facts"


def test_tag_that_moves_is_let_through_by_both_groups() -> None:
    moved = Change(group="geo", field="group_id", before="gen", after="geo")

    for group in ("gen", "geo"):
        assert lets_through("tags", f"{TAGS}?tag_group_id={group}", [moved])
    assert not lets_through("tags", f"{TAGS}?tag_group_id=freq", [moved])


@pytest.mark.parametrize(("kind", "link"), [("series", "/series/GNPCA/"), ("list", "/series/?ids=GNPCA,UNRATE")])
def test_watch_of_series_lets_everything_through(kind: str, link: str) -> None:
    assert lets_through(kind, link, [Change(name="", group="", field="title")])


@pytest.mark.parametrize("before", [None, ""])
def test_filter_by_text_finds_a_tag_by_its_notes(before: str | None) -> None:
    new = Change(field="presence", before=before, after="" if before is None else None)

    assert lets_through("tags", f"{TAGS}?search_text=states+us", [new], {"usa": "A nation of 50 states"})
    assert not lets_through("tags", f"{TAGS}?search_text=states", [new], {"other": "A nation of 50 states"})


def test_stored_fact_is_read_as_one_that_was_just_found() -> None:
    stored = ChangedFact(name="usa", group="geo", field="presence", before=None, after="")

    assert lets_through("tags", f"{TAGS}?tag_names=usa", [stored])
    assert not lets_through("tags", f"{TAGS}?tag_names=annual", [stored])
