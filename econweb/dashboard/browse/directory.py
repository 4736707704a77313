"""The directory: the names of the label book, whole, a branch of the tree, or those that match."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from econweb.dashboard.browse.query import BrowseQuery
from econweb.dashboard.lookup.tag_owners import HEADINGS
from econweb.dashboard.page_links import url_path
from econweb.dashboard.paging import Paging, Step
from econweb.dashboard.rendering.filters import age
from econweb.label_book.lookup import alphabetical, category_tree
from econweb.label_book.models import Label
from econweb.search_index.tags.owners import read_counts
from econweb.upstream import service
from econweb.upstream.queries import TAG_OWNERS
from econweb.upstream.records import TagCounts

# Rows of a page. A list of all 5,200 categories at once would be half a megabyte.
MAX_ROWS = 200
# Rows of a branch, each with a button that opens it: a page has at most 60 kB.
MAX_BRANCHES = 120
# Rows of each kind on the first page of the directory.
MAX_ON_FIRST_PAGE = 60


@dataclass(frozen=True)
class Row:
    """A name with what is known of it without a request."""

    label: Label
    known: TagCounts | None = None
    # The number of categories in it, where the row can be opened.
    below: int = 0
    # The category that it is part of, where the tree does not show that.
    parent: str = ""

    @property
    def age(self) -> str:
        return age(self.known.fetched) if self.known else ""

    @property
    def link(self) -> str:
        return url_path("tags", self.label.kind, self.label.number)


@dataclass(frozen=True)
class Section:
    """The names of one kind that a page lists."""

    query: BrowseQuery
    kind: str
    found: Sequence[Label]
    size: int = MAX_ROWS
    # A branch of the tree: its rows can be opened.
    is_branch: bool = False

    @property
    def title(self) -> str:
        return HEADINGS[self.kind]

    @cached_property
    def rows(self) -> list[Row]:
        labels = self.found[self.paging.window]
        known = _known_counts(self.kind, [label.number for label in labels])
        tree = category_tree()
        return [
            Row(
                label,
                known.get(label.number),
                tree.count_below(label.number) if self.is_branch else 0,
                _parent_of(label) if self.query.text else "",
            )
            for label in labels
        ]

    @cached_property
    def paging(self) -> Paging:
        return Paging(len(self.found), self.query.offset if self.query.kind == self.kind else 0, self.size)

    @property
    def is_first_page(self) -> bool:
        return not self.query.kind and not self.query.text

    @property
    def all_link(self) -> str:
        """Return the link to the page of this kind, for the first page of the directory."""
        return self.query.link(kind=self.kind, offset=0)

    @cached_property
    def all_count(self) -> int:
        if self.query.text:
            return len(self.found)
        is_root_hidden = self.kind == "category" and bool(category_tree().lone_root()) and not shown_root()
        return len(alphabetical(self.kind)) - is_root_hidden

    @cached_property
    def letters(self) -> list[tuple[str, str]]:
        """Return each letter and the link to its first name, for a list that is too long for a page."""
        if self.paging.last_number == 1 or not self.query.kind:
            return []
        groups = groupby(range(len(self.found)), lambda index: initial(self.found[index]))
        links = [(letter, self._link(next(indexes))) for letter, indexes in groups]
        return links if len(links) > 1 else []

    @cached_property
    def steps(self) -> list[Step]:
        return self.paging.steps(self._link) if self.query.kind else []

    def _link(self, offset: int) -> str:
        return self.query.link(kind=self.kind, offset=offset)


def initial(label: Label) -> str:
    """Return the capital that the name is listed under; names that begin with no letter are listed under #."""
    first = label.words.strip()[:1].upper()
    return first if first.isalpha() else "#"


def build_sections(query: BrowseQuery) -> list[Section]:
    """Return a section for each kind that the query asks for."""
    if query.text or query.kind == "release":
        kinds = [kind for kind in TAG_OWNERS if query.kind in {"", kind}]
        return [Section(query, kind, alphabetical(kind, query.text), MAX_ROWS // len(kinds)) for kind in kinds]
    if query.kind:
        return [Section(query, "category", branch_at(query.at), MAX_BRANCHES, is_branch=True)]
    top = Section(query, "category", branch_at(None), MAX_ON_FIRST_PAGE, is_branch=True)
    return [top, Section(query, "release", alphabetical("release"), MAX_ON_FIRST_PAGE)]


def branch_at(number: int | None) -> Sequence[Label]:
    """Return the categories in a category; at the top, those in a lone root, since that one says nothing."""
    tree = category_tree()
    if number is not None:
        return tree.children(number)
    root = tree.lone_root()
    return tree.children(root.number) if root else tree.top


def shown_root() -> Label | None:
    """Return the category that all others are part of, unless it is known to have no tags."""
    root = category_tree().lone_root()
    known = _known_counts("category", [root.number]).get(root.number) if root else None
    return None if known and not known.tags else root


def _known_counts(kind: str, numbers: Sequence[int]) -> dict[int, TagCounts]:
    """Return the counts of the index, or those that this process has read later."""
    known = read_counts(kind, numbers)
    for number, counts in service.known_tag_counts(kind, numbers).items():
        if number not in known or known[number].fetched < counts.fetched:
            known[number] = counts
    return known


def _parent_of(label: Label) -> str:
    path = category_tree().path(label.number)[-1:] if label.kind == "category" else []
    return path[0].name if path else ""
