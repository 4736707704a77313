"""Loading of a series list within the rate limit; each id is requested once."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

from django.conf import settings
from django.utils import timezone

from econweb.dashboard.display.sorting import sort_none_last
from econweb.dashboard.error_texts.messages import NO_DESCRIPTION_IN_LIST, NO_RECORD_TODAY_IN_LIST, RETRIED_SOON
from econweb.dashboard.realtime import end_or_today, is_past
from econweb.dashboard.series.versions import notes_on_past
from econweb.dashboard.series_list.query import SeriesListQuery
from econweb.dashboard.sharing.pins import is_pinnable
from econweb.upstream import service
from econweb.upstream.errors import Busy, NotFound, Refused, UpstreamError, WrongValue, is_lasting, message_of
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import NO_FAILURE, Freshness, Series, SeriesFailure, SeriesPage, parse_timestamp

# A page shows what it has after this time; the next request continues.
MAX_LOAD_SECONDS = 1.0
# Time until a series is requested again after a failure that says nothing about it.
FAILURE_RETRY_SECONDS = 30.0
# A longer time is given in minutes.
MAX_SHOWN_SECONDS = 90


@dataclass(frozen=True)
class ListEntry:
    """One id with its description or an error; it has neither while it is pending."""

    series_id: str
    page: SeriesPage | None = None
    failure: SeriesFailure = NO_FAILURE

    @property
    def error(self) -> str:
        return self.failure.message

    @property
    def series(self) -> Series | None:
        return self.page.reply.seriess[-1] if self.page else None

    @property
    def is_stale(self) -> bool:
        return self.page is not None and self.page.freshness.is_stale

    def is_older(self, age: timedelta) -> bool:
        return self.page is not None and timezone.now() - self.page.freshness.fetched > age

    @property
    def is_missing(self) -> bool:
        """Return whether there is no such series, as far as is known; a failure says nothing about that."""
        return bool(self.error) and not self.failure.is_temporary

    @property
    def is_pending(self) -> bool:
        return self.page is None and not self.error


class Pause(NamedTuple):
    """The reason why loading stopped for now, if it did, and for how many seconds at least."""

    reason: str = ""
    seconds: float = 0.0
    # True if the service failed; otherwise the rest has to wait for its turn.
    is_outage: bool = False


NO_PAUSE = Pause()


@dataclass(frozen=True)
class SeriesList:
    """The entries loaded so far, in the order of the view."""

    query: SeriesListQuery
    entries: tuple[ListEntry, ...]
    pause: Pause = NO_PAUSE

    @property
    def found(self) -> list[Series]:
        return [entry.series for entry in self.entries if entry.series]

    @property
    def missing(self) -> list[ListEntry]:
        return [entry for entry in self.entries if entry.error]

    @property
    def ids_not_found(self) -> list[str]:
        return [entry.series_id for entry in self.entries if entry.is_missing]

    @property
    def link_without_pending(self) -> str:
        return self.query.without([entry.series_id for entry in self.entries if entry.is_pending]).link()

    def time_left(self) -> str:
        """Return about how long loading takes at the rate limit of this site."""
        seconds = self.pending_count * 60 / settings.ECON_REQUESTS_PER_MINUTE
        if seconds > MAX_SHOWN_SECONDS:
            return f"about {math.ceil(seconds / 60)} min left"
        return f"about {5 * math.ceil(seconds / 5)} s left"

    def size(self) -> str:
        """Return the number of series found of all ids, worded alike on pages and in files."""
        number = len(self.entries)
        of_all = f" of {number}" if len(self.found) != number else ""
        return f"{len(self.found)}{of_all} series"

    @property
    def pending_count(self) -> int:
        return sum(entry.is_pending for entry in self.entries)

    @property
    def loaded_count(self) -> int:
        return sum(not entry.is_pending and not entry.failure.is_temporary for entry in self.entries)

    def period(self) -> tuple[date, date]:
        """Return the period of all series found. Without dates each has its own day, and the newest one counts."""
        replies = [entry.page.reply for entry in self.entries if entry.page]
        end = max(reply.realtime_end for reply in replies)
        is_dated = self.query.realtime_start or self.query.realtime_end
        return min(reply.realtime_start for reply in replies) if is_dated else end, end

    @property
    def note(self) -> str:
        """Return the notes of a list as of a past day; empty for one of today."""
        end = self.period()[1]
        is_of_past = is_past(self.query.realtime_end, self.freshness().fetched)
        return notes_on_past(self.found, end_or_today(end, end)) if is_of_past else ""

    def has_past(self) -> bool:
        """Return whether the service is known to refuse no past days of the series found."""
        return all(is_pinnable(one) for one in self.query.series_queries() if one.series_id in self._ids_found)

    @cached_property
    def _ids_found(self) -> set[str]:
        return {entry.series_id for entry in self.entries if entry.page}

    def freshness(self) -> Freshness:
        """Return the age of the oldest entry, and why one could not be renewed."""
        every = [entry.page.freshness for entry in self.entries if entry.page]
        oldest = min(every, key=attrgetter("fetched"))
        error = next((one.error for one in every if one.error), "")
        return Freshness(oldest.fetched, any(one.is_stale for one in every), error)


def load_list(
    query: SeriesListQuery,
    seconds: float = MAX_LOAD_SECONDS,
    renew: bool = False,
    max_age: timedelta = timedelta.max,
) -> SeriesList:
    """Request what is missing, stale or older than `max_age`; with `renew`, everything."""
    known = {series_query: _get_known(series_query) for series_query in query.series_queries()}
    renewed = {series_query for series_query, one in known.items() if renew or one.is_older(max_age)}
    # Missing series come before stale ones.
    wanted = sorted(
        (one for one, entry in known.items() if one in renewed or entry.is_pending or entry.is_stale),
        key=_has_page(known),
    )
    pause = _load(wanted, known, time.monotonic() + seconds, renewed)
    return SeriesList(query, sort_entries(query, list(known.values())), pause)


def _load(
    wanted: list[SeriesQuery], known: dict[SeriesQuery, ListEntry], end: float, renewed: set[SeriesQuery]
) -> Pause:
    """Request the wanted series until the end; return why the rest has to wait."""
    failed = NO_PAUSE
    for series_query in wanted:
        if time.monotonic() >= end or service.state()["allowance_left"] == 0:
            return failed
        try:
            known[series_query] = _request(series_query, series_query in renewed)
        except Busy as error:
            return Pause(str(error), error.retry_after)
        except WrongValue:
            raise
        except UpstreamError as error:
            failed = Pause(message_of(error), FAILURE_RETRY_SECONDS, is_outage=True)
            if service.state()["breaker"] != "closed":
                return failed
            # The failure may concern this series alone.
            known[series_query] = _remember_temporary(series_query, error)
            if isinstance(error, Refused):
                # No breaker stops requests with a refused key; the next load goes on with the next series.
                return failed
    return failed


def _has_page(known: Mapping[SeriesQuery, ListEntry]) -> Callable[[SeriesQuery], bool]:
    return lambda series_query: known[series_query].page is not None


def _get_known(query: SeriesQuery) -> ListEntry:
    """Return the cached series or error, without a request."""
    if page := service.cached_series(query):
        return _to_entry(query, page)
    return ListEntry(query.series_id, failure=service.get_failure(query))


def _request(query: SeriesQuery, renew: bool) -> ListEntry:
    try:
        return _to_entry(query, service.series(query, renew))
    except UpstreamError as error:
        # All series of the list have the same dates.
        has_wrong_dates = isinstance(error, WrongValue) and error.parameter.startswith("realtime_")
        if has_wrong_dates or not is_lasting(error):
            raise
        is_explicit = isinstance(error, NotFound) and error.is_explicit
        failure = SeriesFailure(message_of(error), is_temporary=False, is_explicit=is_explicit)
        service.remember_failure(query, failure)
        return ListEntry(query.series_id, failure=failure)


def _remember_temporary(query: SeriesQuery, error: UpstreamError) -> ListEntry:
    retried = "" if error.is_about_key else f" {RETRIED_SOON.format(seconds=FAILURE_RETRY_SECONDS)}"
    failure = SeriesFailure(f"{message_of(error)}{retried}", is_temporary=True)
    service.remember_failure(query, failure, FAILURE_RETRY_SECONDS)
    return ListEntry(query.series_id, failure=failure)


def _to_entry(query: SeriesQuery, page: SeriesPage) -> ListEntry:
    if page.reply.seriess:
        return ListEntry(query.series_id, page)
    message = NO_DESCRIPTION_IN_LIST if query.realtime_start or query.realtime_end else NO_RECORD_TODAY_IN_LIST
    failure = SeriesFailure(message, is_temporary=False, is_explicit=True)
    return ListEntry(query.series_id, failure=failure)


def sort_entries(query: SeriesListQuery, entries: Sequence[ListEntry]) -> tuple[ListEntry, ...]:
    """Sort as the view says. Ties keep the order of the list."""
    if not query.order_by:
        return tuple(entries)

    def value(one: ListEntry) -> Any:
        found = getattr(one.series, query.order_by, None)
        return parse_timestamp(found) if found and query.order_by == "last_updated" else found

    return tuple(sort_none_last(entries, value, query.sort_order == "desc"))
