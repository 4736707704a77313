"""The part of the record of changes that a link asks for."""

from dataclasses import asdict, dataclass
from typing import Any

from econweb.dashboard.page_links import encode_query, url_path, with_query


@dataclass(frozen=True)
class ChangesQuery:
    """Words of person or title, a kind of thing, and the first row of a page."""

    q: str = ""
    kind: str = ""
    offset: int = 0

    def link(self, **changes: Any) -> str:
        return with_query(url_path("changes"), self.query_string(**changes))

    def query_string(self, **changes: Any) -> str:
        """Return the query string; another filter leads back to the first row."""
        wanted = asdict(self) | ({"offset": 0} | changes if changes else {})
        return encode_query({name: value for name, value in wanted.items() if value})
