"""The query of a link to the search of series."""

from dataclasses import dataclass

from econweb.dashboard.list_pages import ListQuery
from econweb.dashboard.parameters import choice, number, words
from econweb.search_index.titles.find import MAX_COUNTED
from econweb.search_index.titles.places import ADJUSTMENTS, FREQUENCIES


@dataclass(frozen=True)
class SearchQuery(ListQuery):
    """Words of titles, facets, and the first row of a page."""

    page = "series_search"
    q: str = ""
    frequency: str = ""
    seasonal_adjustment: str = ""
    discontinued: str = ""
    offset: int = 0


PARSERS = {
    "q": words(2000),
    "frequency": choice(("", *FREQUENCIES)),
    "seasonal_adjustment": choice(("", *ADJUSTMENTS)),
    "discontinued": choice(("", "yes", "no")),
    "offset": number(0, MAX_COUNTED),
}
