"""Pages of a tag set that were fetched before a failure, stored so that the next attempt continues after them."""

from collections.abc import Callable
from datetime import date, datetime

import msgspec
from django.utils import timezone

from econweb.redaction import redact_packed
from econweb.upstream import clock
from econweb.upstream.cache.store import Store
from econweb.upstream.errors import Busy, Unavailable, UpstreamError
from econweb.upstream.records import TagsReply

# Since the first page was requested: a set must not mix rows of different times.
MAX_SET_SECONDS = 300.0


class _Page(msgspec.Struct):
    """One stored page; only pages with the same `started` belong together."""

    started: float
    reply: TagsReply


class PartialPages:
    """The pages of one set; where the store accepts nothing, each attempt starts over."""

    def __init__(self, store: Store, key: str, api_key: str, is_current: bool = True) -> None:
        """`is_current`: the request names no real-time period, so the set is only valid for one day."""
        self._store, self._set_key, self._api_key, self._is_current = store, key, api_key, is_current
        self._started = clock.now()
        self._replies: list[TagsReply] = []
        self._load()
        self._stored = len(self._replies)

    def get_page(self, number: int, fetch: Callable[[], TagsReply]) -> TagsReply:
        """Return a stored page, or fetch the next one; numbers start at 0 and go up one by one."""
        if number == len(self._replies):
            try:
                self._replies.append(fetch())
            except (Busy, Unavailable) as error:
                raise self._describe_progress(error) from None
            except UpstreamError:
                self.forget()
                raise
        return self._replies[number]

    def seconds(self) -> float:
        """Return the seconds since the first page was requested, in this attempt or an earlier one."""
        return clock.now() - self._started

    def forget(self) -> None:
        for number in range(self._stored):
            self._store.drop(self._page_key(number))

    def _load(self) -> None:
        """Read the pages of the last attempt."""
        page = self._load_page(0)
        if page is None or not self._is_one_set(page.started, clock.now()):
            return
        self._started = page.started
        while page and page.started == self._started:
            self._replies.append(page.reply)
            page = self._load_page(len(self._replies))

    def _load_page(self, number: int) -> _Page | None:
        return self._store.get_record(self._page_key(number), _Page)

    def _is_one_set(self, started: float, moment: float) -> bool:
        """Compare days in this site's time zone: the period that a service applies may always be older than today."""
        is_other_day = self._is_current and _day(moment) != _day(started)
        return abs(moment - started) <= MAX_SET_SECONDS and not is_other_day

    def _describe_progress(self, error: Busy | Unavailable) -> UpstreamError:
        if not self._replies:
            return error
        rows = sum(len(reply.tags) for reply in self._replies)
        next_attempt = clock.now() + (error.retry_after if isinstance(error, Busy) else 0.0)
        if self._is_one_set(self._started, next_attempt) and self._save():
            message = f"{error} {rows} tags loaded so far; the next attempt continues after them."
        else:
            message = f"{error} {rows} tags loaded so far, but they could not be saved; the next attempt starts over."
        if isinstance(error, Busy):
            return Busy(message, error.retry_after)
        return Unavailable(message, error.is_retryable)

    def _save(self) -> bool:
        while self._stored < len(self._replies):
            page = msgspec.msgpack.encode(_Page(self._started, self._replies[self._stored]))
            if not self._store.put(self._page_key(self._stored), redact_packed(self._api_key, page), MAX_SET_SECONDS):
                break
            self._stored += 1
        # A store that is too small for all pages has evicted the first ones.
        is_whole = self._stored == len(self._replies) and self._store.get(self._page_key(0)) is not None
        if not is_whole:
            self.forget()
        return is_whole

    def _page_key(self, number: int) -> str:
        return f"{self._set_key}.pages.{number}"


def _day(moment: float) -> date:
    return datetime.fromtimestamp(moment, timezone.get_default_timezone()).date()
