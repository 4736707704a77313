"""The query of a link to the overview of categories and releases."""

from dataclasses import dataclass
from typing import Any

from econweb.dashboard.page_links import changed_query_string, url_path, with_query


@dataclass(frozen=True)
class OverviewQuery:
    """One kind or both, their order, and the first row of a page."""

    kind: str = ""
    order_by: str = "series"
    sort_order: str = "desc"
    offset: int = 0

    def link(self, **changes: Any) -> str:
        return with_query(url_path("overview"), self.query_string(**changes))

    def query_string(self, **changes: Any) -> str:
        return changed_query_string(self, changes)
