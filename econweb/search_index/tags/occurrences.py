"""Occurrences of a tag: the categories and releases of the index that have it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, QuerySet

from econweb.search_index.models import IndexedTag, Occurrence
from econweb.search_index.tags.tag_index import state

# The orders of occurrences; ties are by kind and number.
ORDERS = ("share", "series_count")


@dataclass(frozen=True)
class Selection:
    """The wanted occurrences of a tag: their kind, order and page."""

    kind: str = ""
    order_by: str = "share"
    sort_order: str = "desc"
    offset: int = 0
    limit: int = 50


def find_tag(name: str) -> IndexedTag | None:
    """Return the tag, if it occurs anywhere."""
    # PostgreSQL refuses a NUL, and no tag has one.
    tag = None if "\0" in name else IndexedTag.objects.filter(name=name).first()
    return tag if tag and _occurrences(tag, Selection()).exists() else None


def find_occurrences(tag: IndexedTag, selection: Selection) -> Sequence[Occurrence]:
    """Return the occurrences of one page, with their owners."""
    sign = "-" if selection.sort_order == "desc" else ""
    found = _occurrences(tag, selection).select_related("owner")
    ordered = found.order_by(f"{sign}{selection.order_by}", "owner__kind", "owner__number")
    return list(ordered[selection.offset : selection.offset + selection.limit])


def count_by_kind(tag: IndexedTag, selection: Selection) -> dict[str, int]:
    """Return the number of categories and of releases that have the tag."""
    rows = _occurrences(tag, replace(selection, kind="")).values_list("owner__kind").annotate(Count("id"))
    return dict(rows.order_by("owner__kind"))


def _occurrences(tag: IndexedTag, selection: Selection) -> QuerySet[Occurrence]:
    found = Occurrence.objects.filter(tag=tag, owner__generation=state().generation)
    return found.filter(owner__kind=selection.kind) if selection.kind else found
