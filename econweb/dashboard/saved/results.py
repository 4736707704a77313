"""The saved views of a query as a table: a page of rows, and what to choose among them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, QuerySet

from econweb.accounts.people import Person
from econweb.dashboard.display.controls import Chip, count_chosen
from econweb.dashboard.list_pages import has_words
from econweb.dashboard.page_links import url_path
from econweb.dashboard.paging import Paging
from econweb.dashboard.saved.query import KINDS, SavedQuery
from econweb.library.models import SavedView
from econweb.library.rights import may_edit, may_see, visible_to

ROWS_PER_PAGE = 50


def link_of(view: SavedView) -> str:
    """Return the address of a saved view: the one for all if all may see it."""
    return url_path("saved_view" if may_see(view, None) else "my_saved_view", view.slug)


@dataclass(frozen=True)
class SavedList:
    """The saved views of a query that a person may see; without a person, those for everyone."""

    query: SavedQuery
    person: Person | None

    @cached_property
    def _seen(self) -> QuerySet[SavedView]:
        return SavedView.objects.filter(visible_to(self.person), removed=None)

    @cached_property
    def _named(self) -> QuerySet[SavedView]:
        """Return those with the words and of the person, of every kind."""
        found = self._seen.filter(person=self.query.person) if self.query.person else self._seen
        return found.filter(has_words(self.query.q, "note", self.person))

    @cached_property
    def counts(self) -> dict[str, int]:
        return dict(self._named.order_by().values_list("kind").annotate(Count("slug")))

    def is_any_there(self) -> bool:
        return self._seen.exists()

    @cached_property
    def paging(self) -> Paging:
        return Paging(count_chosen(self.counts, self.query.kind), self.query.offset, ROWS_PER_PAGE)

    @cached_property
    def rows(self) -> list[SavedView]:
        found = self._named.filter(kind=self.query.kind) if self.query.kind else self._named
        return list(found.order_by("-is_pinned", "-changed", "slug")[self.paging.window])

    def revision(self) -> object:
        """Return all that the page for everyone shows of its rows: moments may be equal, or come in another order."""
        rows = [(view.slug, view.title, view.note, view.kind, view.is_pinned, view.changed) for view in self.rows]
        return rows, sorted(self.counts.items()), self.is_any_there()

    def kinds(self) -> Iterator[Chip]:
        return self.query.chips("kind", KINDS, self.counts)

    def may_edit(self, view: SavedView) -> bool:
        return may_edit(view, self.person)

    def in_words(self) -> str:
        parts = [f"of {self.query.person}"] if self.query.person else []
        parts += [f"with “{self.query.q}”"] if self.query.q else []
        return " ".join(parts)
