"""The directory: the names of the label book from A to Z, whole or those that match."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from econweb.dashboard.browse.query import KINDS, BrowseQuery
from econweb.dashboard.links import url_path
from econweb.label_book.lookup import alphabetical
from econweb.label_book.models import Label

# Rows of each kind. A list of all 5,200 categories at once would be half a megabyte.
MAX_ROWS = 200
PLURALS = {"category": "categories", "release": "releases"}


@dataclass(frozen=True)
class Step:
    """A link to another part of a long list."""

    words: str
    link: str


@dataclass(frozen=True)
class Section:
    """The names of one kind that a page lists."""

    query: BrowseQuery
    kind: str
    found: Sequence[Label]

    @property
    def title(self) -> str:
        return PLURALS[self.kind].capitalize()

    @property
    def rows(self) -> Sequence[Label]:
        return self.found[self.offset : self.offset + MAX_ROWS]

    @property
    def offset(self) -> int:
        return self.query.offset if self.query.kind == self.kind else 0

    @property
    def is_cut(self) -> bool:
        return len(self.found) > MAX_ROWS

    def span(self) -> str:
        """Return which rows are shown, such as `1–200 of 5,200`, or how many there are."""
        if not self.is_cut:
            return f"{len(self.found):,}"
        return f"{self.offset + 1:,}–{self.offset + len(self.rows):,} of {len(self.found):,}"

    def letters(self) -> list[Step]:
        """Return a link to the first name of each letter, for a list that is too long for a page."""
        if not self.is_cut:
            return []
        groups = groupby(range(len(self.found)), lambda place: initial(self.found[place]))
        return [Step(letter, self._link(next(places))) for letter, places in groups]

    def steps(self) -> list[Step]:
        earlier, later = self.offset - MAX_ROWS, self.offset + MAX_ROWS
        steps = [Step("Previous", self._link(max(earlier, 0)))] if self.offset else []
        return [*steps, Step("Next", self._link(later))] if later < len(self.found) else steps

    def link_of(self, label: Label) -> str:
        return url_path("tags", label.kind, label.number)

    def _link(self, offset: int) -> str:
        return self.query.link(kind=self.kind, offset=offset)


def initial(label: Label) -> str:
    """Return the capital that the name is listed under; names that begin with no letter are listed under #."""
    first = label.words.strip()[:1].upper()
    return first if first.isalpha() else "#"


def build_sections(query: BrowseQuery) -> list[Section]:
    """Return a section for each kind that the query asks for."""
    return [Section(query, kind, alphabetical(kind, query.text)) for kind in KINDS if query.kind in {"", kind}]
