"""The answer cache. A stale answer is shown while one request refreshes it, or while the service fails."""

import math
import struct
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Generic, TypeVar

import msgspec

from econweb.upstream import clock, metrics
from econweb.upstream.cache.decoded import DecodedCache, Entry
from econweb.upstream.cache.lease import Lease
from econweb.upstream.cache.recent_failures import RecentFailures
from econweb.upstream.cache.single_flight import SingleFlight
from econweb.upstream.cache.store import Store
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import NOT_IN_TIME, NotFound, Unavailable, UpstreamError, message_of
from econweb.upstream.records import Freshness

Value = TypeVar("Value")
Fetch = Callable[[Deadline], bytes]
# How long a reader of a stale answer waits for a background refresh before getting the stale one.
STALE_WAIT_SECONDS = 0.3
REFRESHING = "A newer one is on its way."
# The reload button refreshes an answer at most this often.
MIN_REFRESH_INTERVAL = 60.0
# How often a waiting process checks whether another one has stored the answer.
POLL_SECONDS = 0.05
# The largest expected difference between the clocks of hosts that share a cache.
MAX_CLOCK_SKEW = 300.0
_STAMP = struct.Struct(">d")


class AnswerCache(Generic[Value]):
    """Cached answers of one kind; `decode` returns the value and its number of records."""

    def __init__(
        self,
        store: Store,
        decode: Callable[[bytes], tuple[Value, int]],
        fresh_seconds: float,
        stale_seconds: float,
        timeout: float,
    ) -> None:
        self._store, self._decode, self._timeout = store, decode, timeout
        self._fresh_seconds = fresh_seconds
        # ECON_STALE_SECONDS=0 must not stop fresh answers from being cached.
        self._ttl = max(fresh_seconds, stale_seconds)
        self._decoded: DecodedCache[Value] = DecodedCache()
        self._single_flight: SingleFlight[Entry[Value]] = SingleFlight()
        self._failures = RecentFailures(store)

    def get(self, key: str, fetch: Fetch, renew: bool = False, may_be_stale: bool = True) -> tuple[Value, Freshness]:
        # The deadline includes the look-up, because a shared cache may be slow.
        deadline = Deadline(self._timeout)
        entry = self._find(key)
        usable = entry if may_be_stale else None
        must_wait = entry is None or (renew and self._may_renew(key, entry))
        if entry and not must_wait and self._is_fresh(entry):
            metrics.count_cache_result("fresh")
            return self._as_result(entry)
        if error := self._failures.get(key):
            return self._fall_back(usable, error)
        refresh = partial(self._refresh, key, fetch, entry, may_be_stale, deadline)
        with metrics.WAITING.track_inprogress():
            if usable and not must_wait:
                return self._refresh_behind(key, usable, refresh)
            return self._wait_for(key, usable, refresh, deadline)

    def get_cached(self, key: str) -> tuple[Value, Freshness] | None:
        """Return the cached answer, fresh or stale, without a request."""
        entry = self._find(key)
        return self._as_result(entry) if entry else None

    def get_decoded(self, key: str) -> tuple[Value, Freshness] | None:
        """Return the answer in the memory of this process, at no cost: a shared cache is not asked."""
        cached = self._decoded.get(key)
        return self._as_result(cached) if cached and self._is_usable(cached) else None

    def decoded_entries(self) -> list[Entry[Value]]:
        """Return the answers in the memory of this process, whatever their age."""
        return self._decoded.entries()

    def _wait_for(
        self, key: str, entry: Entry[Value] | None, refresh: Callable[[], Entry[Value]], deadline: Deadline
    ) -> tuple[Value, Freshness]:
        try:
            newest = self._single_flight.run_or_join(key, deadline, refresh)
        except UpstreamError as error:
            return self._fall_back(entry, error)
        return self._as_result(newest)

    def _refresh_behind(
        self, key: str, entry: Entry[Value], refresh: Callable[[], Entry[Value]]
    ) -> tuple[Value, Freshness]:
        """Wait for a fast service; if it is slow, return the stale answer and let the refresh go on."""
        try:
            newest = self._single_flight.run_in_background(key, STALE_WAIT_SECONDS, refresh)
        except UpstreamError as error:
            return self._fall_back(entry, error)
        if newest and newest is not entry:
            return self._as_result(newest)
        is_refreshing = newest or self._single_flight.is_running(key)
        return self._as_stale(entry, REFRESHING if is_refreshing else "")

    def _fall_back(self, entry: Entry[Value] | None, error: UpstreamError) -> tuple[Value, Freshness]:
        """Return the cached answer, unless the service says that the record no longer exists."""
        if entry is None or (isinstance(error, NotFound) and error.is_explicit):
            metrics.count_cache_result("failed")
            raise error
        return self._as_stale(entry, message_of(error))

    def _as_stale(self, entry: Entry[Value], error: str) -> tuple[Value, Freshness]:
        metrics.count_cache_result("stale")
        return self._as_result(entry, error)

    def _refresh(
        self, key: str, fetch: Fetch, entry: Entry[Value] | None, may_be_stale: bool, deadline: Deadline
    ) -> Entry[Value]:
        """Fetch the answer in this process, or wait for the process that holds the lease in a shared cache."""
        if not self._store.is_shared:
            return self._find_newer(key, entry) or self._fetch(key, fetch, deadline)
        lease = Lease(self._store, f"{key}.fetching", deadline)
        while not lease.acquire():
            if entry and may_be_stale:
                return entry
            if not deadline.remaining():
                raise Unavailable(NOT_IN_TIME)
            clock.sleep(min(POLL_SECONDS, deadline.remaining()))
        try:
            return self._find_newer(key, entry) or self._fetch(key, fetch, deadline)
        finally:
            lease.release()

    def _find_newer(self, key: str, known: Entry[Value] | None) -> Entry[Value] | None:
        """Check again: another thread or process may have fetched the answer, or failed, in the meantime."""
        if error := self._failures.get(key):
            raise error
        entry = self._find(key)
        if entry is None or (known and entry.fetched <= known.fetched):
            return None
        metrics.COALESCED.inc()
        return entry

    def _fetch(self, key: str, fetch: Fetch, deadline: Deadline) -> Entry[Value]:
        started = clock.now()
        try:
            body = fetch(deadline)
        except UpstreamError as error:
            self._failures.put(key, error)
            if isinstance(error, NotFound) and error.is_explicit:
                self._forget(key)
            raise
        metrics.count_cache_result("fetched")
        # This request missed its deadline. Prefer the answer to one that started later.
        if not deadline.remaining() and (newer := self._find(key)) and newer.fetched > started:
            return newer
        entry = Entry(clock.now(), *self._decode(body))
        self._decoded.put(key, entry)
        self._store.put(key, _STAMP.pack(entry.fetched) + body, self._ttl)
        return entry

    def _find(self, key: str) -> Entry[Value] | None:
        entry = self._find_stored(key)
        return entry if entry and self._is_usable(entry) else None

    def _is_usable(self, entry: Entry[Value]) -> bool:
        """After the clock was set back, an answer from before is still usable, as a stale one."""
        if self._ttl > self._fresh_seconds and entry.fetched > clock.now():
            return entry.fetched - clock.now() <= self._ttl
        return _age(entry.fetched) <= self._ttl

    def _find_stored(self, key: str) -> Entry[Value] | None:
        """Return the youngest answer of this process and the store, which may have lost its one."""
        known = self._decoded.get(key)
        if known and not (self._store.is_shared and self._has_younger(key, known)):
            return known
        stored = self._store.get(key)
        if stored is None or (known and _age_of(stored) >= _age(known.fetched)):
            return known
        try:
            value, records = self._decode(stored[_STAMP.size :])
            (fetched,) = _STAMP.unpack_from(stored)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, struct.error):
            return known
        return self._decoded.put_decoded(key, known, Entry(fetched, value, records))

    def _has_younger(self, key: str, known: Entry[Value]) -> bool:
        """Compare the stamps; the stored answer is the older one while the cache accepts no writes."""
        # Ages grow while the cache is asked: in the other order, the same answer would look younger.
        age = _age(known.fetched)
        return _age_of(self._store.read_prefix(key, _STAMP.size)) < age

    def _is_fresh(self, entry: Entry[Value]) -> bool:
        return _age(entry.fetched) <= self._fresh_seconds

    def _as_result(self, entry: Entry[Value], error: str = "") -> tuple[Value, Freshness]:
        fetched = datetime.fromtimestamp(entry.fetched, UTC)
        return entry.value, Freshness(fetched, not self._is_fresh(entry), error)

    def _may_renew(self, key: str, entry: Entry[Value]) -> bool:
        return _age(entry.fetched) >= MIN_REFRESH_INTERVAL and self._store.add(f"{key}.renewed", MIN_REFRESH_INTERVAL)

    def _forget(self, key: str) -> None:
        self._decoded.drop(key)
        self._store.drop(key)


def _age(fetched: float) -> float:
    """A stamp in the future, after the clock was set back, must not make an answer fresh for ever."""
    age = clock.now() - fetched
    return max(0.0, age) if age >= -MAX_CLOCK_SKEW else math.inf


def _age_of(stored: bytes | None) -> float:
    """Return the age of a stored value by the stamp at its start."""
    if stored is None or len(stored) < _STAMP.size:
        return math.inf
    return _age(*_STAMP.unpack_from(stored))
