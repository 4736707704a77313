"""The query of a link to the overview of categories and releases."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from econweb.dashboard.page_links import encode_query, url_path, with_query
from econweb.upstream.queries import next_sort_order


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
        """Return the query string without defaults; another filter or order leads back to the first row."""
        wanted = asdict(self) | ({"offset": 0} | changes if changes else {})
        return encode_query({name: value for name, value in wanted.items() if value != _DEFAULTS[name]})

    def sorted_by(self, order_by: str) -> str:
        """Return the link of a column's header."""
        current = self.sort_order if order_by == self.order_by else None
        return self.link(order_by=order_by, sort_order=next_sort_order("desc", current))


_DEFAULTS = {field.name: field.default for field in fields(OverviewQuery)}
