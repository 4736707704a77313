"""The query of a link to the page of a tag: which part of the categories and releases that have it."""

from dataclasses import dataclass, field

from econweb.dashboard.list_pages import OwnerListQuery, owner_list_parsers
from econweb.dashboard.page_links import tag_link
from econweb.search_index.tags.occurrences import ORDERS


@dataclass(frozen=True)
class OccurrenceQuery(OwnerListQuery):
    order_by: str = "series_count"
    # The name of the tag, which is in the path.
    name: str = field(kw_only=True)

    @property
    def path(self) -> str:
        return tag_link(self.name)


PARSERS = owner_list_parsers(ORDERS, OccurrenceQuery.order_by)
