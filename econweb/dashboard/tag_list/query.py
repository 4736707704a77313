"""The query of a link to the list of tags."""

from dataclasses import dataclass
from typing import Any

from econweb.dashboard.list_pages import ListQuery
from econweb.dashboard.parameter_checks import MAX_OFFSET
from econweb.dashboard.parameters import choice, number, text, words
from econweb.upstream.queries import SORT_ORDERS

# The orders, each with its own direction; ties are from A to Z.
ORDERS = {"name": "asc", "occurrence_count": "desc", "popularity": "desc"}


@dataclass(frozen=True)
class TagListQuery(ListQuery):
    """The words that names must have, a group, the order, and the first row of a page."""

    page = "tag_list"
    q: str = ""
    tag_group_id: str = ""
    order_by: str = "occurrence_count"
    # Empty for the own direction of the order.
    sort_order: str = ""
    offset: int = 0

    def __post_init__(self) -> None:
        if self.sort_order == ORDERS[self.order_by]:
            object.__setattr__(self, "sort_order", "")

    @property
    def direction(self) -> str:
        return self.sort_order or ORDERS[self.order_by]

    def query_string(self, **changes: Any) -> str:
        if changes.get("sort_order") == ORDERS[changes.get("order_by", self.order_by)]:
            changes["sort_order"] = ""
        return super().query_string(**changes)


PARSERS = {
    "q": words(),
    "tag_group_id": text(100),
    "order_by": choice(ORDERS, TagListQuery.order_by),
    "sort_order": choice(("", *SORT_ORDERS)),
    "offset": number(0, MAX_OFFSET),
}
