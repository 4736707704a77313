"""The watches of a person as a table: a page of rows, and what to choose among them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from econweb.accounts.people import Person
from econweb.dashboard.display.controls import Chip
from econweb.dashboard.page_links import page_link
from econweb.dashboard.paging import Paging
from econweb.dashboard.watches.query import WatchQuery
from econweb.dashboard.watches.targets import KINDS, Followed, describe, titles_of
from econweb.watching.models import Watch
from econweb.watching.watches import watches_of

ROWS_PER_PAGE = 50
# Why the last look failed, by the name of the error.
FAILURES = {
    # What the provider says it does not have is no failure.
    "NotFound": "the provider sent an error without a message",
    "Refused": "the provider refused the request",
    "WrongValue": "the provider refused the request",
    "Busy": "the provider was busy",
    "Unavailable": "the provider did not answer",
    "BadReply": "the reply of the provider was not valid",
}


@dataclass(frozen=True)
class Row:
    """A watch, what it follows, and how the looks at its sources went."""

    watch: Watch
    followed: Followed
    changed: datetime | None
    # The last look that agreed with the known state, and the first one that saw another state or the first state.
    state_at: datetime | None
    candidate_at: datetime | None
    due: datetime | None
    failing: int
    failure: str

    @property
    def looked(self) -> datetime | None:
        return max(filter(None, (self.state_at, self.candidate_at)), default=None)

    @property
    def failure_words(self) -> str:
        """Return why something could not be looked at; empty where nothing failed."""
        total = len(self.followed.sources)
        if not self.failing:
            return ""
        if total > 1:
            return f"The last look failed for {self.failing:,} of {total:,}."
        return f"The last look failed: {FAILURES.get(self.failure, 'something unexpected happened')}."

    @property
    def news(self) -> str:
        """Return the news of its only source; all of the person for a list."""
        of = ":".join(self.followed.sources[0]) if len(self.followed.sources) == 1 else ""
        return page_link("my_news", **({"source": of} if of else {}))

    @property
    def is_soon(self) -> bool:
        return self.due is not None and self.due <= timezone.now()


@dataclass(frozen=True)
class WatchList:
    """Those watches of the person that a query asks for. At most 500 of them are read at once, for their names."""

    query: WatchQuery
    person: Person

    @cached_property
    def _all(self) -> list[tuple[Watch, Followed]]:
        watches = list(watches_of(self.person.name))
        titles = titles_of((one.kind, one.target) for one in watches)
        return [(one, describe(one.kind, one.target, titles)) for one in watches]

    @cached_property
    def _named(self) -> list[tuple[Watch, Followed]]:
        """Return those with the words, of every kind."""
        wanted = self.query.q.casefold().split()
        return [one for one in self._all if all(word in one[1].text for word in wanted)] if wanted else self._all

    @cached_property
    def _found(self) -> list[tuple[Watch, Followed]]:
        kind = self.query.kind
        return [one for one in self._named if one[0].kind == kind] if kind else self._named

    def is_any_there(self) -> bool:
        return bool(self._all)

    @cached_property
    def paging(self) -> Paging:
        return Paging(len(self._found), self.query.offset, ROWS_PER_PAGE)

    @cached_property
    def rows(self) -> list[Row]:
        page = self._found[self.paging.window]
        of_page = Watch.objects.filter(pk__in=[watch.pk for watch, _ in page])
        looks = of_page.annotate(
            state_at=Max("sources__state_at"),
            candidate_at=Max("sources__candidate_at"),
            due=Min("sources__due"),
            failing=Count("sources", filter=Q(sources__failures__gt=0)),
            failure=Max("sources__failure"),
        )
        columns = ("state_at", "candidate_at", "due", "failing", "failure")
        looks_of = {pk: found for pk, *found in looks.values_list("pk", *columns)}
        # In one statement with the sources, each news would be there once for each of them.
        changed = dict(of_page.annotate(changed=Max("news__confirmed")).values_list("pk", "changed"))
        # One that another window has just ended is left out.
        return [
            Row(watch, followed, changed.get(watch.pk), *looks_of[watch.pk])
            for watch, followed in page
            if watch.pk in looks_of
        ]

    def kinds(self) -> Iterator[Chip]:
        counts = Counter(watch.kind for watch, _ in self._named)
        return self.query.chips("kind", KINDS, counts)
