"""The query of a link to the list of tags."""

from dataclasses import dataclass
from typing import Any

from econweb.dashboard.page_links import changed_query_string, url_path, with_query

# The orders, each with its own direction; ties are from A to Z.
ORDERS = {"name": "asc", "occurrences": "desc", "popularity": "desc"}


@dataclass(frozen=True)
class TagListQuery:
    """The words that names must have, a group, the order, and the first row of a page."""

    q: str = ""
    tag_group_id: str = ""
    order_by: str = "occurrences"
    # Empty for the own direction of the order.
    sort_order: str = ""
    offset: int = 0

    def link(self, **changes: Any) -> str:
        return with_query(url_path("tag_list"), self.query_string(**changes))

    def kept(self) -> dict[str, str]:
        """Return what stays when the words change."""
        values = {"tag_group_id": self.tag_group_id, "order_by": self.order_by, "sort_order": self.sort_order}
        return values if self.query_string(q="", offset=0) else {}

    @property
    def direction(self) -> str:
        return self.sort_order or ORDERS[self.order_by]

    def query_string(self, **changes: Any) -> str:
        if changes.get("sort_order") == ORDERS[changes.get("order_by", self.order_by)]:
            changes["sort_order"] = ""
        return changed_query_string(self, changes)
