"""A comparison of tags: headers, filters, pages and a picture of shares."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.functional import cached_property

from econweb.dashboard.comparison.query import MAX_COMPARISON_ROWS, CompareQuery
from econweb.dashboard.comparison.tags import (
    ComparedTag,
    compare_tags,
    count_by_presence,
    filter_and_sort,
    shares_known,
)
from econweb.dashboard.display import groups
from econweb.dashboard.display.controls import DIRECTIONS, Chip, ColumnHeader
from econweb.dashboard.sources import TagOwner
from econweb.upstream.records import TagPage

# Of the picture: its number of tags, and its size in SVG units.
MAX_LINES, WIDTH, LINE_HEIGHT = 15, 300, 20
MARGIN = 30
# Letters closer to each other would overlap.
MARK_STEP = 12


@dataclass(frozen=True)
class Mark:
    """The sources at one place of a line in the picture."""

    letters: str
    x: float

    @property
    def width(self) -> int:
        return 4 + 4 * len(self.letters)


@dataclass(frozen=True)
class Line:
    """One tag in the picture."""

    name: str
    y: int
    marks: tuple[Mark, ...]

    @property
    def left(self) -> float:
        return min(mark.x for mark in self.marks)

    @property
    def right(self) -> float:
        return max(mark.x for mark in self.marks)


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

    def shown(self) -> list[ComparedTag]:
        return self.view[self.query.offset : self.query.offset + MAX_COMPARISON_ROWS]

    def columns(self) -> Iterator[ColumnHeader]:
        heads = {"name": "Tag", "group_id": "Group"}
        heads |= {letter: f"{letter}: {side.title}" for letter, side in self.query.sources.items()}
        heads |= {key: name for key, (name, _) in self.difference_and_ratio().items()}
        for key, name in heads.items():
            following = self.query.sorted_by(key)
            direction = DIRECTIONS[self.query.sort_order] if key == self.query.order_by else ""
            kind = "" if key in {"name", "group_id"} else "number"
            _, title = self.difference_and_ratio().get(key, ("", ""))
            yield ColumnHeader(key, name, following.address(), direction, DIRECTIONS[following.sort_order], kind, title)

    def difference_and_ratio(self) -> dict[str, tuple[str, str]]:
        """Return name and title of the two columns that compare the last source with the first."""
        first, last = self.query.letters[0], self.query.letters[-1]
        what, unit = ("shares", ", points") if self.shares_known else ("counts", "")
        difference, ratio = f"{last} \N{MINUS SIGN} {first}{unit}", f"{last} : {first}"
        return {
            "difference": (difference, f"Difference of {what}, {difference}"),
            "ratio": (ratio, f"Ratio of {what}, {ratio}"),
        }

    def only_chips(self) -> Iterator[Chip]:
        names = {"all": "in all"} | {letter: f"only in {letter}" for letter in self.owners}
        yield Chip("", "All tags", self.query.replace(only="").address(), len(self.all_rows), not self.query.only)
        for key, count in count_by_presence(self.all_rows, self.query.letters).items():
            yield Chip(key, names[key], self.query.replace(only=key).address(), count, key == self.query.only)

    @cached_property
    def groups(self) -> list[str]:
        return list(dict.fromkeys(group for page in self.pages.values() for group in page.group_counts))

    def group_chips(self) -> Iterator[Chip]:
        current = self.query.tag_group_id
        yield Chip("", "All groups", self.query.replace(tag_group_id="").address(), current=not current)
        for group in self.groups:
            name = groups.group_label(group)
            yield Chip(group, name, self.query.replace(tag_group_id=group).address(), current=group == current)

    def unfiltered(self) -> str:
        return self.query.replace(tag_group_id="", only="").address()

    @property
    def last_number(self) -> int:
        return self._last_offset // MAX_COMPARISON_ROWS + 1

    def last_page(self) -> str:
        return self._link_to_offset(self._last_offset)

    def steps(self) -> Iterator[tuple[str, str, str]]:
        """Yield relation (RFC 8288), label and link of each neighbouring page."""
        offset = self.query.offset
        if offset:
            # The offset may be far past the last page.
            before = min(self._last_offset, max(0, offset - MAX_COMPARISON_ROWS))
            yield "prev", "Previous", self._link_to_offset(before)
        if offset + MAX_COMPARISON_ROWS < len(self.view):
            yield "next", "Next", self._link_to_offset(offset + MAX_COMPARISON_ROWS)

    @property
    def _last_offset(self) -> int:
        return max(0, len(self.view) - 1) // MAX_COMPARISON_ROWS * MAX_COMPARISON_ROWS

    def _link_to_offset(self, offset: int) -> str:
        return self.query.replace(offset=offset).address()

    def span(self) -> str:
        offset, rows = self.query.offset, len(self.view)
        tags = "tag" if rows == 1 else "tags"
        return f"{offset + 1:,}–{offset + len(self.shown()):,} of {rows:,} {tags}"

    @property
    def shares_known(self) -> bool:
        return shares_known(self.pages.values())

    def lines(self) -> list[Line]:
        """Return the lines of the picture for the first rows of the view."""
        return [
            Line(row.name, LINE_HEIGHT * at + LINE_HEIGHT // 2, self._build_marks(row))
            for at, row in enumerate(self.view[:MAX_LINES])
        ]

    def scale_labels(self) -> list[tuple[int, str]]:
        """Return place and text of the labels below the picture."""
        unit = "%" if self.shares_known else ""
        return [(MARGIN, f"0{unit}"), (WIDTH - MARGIN, f"{self._max_size:,}{unit}")]

    @cached_property
    def _max_size(self) -> int:
        if self.shares_known:
            return 100
        return max((count for row in self.view[:MAX_LINES] for count in row.counts if count), default=1)

    def _build_marks(self, row: ComparedTag) -> tuple[Mark, ...]:
        """Return the marks of a row; sources at the same place share one."""
        letters: dict[int, str] = {}
        for letter, count, size in zip(self.query.letters, row.counts, row.sizes, strict=True):
            if count is not None:
                # Shares of approximate counts may exceed 100 %.
                x = round((WIDTH - 2 * MARGIN) * min(size / self._max_size, 1) / MARK_STEP) * MARK_STEP
                letters[x] = letters.get(x, "") + letter
        return tuple(Mark(found, MARGIN + x) for x, found in letters.items())

    def height(self) -> int:
        """Return the height with a line for the scale."""
        return LINE_HEIGHT * (len(self.view[:MAX_LINES]) + 1)
