"""The part of the saved views that a link asks for."""

from dataclasses import dataclass
from typing import Any

from econweb.dashboard.page_links import encode_query, url_path, with_query

# The kinds of saved views, as people read them.
KINDS = {"tags": "Tags", "series": "Series", "list": "Series lists", "compare": "Comparisons"}


@dataclass(frozen=True)
class SavedQuery:
    """Words of title, note or person, a person, a kind, and the first row of a page."""

    q: str = ""
    person: str = ""
    kind: str = ""
    offset: int = 0

    def link(self, page: str, **changes: Any) -> str:
        return with_query(url_path(page), self.query_string(**changes))

    def kept(self) -> dict[str, str]:
        """Return what stays when the words change."""
        return {name: value for name, value in (("person", self.person), ("kind", self.kind)) if value}

    def query_string(self, **changes: Any) -> str:
        """Return the query string; another filter leads back to the first row."""
        wanted = vars(self) | ({"offset": 0} | changes if changes else {})
        return encode_query({name: value for name, value in wanted.items() if value})
