"""Tag owners: the categories and releases whose tags the service knows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import cached_property

from econweb.dashboard.files.provenance import name_live_service
from econweb.dashboard.page_links import url_path, with_query
from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.upstream import service
from econweb.upstream.queries import TagQuery
from econweb.upstream.records import TagPage

PLURALS = {"category": "categories", "release": "releases"}
HEADINGS = {kind: name.capitalize() for kind, name in PLURALS.items()}
# In a deep tree, a page names the nearest ones.
MAX_PARENTS = 6
# Letters of a note that are beside the title; a longer one is cut, and unfolds.
MAX_NOTE = 80


@dataclass(frozen=True)
class TagOwner:
    """One category or release with its name from the label book."""

    kind: str
    number: int
    name: str = ""
    note: str = ""
    # False for the owner of a frozen copy, whose tags never change.
    is_live: ClassVar[bool] = True

    def current(self) -> "TagOwner":
        """Return this owner with its label of now."""
        return get_owner(self.kind, self.number)

    def revision(self) -> object:
        """Return what changes with the words that a page says about the owner."""
        # A category also names its parents and children.
        return labels.revision() if self.kind == "category" else (self.name, self.note)

    @property
    def title(self) -> str:
        return f"{self.kind.capitalize()} {self.number}"

    @property
    def folded_note(self) -> tuple[str, str] | None:
        """Return the beginning of a note that is too long for one line, and the rest; None for a short note."""
        note = self.note.strip()
        line = next(iter(note.splitlines()), "")
        if len(line) > MAX_NOTE:
            blank = line.rfind(" ", MAX_NOTE // 2, MAX_NOTE)
            line = line[: MAX_NOTE if blank < 0 else blank]
        return (line, note[len(line) :].strip()) if line != note else None

    @property
    def full_title(self) -> str:
        return " · ".join(filter(None, (self.name, self.title)))

    @property
    def pack(self) -> str:
        """Return the link to the appendix pack, where there is one."""
        return ""

    @property
    def name_in_files(self) -> str:
        """Return the name in files that are not printed."""
        return self.name

    @property
    def service_address(self) -> str:
        """Return the address of the service that the tags come from; empty for the embedded one."""
        return str(settings.ECON_BASE_URL)

    @property
    def service_name(self) -> str:
        """Return the name of that service in files."""
        return name_live_service()

    @property
    def searched_text(self) -> str:
        """Return the words by which the service found all tags that are here; empty where none is left out."""
        return ""

    @property
    def restriction(self) -> str:
        """Return the words that say so, also in the middle of a sentence."""
        return ""

    def context(self, request: HttpRequest) -> dict[str, object]:
        """Return what the templates of a frozen copy need."""
        return {}

    def asked_day(self, query: TagQuery) -> date | None:
        """Return the last day that the view asks for."""
        return query.realtime_end

    def parents(self) -> Sequence[Label]:
        """Return the nearest categories that this one is part of, without the one that all are part of."""
        if self.kind != "category":
            return ()
        tree = labels.category_tree()
        root = tree.lone_root()
        return [label for label in tree.path(self.number) if label is not root][-MAX_PARENTS:]

    def children(self) -> Sequence[Label]:
        return labels.category_tree().children(self.number) if self.kind == "category" else ()

    @cached_property
    def path(self) -> str:
        return url_path("tags", self.kind, self.number)

    @property
    def has_similar(self) -> bool:
        """Return whether this site may know what is similar."""
        return bool(settings.ECON_MAY_STORE)

    def link(self, query: TagQuery, **changes: Any) -> str:
        return with_query(self.path, query.query_string(**changes))

    def tags(self, query: TagQuery, renew: bool = False) -> TagPage:
        return service.tags(self.kind, self.number, query, renew)

    def whole_set(self, query: TagQuery, page: TagPage) -> TagPage | None:
        """Return a page of all tags of the owner: this one, or under a search a cached one, if any."""
        return self._cached_tags(query.without_filters()) if query.search_text else page

    def count_without_words(self, query: TagQuery) -> int | None:
        """Return the number of tags without the search text, if that list is cached; send no request."""
        unfiltered = self._cached_tags(query.replace(search_text=""))
        return unfiltered.count if unfiltered else None

    def _cached_tags(self, query: TagQuery) -> TagPage | None:
        return service.cached_tags(self.kind, self.number, query)


def get_owner(kind: str, number: int) -> TagOwner:
    label = labels.get_label(kind, number)
    return TagOwner(kind, number, label.name, label.note) if label else TagOwner(kind, number)
