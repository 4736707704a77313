"""The query of a link to the directory."""

from dataclasses import dataclass
from typing import Any

from econweb.dashboard.page_links import encode_query, url_path, with_query
from econweb.dashboard.parameter_checks import MAX_OFFSET
from econweb.dashboard.parameters import number, words

PAGES = {"": "browse", "category": "browse_categories", "release": "browse_releases"}


@dataclass(frozen=True)
class BrowseQuery:
    """The words that names must have, one kind or both, a branch of the tree, and the first row of a long list."""

    text: str = ""
    kind: str = ""
    offset: int = 0
    # The category whose categories are listed; None for the top of the tree, or while searching.
    at: int | None = None

    def link(self, **changes: Any) -> str:
        parameters = {"q": self.text, "kind": self.kind, "at": self.at, "offset": self.offset} | changes
        page = url_path(PAGES[str(parameters.pop("kind"))])
        return with_query(
            page,
            encode_query({name: value for name, value in parameters.items() if value or (name == "at" and value == 0)}),
        )


PARSERS = {
    "q": words(),
    "offset": number(0, MAX_OFFSET),
    "at": number(0, MAX_OFFSET, default=None),
}
