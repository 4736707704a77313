"""The query of a link to the search of series."""

from dataclasses import dataclass
from typing import Any

from econweb.dashboard.page_links import changed_query_string, url_path, with_query


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
        return changed_query_string(self, changes)
