"""What stands around the rows of a comparison of tags: heads, filters, pages and a picture of shares."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.functional import cached_property

from econweb.dashboard import groups
from econweb.dashboard.compare_query import MOST_ROWS, CompareQuery
from econweb.dashboard.compare_tags import Compared, compared, in_view, shares_known, tallies
from econweb.dashboard.controls import DIRECTIONS, Chip, Head
from econweb.dashboard.sources import Source
from econweb.upstream.records import TagPage

# Of the picture: how many tags, and its size in its own units.
DRAWN, WIDTH, LINE = 15, 300, 20
MARGIN = 30
# Nearer to each other, two letters could not be read.
STEP = 12


@dataclass(frozen=True)
class Mark:
    """Sources at one place in one line of the picture."""

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
    """Everything that a template or a file asks of it."""

    query: CompareQuery
    sources: Mapping[str, Source]
    pages: Mapping[str, TagPage]

    @cached_property
    def every(self) -> list[Compared]:
        return compared(list(self.pages.values()))

    @cached_property
    def view(self) -> list[Compared]:
        return in_view(self.every, self.query)

    def shown(self) -> list[Compared]:
        return self.view[self.query.offset : self.query.offset + MOST_ROWS]

    def columns(self) -> Iterator[Head]:
        heads = {"name": "Tag", "group_id": "Group"}
        heads |= {letter: f"{letter}: {side.title}" for letter, side in self.query.sides.items()}
        heads |= {key: name for key, (name, _) in self.ends().items()}
        for key, name in heads.items():
            following = self.query.ordered(key)
            direction = DIRECTIONS[self.query.sort_order] if key == self.query.order_by else ""
            kind = "" if key in {"name", "group_id"} else "number"
            _, title = self.ends().get(key, ("", ""))
            yield Head(
                key, name, following.address(), direction, DIRECTIONS[following.sort_order], kind, title
            )

    def ends(self) -> dict[str, tuple[str, str]]:
        """Of the last source and the first: the name of each column, and what it means."""
        first, last = self.query.letters[0], self.query.letters[-1]
        what, unit = ("shares", ", points") if self.shares_known else ("counts", "")
        difference, ratio = f"{last} \N{MINUS SIGN} {first}{unit}", f"{last} : {first}"
        return {
            "difference": (difference, f"Difference of {what}, {difference}"),
            "ratio": (ratio, f"Ratio of {what}, {ratio}"),
        }

    def only_chips(self) -> Iterator[Chip]:
        names = {"all": "in all"} | {letter: f"only in {letter}" for letter in self.sources}
        yield Chip(
            "", "All tags", self.query.replace(only="").address(), len(self.every), not self.query.only
        )
        for key, count in tallies(self.every, self.query.letters).items():
            yield Chip(key, names[key], self.query.replace(only=key).address(), count, key == self.query.only)

    @cached_property
    def groups(self) -> list[str]:
        return list(dict.fromkeys(group for page in self.pages.values() for group in page.group_counts))

    def group_chips(self) -> Iterator[Chip]:
        current = self.query.tag_group_id
        yield Chip("", "All groups", self.query.replace(tag_group_id="").address(), current=not current)
        for group in self.groups:
            name = groups.name_of(group)
            yield Chip(
                group, name, self.query.replace(tag_group_id=group).address(), current=group == current
            )

    def unfiltered(self) -> str:
        return self.query.replace(tag_group_id="", only="").address()

    @property
    def last_number(self) -> int:
        return self._last_offset // MOST_ROWS + 1

    def last_page(self) -> str:
        return self._page(self._last_offset)

    def steps(self) -> Iterator[tuple[str, str, str]]:
        """Relation (RFC 8288), words and link."""
        offset = self.query.offset
        if offset:
            # Before a page past the end there may be another one past the end.
            before = min(self._last_offset, max(0, offset - MOST_ROWS))
            yield "prev", "Previous", self._page(before)
        if offset + MOST_ROWS < len(self.view):
            yield "next", "Next", self._page(offset + MOST_ROWS)

    @property
    def _last_offset(self) -> int:
        return max(0, len(self.view) - 1) // MOST_ROWS * MOST_ROWS

    def _page(self, offset: int) -> str:
        return self.query.replace(offset=offset).address()

    def span(self) -> str:
        offset, rows = self.query.offset, len(self.view)
        tags = "tag" if rows == 1 else "tags"
        return f"{offset + 1:,}–{offset + len(self.shown()):,} of {rows:,} {tags}"

    @property
    def shares_known(self) -> bool:
        return shares_known(self.pages.values())

    def lines(self) -> list[Line]:
        """The first rows of the view."""
        return [
            Line(row.name, LINE * at + LINE // 2, self._marks(row))
            for at, row in enumerate(self.view[:DRAWN])
        ]

    def ends_of_scale(self) -> list[tuple[int, str]]:
        """Where they stand under the picture, and their words."""
        unit = "%" if self.shares_known else ""
        return [(MARGIN, f"0{unit}"), (WIDTH - MARGIN, f"{self._most:,}{unit}")]

    @cached_property
    def _most(self) -> int:
        if self.shares_known:
            return 100
        return max((count for row in self.view[:DRAWN] for count in row.counts if count), default=1)

    def _marks(self, row: Compared) -> tuple[Mark, ...]:
        """What would lie on top of each other is one mark."""
        letters: dict[int, str] = {}
        for letter, count, size in zip(self.query.letters, row.counts, row.sizes, strict=True):
            if count is not None:
                # Shares of approximate counts may be more than all.
                x = round((WIDTH - 2 * MARGIN) * min(size / self._most, 1) / STEP) * STEP
                letters[x] = letters.get(x, "") + letter
        return tuple(Mark(found, MARGIN + x) for x, found in letters.items())

    def height(self) -> int:
        """With a line for the scale."""
        return LINE * (len(self.view[:DRAWN]) + 1)
