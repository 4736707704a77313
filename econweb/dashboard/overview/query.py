"""The query of a link to the overview of categories and releases."""

from dataclasses import dataclass

from econweb.dashboard.list_pages import OwnerListQuery, owner_list_parsers
from econweb.search_index.tags.owners import NUMBERS, SHARES


@dataclass(frozen=True)
class OverviewQuery(OwnerListQuery):
    page = "overview"
    order_by: str = "series_count"


PARSERS = owner_list_parsers((*NUMBERS, *SHARES), OverviewQuery.order_by)
