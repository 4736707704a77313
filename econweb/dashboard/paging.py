"""Pages of a long list: their numbers, their neighbours, and which rows a page has."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


class Step(NamedTuple):
    """A link to a neighbouring page, with its relation (RFC 8288)."""

    relation: str
    words: str
    link: str


@dataclass(frozen=True)
class Paging:
    """The page of `size` rows that begins at `offset`; a link may give any offset, also one past the end."""

    total: int
    offset: int
    size: int

    @property
    def window(self) -> slice:
        """Return which rows of the list the page has."""
        return slice(self.offset, self.offset + self.size)

    @property
    def number(self) -> int:
        return self.offset // self.size + 1

    @property
    def last_number(self) -> int:
        return max(1, -(-self.total // self.size))

    @property
    def last(self) -> int:
        """The offset of the last page."""
        return (self.last_number - 1) * self.size

    @property
    def previous(self) -> int | None:
        if not self.offset:
            return None
        # The page before one past the end may be past the end as well.
        return max(0, self.offset - self.size) if self.offset < self.total else self.last

    @property
    def following(self) -> int | None:
        following = self.offset + self.size
        return following if following < self.total else None

    def steps(self, link: Callable[[int], str]) -> list[Step]:
        """Return the neighbouring pages that exist; `link` makes the link to an offset."""
        steps = (("prev", "Previous", self.previous), ("next", "Next", self.following))
        return [Step(relation, words, link(offset)) for relation, words, offset in steps if offset is not None]

    def range_text(self) -> str:
        """Return which rows of how many the page has; the number alone where it has all of them."""
        if not self.offset and self.total <= self.size:
            return f"{self.total:,}"
        if self.offset >= self.total:
            return f"none of {self.total:,}"
        return f"{self.offset + 1:,}–{min(self.offset + self.size, self.total):,} of {self.total:,}"
