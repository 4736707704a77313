"""The query of a link to the page of a tag."""

from dataclasses import dataclass, fields, replace
from typing import Any

from econweb.dashboard.page_links import encode_query, tag_link, with_query
from econweb.search_index.tags.occurrences import Places
from econweb.upstream.queries import next_sort_order


@dataclass(frozen=True)
class OccurrenceQuery:
    """A tag, and which part of the categories and releases that have it."""

    name: str
    places: Places

    def link(self, **changes: Any) -> str:
        return with_query(tag_link(self.name), self.query_string(**changes))

    def query_string(self, **changes: Any) -> str:
        """Return the query string without defaults; another filter or order leads back to the first row."""
        wanted = replace(self.places, **({"offset": 0} | changes if changes else {}))
        values = {name: getattr(wanted, name) for name in _DEFAULTS}
        return encode_query({name: value for name, value in values.items() if value != _DEFAULTS[name]})

    def sorted_by(self, order_by: str) -> str:
        """Return the link of a column's header."""
        current = self.places.sort_order if order_by == self.places.order_by else None
        return self.link(order_by=order_by, sort_order=next_sort_order("desc", current))


_DEFAULTS = {field.name: field.default for field in fields(Places) if field.name != "limit"}
