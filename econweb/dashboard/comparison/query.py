"""The query of a comparison: two to six sources, each optionally on a day, and the rows to show."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from econweb.accounts.people import Person
from econweb.dashboard.comparison.sources import ComparedSource
from econweb.dashboard.page_links import encode_query, url_path, with_query
from econweb.upstream.queries import next_sort_order

MIN_SOURCES = 2
MAX_COMPARISON_ROWS = 100


def compare_path(person: Person | None) -> str:
    """Return the path of the page: below /me/, copies that others may not see can be compared as well."""
    return url_path("my_compare" if person else "compare")


@dataclass(frozen=True)
class CompareQuery:
    """One view. `order_by` is the letter of a source, `difference`, `ratio`, `spread`, or a field of a tag."""

    sources: Mapping[str, ComparedSource] = field(default_factory=dict)
    tag_group_id: str = ""
    # `all`, or the letter of the only source that has the tag.
    only: str = ""
    order_by: str = "a"
    sort_order: str = "desc"
    offset: int = 0
    # None on public pages.
    person: Person | None = None

    @property
    def letters(self) -> str:
        return "".join(self.sources)

    @property
    def titles(self) -> str:
        return " · ".join(source.title_in_files for source in self.sources.values())

    @property
    def services(self) -> str:
        return "; ".join(dict.fromkeys(source.service for source in self.sources.values()))

    def query_string(self) -> str:
        values = {letter: str(source) for letter, source in self.sources.items()}
        names = [one.name for one in fields(self) if one.name not in {"sources", "person"}]
        changed = {name: str(value) for name in names if (value := getattr(self, name)) != getattr(CompareQuery, name)}
        return encode_query(values | changed)

    def link(self) -> str:
        return with_query(compare_path(self.person), self.query_string())

    def without_days(self) -> "CompareQuery":
        return replace(self, sources={letter: replace(one, day=None) for letter, one in self.sources.items()})

    def replace(self, **changes: object) -> "CompareQuery":
        return replace(self, **{"offset": 0, **changes})  # type: ignore[arg-type]

    def sorted_by(self, order_by: str) -> "CompareQuery":
        """Return the view that a column's header links to."""
        own = "asc" if order_by in {"name", "group_id"} else "desc"
        sort_order = next_sort_order(own, self.sort_order if order_by == self.order_by else None)
        return self.replace(order_by=order_by, sort_order=sort_order)
