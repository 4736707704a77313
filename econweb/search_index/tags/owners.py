"""The categories and releases of the index, with their numbers and shares."""

from collections.abc import Sequence

from django.db.models import Case, Count, F, Q, QuerySet, When

from econweb.search_index.models import EMPTY_ROOT, TaggedOwner
from econweb.search_index.tags.blocks import DISCONTINUED, FREQUENCIES
from econweb.search_index.tags.tag_index import state
from econweb.upstream.records import TagCounts

# The columns of the table, by the names of links and files.
_COLUMNS = {"tag_count": "tags", "series_count": "series"}
NUMBERS = tuple(_COLUMNS)
SHARES = (*FREQUENCIES, "adjusted", DISCONTINUED)

# Without series there is no share; without tags, the number of series may be unknown.
_WITHOUT = Q(series=0) | Q(tags=0)


def has_shares(owner: TaggedOwner) -> bool:
    """Return whether the owner has series, of which there are shares."""
    return owner.series != 0 and owner.tags > 0


def find_owners(kind: str, order_by: str, sort_order: str, rows: slice) -> Sequence[TaggedOwner]:
    """Return owners of one kind or of both; those without the value come last, and ties are by kind and number."""
    field = Case(When(_WITHOUT, then=None), default=order_by) if order_by in SHARES else F(_COLUMNS[order_by])
    value = field.desc(nulls_last=True) if sort_order == "desc" else field.asc(nulls_last=True)
    return list(_owners(kind).exclude(EMPTY_ROOT).order_by(value, "kind", "number")[rows])


def read_counts(kind: str, numbers: Sequence[int]) -> dict[int, TagCounts]:
    """Return what the index has of these owners."""
    found = _owners(kind).filter(number__in=numbers).values_list("number", "tags", "series", "fetched")
    return {number: TagCounts(tags, series, fetched) for number, tags, series, fetched in found}


def count_owners() -> dict[str, int]:
    """Return the number of owners by kind."""
    return dict(_owners("").exclude(EMPTY_ROOT).order_by("kind").values_list("kind").annotate(Count("id")))


def _owners(kind: str) -> QuerySet[TaggedOwner]:
    found = TaggedOwner.objects.filter(generation=state().generation)
    return found.filter(kind=kind) if kind else found
