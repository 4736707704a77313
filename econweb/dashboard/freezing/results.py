"""A list of frozen copies: a page of its rows."""

from dataclasses import dataclass
from functools import cached_property

from django.db.models import QuerySet

from econweb.accounts.people import Person
from econweb.dashboard.entry_checks import describe_audience
from econweb.dashboard.freezing.query import CopiesQuery
from econweb.dashboard.list_pages import has_words
from econweb.dashboard.paging import Paging
from econweb.library.models import FrozenCopy
from econweb.library.public_copies import public_copies
from econweb.library.rights import visible_to

ROWS_PER_PAGE = 50


@dataclass(frozen=True)
class CopyList:
    """The copies of a query: all that a person may see, or without a person those that are public and kept."""

    query: CopiesQuery
    person: Person | None

    @cached_property
    def _seen(self) -> QuerySet[FrozenCopy]:
        return FrozenCopy.objects.filter(visible_to(self.person)) if self.person else public_copies()

    @cached_property
    def _found(self) -> QuerySet[FrozenCopy]:
        found = self._seen.filter(target=self.query.target) if self.query.target else self._seen
        return found.filter(has_words(self.query.q, "reason", self.person, ("id", "sha256", "view_sha256")))

    def is_any_there(self) -> bool:
        return self._seen.exists()

    @cached_property
    def paging(self) -> Paging:
        return Paging(self._found.count(), self.query.offset, ROWS_PER_PAGE)

    @cached_property
    def rows(self) -> list[FrozenCopy]:
        return list(self._found.order_by("-created", "pk")[self.paging.window])

    def revision(self) -> object:
        """Return all that the page for everyone shows of its rows: moments may be equal, or come in another order."""
        rows = [(copy.pk, copy.title, copy.view_rows, copy.rows, copy.created) for copy in self.rows]
        return rows, self.paging.total, self.is_any_there()

    def state_of(self, copy: FrozenCopy) -> str:
        if copy.withdrawn:
            return "Withdrawn"
        return "Expired" if copy.is_expired else describe_audience(copy)
