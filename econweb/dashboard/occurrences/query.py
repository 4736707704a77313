"""The query of a link to the page of a tag."""

from dataclasses import dataclass
from typing import Any

from econweb.dashboard.page_links import changed_query_string, tag_link, with_query
from econweb.search_index.tags.occurrences import Selection


@dataclass(frozen=True)
class OccurrenceQuery:
    """A tag, and which part of the categories and releases that have it."""

    name: str
    selection: Selection

    def link(self, **changes: Any) -> str:
        return with_query(tag_link(self.name), self.query_string(**changes))

    def query_string(self, **changes: Any) -> str:
        return changed_query_string(self.selection, changes)
