"""A list of series, loaded as far as the service's allowance goes; each id is asked for once."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import attrgetter
from typing import Any

from econweb.dashboard.problems import words_of
from econweb.dashboard.series_list_query import SeriesListQuery
from econweb.upstream import service
from econweb.upstream.errors import BadReply, Busy, NotFound, Refused, Unavailable
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import Kept, Series, SeriesPage, moment

# A page must not stand still while it loads; the next one goes on.
LOAD_SECONDS = 1.0
# One that the service failed for is asked for again after so long.
AGAIN_AFTER_FAILURE = 30.0
# These are about one id, and the others can still be had.
_OF_ONE = (NotFound, Refused, BadReply)


@dataclass(frozen=True)
class Listed:
    """One id: its newest description, or in words why there is none, or neither yet."""

    series_id: str
    page: SeriesPage | None = None
    trouble: str = ""

    @property
    def series(self) -> Series | None:
        return self.page.reply.seriess[-1] if self.page else None

    @property
    def is_old(self) -> bool:
        return self.page is not None and self.page.kept.stale

    @property
    def waits(self) -> bool:
        return self.page is None and not self.trouble


@dataclass(frozen=True)
class SeriesList:
    """What is there so far, in the order of the view."""

    query: SeriesListQuery
    listed: tuple[Listed, ...]
    # Why no more could be had just now.
    pause: str = ""

    @property
    def found(self) -> list[Series]:
        return [listed.series for listed in self.listed if listed.series]

    @property
    def missing(self) -> list[Listed]:
        return [listed for listed in self.listed if listed.trouble]

    def size(self) -> str:
        """How many were found of how many, in the same words on a page and in a file."""
        of_all = f" of {len(self.listed)}" if len(self.found) != len(self.listed) else ""
        return f"{len(self.found)}{of_all} series"

    @property
    def waiting(self) -> int:
        return sum(listed.waits for listed in self.listed)

    @property
    def loaded(self) -> int:
        return len(self.listed) - self.waiting

    def period(self) -> tuple[date, date]:
        """Of all that was found; only at midnight its parts differ."""
        replies = [listed.page.reply for listed in self.listed if listed.page]
        return min(reply.realtime_start for reply in replies), max(reply.realtime_end for reply in replies)

    def kept(self) -> Kept:
        """As old as its oldest part."""
        every = [listed.page.kept for listed in self.listed if listed.page]
        oldest = min(every, key=attrgetter("fetched"))
        stale = [kept for kept in every if kept.stale]
        return Kept(oldest.fetched, bool(stale), stale[0].trouble if stale else "")


def load(query: SeriesListQuery, seconds: float = LOAD_SECONDS) -> SeriesList:
    known = {asked: _known(asked) for asked in query.each()}
    end, pause = time.monotonic() + seconds, ""
    # What is not there comes before what is only old.
    wanted = sorted((asked for asked, one in known.items() if one.waits or one.is_old), key=_has_page(known))
    for asked in wanted:
        if time.monotonic() >= end or service.state()["allowance_left"] == 0:
            break
        try:
            known[asked] = _asked(asked)
        except Busy as error:
            pause = str(error)
            break
        except Unavailable as error:
            pause = str(error)
            if service.state()["breaker"] != "closed":
                break
            # It may be about this one alone, and the others can still be had.
            service.note_absent(asked, pause, AGAIN_AFTER_FAILURE)
            known[asked] = Listed(asked.series_id, trouble=pause)
    return SeriesList(query, _in_order(query, list(known.values())), pause)


def _has_page(known: Mapping[SeriesQuery, Listed]) -> Callable[[SeriesQuery], bool]:
    return lambda asked: known[asked].page is not None


def _known(query: SeriesQuery) -> Listed:
    """Without a request."""
    if page := service.kept_series(query):
        return _described(query, page)
    return Listed(query.series_id, trouble=service.absent(query))


def _asked(query: SeriesQuery) -> Listed:
    try:
        return _described(query, service.series(query))
    except _OF_ONE as error:
        trouble = words_of(error)
        service.note_absent(query, trouble)
        return Listed(query.series_id, trouble=trouble)


def _described(query: SeriesQuery, page: SeriesPage) -> Listed:
    if page.reply.seriess:
        return Listed(query.series_id, page)
    return Listed(query.series_id, trouble="There is no description in that real-time period.")


def _in_order(query: SeriesListQuery, listed: Sequence[Listed]) -> tuple[Listed, ...]:
    """What has no value comes last, in either direction; equal ones stay in the order of the list."""
    if not query.order_by:
        return tuple(listed)

    def value(one: Listed) -> Any:
        said = getattr(one.series, query.order_by, None)
        return moment(said) if said and query.order_by == "last_updated" else said

    with_value = [one for one in listed if value(one) is not None]
    without = [one for one in listed if value(one) is None]
    return (*sorted(with_value, key=value, reverse=query.sort_order == "desc"), *without)
