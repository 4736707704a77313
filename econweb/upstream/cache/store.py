"""Bytes in Django's cache: bounded in size, and a failing cache raises no errors."""

import math
import time
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

import msgspec
import structlog
from cachetools import LRUCache
from django.core.cache import BaseCache

from econweb.upstream import clock

# A cache that fails or is slow gets no requests for this long, or for this multiple of the time it took.
BACKOFF_SECONDS, BACKOFF_FACTOR = 5.0, 20.0
# The average above which a shared cache counts as slow; a single operation may take longer on a busy machine.
SLOW_SECONDS = 0.04
# The memory of a small entry, in addition to its bytes.
_OVERHEAD = 500
Record = TypeVar("Record")
log = structlog.get_logger("econweb.upstream")


class Store:
    """`max_bytes` bounds a cache inside this process; None means a shared cache, which has its own bound."""

    def __init__(self, cache: BaseCache, max_bytes: int | None) -> None:
        # A shared one has more methods (redis_backend.py).
        self._cache: Any = cache
        # Whether other processes write to the cache as well.
        self.is_shared = max_bytes is None
        self._sizes: LRUCache[str, int] = LRUCache(max_bytes or 0, getsizeof=lambda size: size + _OVERHEAD)
        self._lock = Lock()
        self._backoff_until = 0.0
        # The moving average of the seconds that an operation takes.
        self._average = 0.0
        # When the last operation in the average ended; None before the first one.
        self._last_timed: float | None = None
        # The clock of the cache minus the monotonic one; None until it is read.
        self._clock_offset: float | None = None

    def get(self, key: str) -> bytes | None:
        value = self._guard(self._cache.get, _add_prefix(key))
        return value if isinstance(value, bytes) else None

    def get_record(self, key: str, kind: type[Record]) -> Record | None:
        """Return a value that was stored as MessagePack; None for one that is not of this kind."""
        try:
            return msgspec.msgpack.decode(self.get(key) or b"", type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None

    def read_prefix(self, key: str, size: int) -> bytes | None:
        """Return the first bytes of a value in a shared cache."""
        value = self._guard(self._cache.read_prefix, _add_prefix(key), size)
        return value if isinstance(value, bytes) else None

    def put(self, key: str, value: bytes, seconds: float, is_evictable: bool = True) -> bool:
        """Return whether the value was stored. Small shared states are not evictable: they are always needed."""
        is_counted = is_evictable and not self.is_shared
        # One large value would evict all others.
        if is_counted and len(value) > self._sizes.maxsize // 4:
            self.drop(key)
            return False
        # Django's caches return None on success.
        failed = self._guard(self._cache.set, _add_prefix(key), value, math.ceil(seconds), otherwise=True)
        if is_counted:
            self._evict_for(key, len(value))
        return not failed

    def add(self, key: str, seconds: float) -> bool:
        """Return whether the key was free; a broken cache blocks no caller."""
        return bool(self._guard(self._cache.add, _add_prefix(key), b"1", math.ceil(seconds), otherwise=True))

    def drop(self, key: str) -> None:
        with self._lock:
            self._sizes.pop(key, None)
        self._guard(self._cache.delete, _add_prefix(key))

    def now(self) -> float:
        """Return the time on one clock for all workers that share the cache, usually without a request to it."""
        if self._clock_offset is None:
            self._clock_offset = self._read_clock_offset()
        return clock.steady() + self._clock_offset

    def read_clock(self) -> None:
        """Ask a shared cache for its time; while it fails, the last difference to the monotonic clock holds."""
        self._clock_offset = self._read_clock_offset()

    def _read_clock_offset(self) -> float:
        if not self.is_shared:
            return 0.0
        seconds = self._guard(self._cache.time)
        if seconds is not None:
            return float(seconds) - clock.steady()
        return clock.now() - clock.steady() if self._clock_offset is None else self._clock_offset

    def is_backing_off(self) -> bool:
        """Return True while the cache gets no requests, and so has no new values."""
        return time.monotonic() < self._backoff_until

    def _guard(self, operation: Callable[..., Any], *arguments: Any, otherwise: Any = None) -> Any:
        if self.is_backing_off():
            return otherwise
        started = time.monotonic()
        try:
            result = operation(*arguments)
        except Exception as error:  # each cache backend raises its own kinds
            self._back_off(time.monotonic() - started, type(error).__name__)
            return otherwise
        # A cache inside this process is only slow when the machine is busy.
        if self.is_shared:
            with self._lock:
                self._time(started, time.monotonic())
        return result

    def _time(self, started: float, ended: float) -> None:
        """Skip parallel operations, which wait for the same thing, and the first one, which opens the connection."""
        if self._last_timed is None or started >= self._last_timed:
            is_first, self._last_timed = self._last_timed is None, ended
            self._average += 0.0 if is_first else (ended - started - self._average) / 4
        if self._average > SLOW_SECONDS:
            self._average = 0.0
            self._back_off(ended - started, "slow")

    def _back_off(self, seconds: float, kind: str) -> None:
        if not self.is_backing_off():
            log.warning("the cache fails or is slow, and is skipped for a while", kind=kind)
        self._backoff_until = time.monotonic() + max(BACKOFF_SECONDS, BACKOFF_FACTOR * seconds)

    def _evict_for(self, key: str, size: int) -> None:
        evicted = []
        with self._lock:
            self._sizes.pop(key, None)
            while self._sizes and self._sizes.currsize + size + _OVERHEAD > self._sizes.maxsize:
                evicted.append(self._sizes.popitem()[0])
            self._sizes[key] = size
        for oldest in evicted:
            self.drop(oldest)


def _add_prefix(key: str) -> str:
    return f"econweb.{key}"
