"""Keeping: fresh, then stale while one request renews it, then stale if the service fails, then gone."""

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Generic, TypeVar

import msgspec

from econweb.upstream import clock, metrics
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import NOT_IN_TIME, NotFound, Unavailable, UpstreamError
from econweb.upstream.flights import Flights
from econweb.upstream.marks import Mark
from econweb.upstream.memory import Memory
from econweb.upstream.records import Kept
from econweb.upstream.store import Store
from econweb.upstream.troubles import Troubles

Thing = TypeVar("Thing")
Fetch = Callable[[Deadline], bytes]
# So long the reader of a stale answer waits for a newer one; the renewal goes on without him.
MOMENT = 0.3
ON_ITS_WAY = "A newer one is on its way."
# A reload button asks for a renewal; more often than this it is not passed on.
RENEWAL_SECONDS = 60.0
# How often a waiter looks whether another process has brought it.
LOOK_SECONDS = 0.05
# So much the clocks of hosts that share a cache may differ.
CLOCKS_DIFFER_SECONDS = 300.0
_STAMP = struct.Struct(">d")


@dataclass(frozen=True)
class Entry(Generic[Thing]):
    """Something kept, and when it was fetched."""

    fetched: float
    thing: Thing

    def age(self) -> float:
        return _age(self.fetched)


class Keeping(Generic[Thing]):
    """What came from the service, for one kind of answer; `decode` also counts the records."""

    def __init__(
        self,
        store: Store,
        decode: Callable[[bytes], tuple[Thing, int]],
        fresh_seconds: float,
        stale_seconds: float,
        timeout: float,
    ) -> None:
        self._store, self._decode, self._timeout = store, decode, timeout
        self._fresh_seconds = fresh_seconds
        # Who wants nothing old to stand in still need not ask for what is fresh.
        self._kept_seconds = max(fresh_seconds, stale_seconds)
        self._memory: Memory[Thing] = Memory()
        self._flights: Flights[Entry[Thing]] = Flights()
        self._troubles = Troubles(store)

    def get(self, name: str, fetch: Fetch, renew: bool = False) -> tuple[Thing, Kept]:
        # It begins before the cache is asked, which may be slow.
        deadline = Deadline(self._timeout)
        entry = self._entry(name)
        waits = entry is None or (renew and self._may_renew(name, entry))
        if entry and not waits and self._is_fresh(entry):
            metrics.kept("fresh")
            return self._as_it_is(entry)
        if trouble := self._troubles.get(name):
            if entry is None:
                metrics.kept("trouble")
            return self._instead(entry, trouble)
        brought = partial(self._brought, name, fetch, entry, deadline)
        with metrics.WAITING.track_inprogress():
            if entry and not waits:
                return self._renewed(name, entry, brought)
            return self._awaited(name, entry, brought, deadline)

    def kept(self, name: str) -> tuple[Thing, Kept] | None:
        """Whatever is there, without asking."""
        entry = self._entry(name)
        return self._as_it_is(entry) if entry else None

    def _awaited(
        self, name: str, entry: Entry[Thing] | None, brought: Callable[[], Entry[Thing]], deadline: Deadline
    ) -> tuple[Thing, Kept]:
        try:
            newest = self._flights.take(name, deadline, brought)
        except UpstreamError as error:
            return self._instead(entry, error)
        return self._as_it_is(newest)

    def _renewed(
        self, name: str, entry: Entry[Thing], brought: Callable[[], Entry[Thing]]
    ) -> tuple[Thing, Kept]:
        """A service that is quick is waited for; else the next reader gets what comes."""
        try:
            newest = self._flights.send(name, MOMENT, brought)
        except UpstreamError as error:
            return self._instead(entry, error)
        if newest and newest is not entry:
            return self._as_it_is(newest)
        on_its_way = newest or self._flights.under_way(name)
        return self._stale(entry, ON_ITS_WAY if on_its_way else "")

    def _instead(self, entry: Entry[Thing] | None, error: UpstreamError) -> tuple[Thing, Kept]:
        """What is kept stands in, unless the service says that there is no such thing any more."""
        if entry is None or (isinstance(error, NotFound) and error.told):
            raise error
        return self._stale(entry, str(error))

    def _stale(self, entry: Entry[Thing], trouble: str) -> tuple[Thing, Kept]:
        metrics.kept("stale")
        return self._as_it_is(entry, trouble)

    def _brought(
        self, name: str, fetch: Fetch, entry: Entry[Thing] | None, deadline: Deadline
    ) -> Entry[Thing]:
        """One thread of each process gets here; the mark in the cache lets one process on."""
        mark = Mark(self._store, f"{name}.fetching", deadline)
        while not mark.take():
            if entry:
                return entry
            if not deadline.left():
                raise Unavailable(NOT_IN_TIME)
            clock.sleep(min(LOOK_SECONDS, deadline.left()))
        try:
            # Another thread or process may have come and gone since the look that led here.
            return self._brought_by_another(name, entry) or self._fetched(name, fetch, deadline)
        finally:
            mark.drop()

    def _brought_by_another(self, name: str, known: Entry[Thing] | None) -> Entry[Thing] | None:
        if trouble := self._troubles.get(name):
            raise trouble
        entry = self._entry(name)
        if entry is None or (known and entry.fetched <= known.fetched):
            return None
        metrics.COALESCED.inc()
        return entry

    def _fetched(self, name: str, fetch: Fetch, deadline: Deadline) -> Entry[Thing]:
        begun = clock.now()
        try:
            body = fetch(deadline)
        except UpstreamError as error:
            self._troubles.put(name, error)
            if isinstance(error, NotFound) and error.told:
                self._forget(name)
            raise
        metrics.kept("fetched")
        # A late answer is older than what somebody has brought who asked after it.
        if not deadline.left() and (newer := self._entry(name)) and newer.fetched > begun:
            return newer
        fetched = clock.now()
        thing, records = self._decode(body)
        self._memory.put(name, fetched, thing, records)
        self._store.put(name, _STAMP.pack(fetched) + body, self._kept_seconds)
        return Entry(fetched, thing)

    def _entry(self, name: str) -> Entry[Thing] | None:
        entry = self._stored(name)
        return entry if entry and entry.age() <= self._kept_seconds else None

    def _stored(self, name: str) -> Entry[Thing] | None:
        """A shared cache may know a younger one; what it has lost may still be in this process."""
        held = self._memory.get(name)
        known = Entry(*held) if held else None
        if known and not (self._store.is_shared and self._has_younger(name, known)):
            return known
        value = self._store.get(name)
        if value is None or (known and _age_of(value) >= known.age()):
            return known
        try:
            thing, records = self._decode(value[_STAMP.size :])
            (fetched,) = _STAMP.unpack_from(value)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, struct.error):
            return known
        return Entry(*self._memory.put_decoded(name, held, fetched, thing, records))

    def _has_younger(self, name: str, known: Entry[Thing]) -> bool:
        """Another process may have brought it, or this one while the cache took nothing."""
        age = known.age()
        return _age_of(self._store.beginning(name, _STAMP.size)) < age

    def _is_fresh(self, entry: Entry[Thing]) -> bool:
        return entry.age() <= self._fresh_seconds

    def _as_it_is(self, entry: Entry[Thing], trouble: str = "") -> tuple[Thing, Kept]:
        fetched = datetime.fromtimestamp(entry.fetched, UTC)
        return entry.thing, Kept(fetched, not self._is_fresh(entry), trouble)

    def _may_renew(self, name: str, entry: Entry[Thing]) -> bool:
        return entry.age() >= RENEWAL_SECONDS and self._store.add(f"{name}.renewed", RENEWAL_SECONDS)

    def _forget(self, name: str) -> None:
        self._memory.drop(name)
        self._store.drop(name)


def _age(fetched: float) -> float:
    """After a clock was put back nothing is young for ever."""
    age = clock.now() - fetched
    return max(0.0, age) if age >= -CLOCKS_DIFFER_SECONDS else math.inf


def _age_of(value: bytes | None) -> float:
    """Of a value of the cache, by the stamp with which it begins."""
    if value is None or len(value) < _STAMP.size:
        return math.inf
    return _age(*_STAMP.unpack_from(value))
