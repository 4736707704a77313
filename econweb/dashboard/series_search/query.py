"""The query of a link to the search of series."""

from dataclasses import asdict, dataclass
from typing import Any

from econweb.dashboard.page_links import encode_query, url_path, with_query


@dataclass(frozen=True)
class SearchQuery:
    """Words of titles, facets, and the first row of a page."""

    q: str = ""
    frequency: str = ""
    adjustment: str = ""
    discontinued: str = ""
    offset: int = 0

    def link(self, **changes: Any) -> str:
        return with_query(url_path("series_search"), self.query_string(**changes))

    def query_string(self, **changes: Any) -> str:
        """Return the query string; another filter leads back to the first row."""
        asked = asdict(self) | ({"offset": 0} if changes else {}) | changes
        return encode_query({name: value for name, value in asked.items() if value})
