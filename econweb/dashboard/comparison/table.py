"""A comparison of tags: its summary, headers, filters, pages and picture."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.functional import cached_property
from django.utils.html import format_html

from econweb.dashboard.comparison.picture import Picture, draw
from econweb.dashboard.comparison.query import MAX_COMPARISON_ROWS, CompareQuery
from econweb.dashboard.comparison.sources import name_sources
from econweb.dashboard.comparison.summary import Summary, summarise_tags
from econweb.dashboard.comparison.tags import (
    ComparedTag,
    compare_tags,
    count_by_presence,
    filter_and_sort,
    has_shares,
)
from econweb.dashboard.display.controls import Chip, ColumnHeader, sorting_header
from econweb.dashboard.error_texts.messages import NO_TOTAL
from econweb.dashboard.lookup.tag_owners import TagOwner
from econweb.dashboard.paging import Paging, Step
from econweb.dashboard.rendering.filters import plural, unbroken
from econweb.upstream.queries import group_label
from econweb.upstream.records import TagPage


@dataclass(frozen=True)
class TagComparison:
    """The comparison for the template and for files."""

    query: CompareQuery
    owners: Mapping[str, TagOwner]
    pages: Mapping[str, TagPage]

    @cached_property
    def all_rows(self) -> list[ComparedTag]:
        return compare_tags(list(self.pages.values()))

    @cached_property
    def view(self) -> list[ComparedTag]:
        return filter_and_sort(self.all_rows, self.query)

    def page_rows(self) -> list[ComparedTag]:
        return self.view[self.query.offset : self.query.offset + MAX_COMPARISON_ROWS]

    @cached_property
    def names(self) -> dict[str, str]:
        return name_sources(self.query.sources)

    @cached_property
    def summary(self) -> Summary:
        return summarise_tags(self.all_rows, self.names, self.has_shares)

    @cached_property
    def picture(self) -> Picture:
        return draw(self.view, self.query.letters, self.has_shares)

    @property
    def is_pair(self) -> bool:
        return len(self.names) == 2

    @property
    def everywhere(self) -> str:
        return ("both", "all three", "all four", "all five", "all six")[len(self.names) - 2]

    @cached_property
    def has_ratios(self) -> bool:
        """Return whether any row has a ratio: tags of one source only have none."""
        return any(row.ratio is not None for row in self.view)

    def columns(self) -> Iterator[ColumnHeader]:
        yield sorting_header(self.query, "name", "Tag")
        yield sorting_header(self.query, "group_id", "Group")
        for letter, name in self.names.items():
            yield sorting_header(
                self.query, letter, format_html("<bdi>{}</bdi>", unbroken(name)), f"number source-{letter}"
            )
        for key, (name, title) in self.gap_columns().items():
            yield sorting_header(self.query, key, name, "number difference", title)

    def gap_columns(self) -> dict[str, tuple[str, str]]:
        """Return name and title of the columns that compare: two for a pair, one for more sources."""
        what, unit = ("share", " (points)") if self.has_shares else ("number of series", "")
        if not self.is_pair:
            return {"spread": (f"Spread{unit}", f"Spread: highest {what} minus the lowest")}
        first, last = self.names.values()
        earlier, later = self.query.sources.values()
        # One thing on two days, the earlier one first.
        is_change = earlier.owner == later.owner and (earlier.day or date.max) < (later.day or date.max)
        word = "Change" if is_change else "Difference"
        ratio = {"ratio": ("Ratio", f"Ratio: {what} in {last} divided by {what} in {first}")} if self.has_ratios else {}
        return {"difference": (f"{word}{unit}", f"{word}: {what} in {last} minus {what} in {first}")} | ratio

    def only_chips(self) -> Iterator[Chip]:
        names = {"all": f"In {self.everywhere}"}
        names |= {letter: format_html("Only in <bdi>{}</bdi>", name) for letter, name in self.names.items()}
        yield Chip("All tags", self.query.replace(only="").link(), len(self.all_rows), not self.query.only)
        for key, count in count_by_presence(self.all_rows, self.query.letters).items():
            yield Chip(names[key], self.query.replace(only=key).link(), count, key == self.query.only)

    @cached_property
    def groups(self) -> list[str]:
        return list(dict.fromkeys(group for page in self.pages.values() for group in page.group_counts))

    def group_chips(self) -> Iterator[Chip]:
        current = self.query.tag_group_id
        yield Chip("All groups", self.query.replace(tag_group_id="").link(), is_current=not current)
        for group in self.groups:
            name = group_label(group)
            yield Chip(name, self.query.replace(tag_group_id=group).link(), is_current=group == current)

    def unfiltered(self) -> str:
        return self.query.replace(tag_group_id="", only="").link()

    @cached_property
    def paging(self) -> Paging:
        return Paging(len(self.view), self.query.offset, MAX_COMPARISON_ROWS)

    def last_page(self) -> str:
        return self._link_to(self.paging.last)

    @cached_property
    def steps(self) -> list[Step]:
        return self.paging.steps(self._link_to)

    def _link_to(self, offset: int) -> str:
        return self.query.replace(offset=offset).link()

    def range_text(self) -> str:
        return f"{self.paging.range_text()} tag{plural(len(self.view))}"

    @property
    def note_on_shares(self) -> str:
        """Say why shares are left out; empty where there are some, and where a source is the result of a search."""
        wrong = [self.names[letter] for letter, page in self.pages.items() if page.has_contradicting_counts]
        if not wrong or any(one.copy and one.copy.search_text for one in self.query.sources.values()):
            return ""
        return f"Shares are left out: of {' and '.join(wrong)}, {NO_TOTAL}."

    @property
    def has_shares(self) -> bool:
        return has_shares(self.pages.values())
