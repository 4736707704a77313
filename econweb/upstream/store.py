"""Django's cache as a place for bytes: bounded, and never a reason for an error."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any

import structlog
from django.core.cache import BaseCache

# Of changed shapes: what another generation kept is not looked at.
GENERATION = 2
# A cache that fails or is slow is left alone for so long, and for so many times what it took.
REST_SECONDS, REST_TIMES = 5.0, 20.0
# Operations that usually take longer than this are slow; a single one may be, on a busy machine.
SLOW_SECONDS = 0.04
# What a small entry takes besides its bytes.
_OVERHEAD = 500
log = structlog.get_logger("econweb.upstream")


class Store:
    """`most_bytes` bounds a cache inside this process; a shared one is bounded where it runs."""

    def __init__(self, cache: BaseCache, most_bytes: int | None) -> None:
        self._most_bytes = most_bytes
        # A shared one can read the beginning of a value (shared_cache.py).
        self._cache: Any = cache
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._total = 0
        self._lock = Lock()
        self._rests_until = 0.0
        # How long an operation takes, the last ones before all others.
        self._usual = 0.0
        # When the last operation ended that counts for this.
        self._watched: float | None = None

    def get(self, name: str) -> bytes | None:
        value = self._tried(self._cache.get, _key(name))
        return value if isinstance(value, bytes) else None

    def beginning(self, name: str, size: int) -> bytes | None:
        """The first bytes of what is in a shared cache; the rest stays there."""
        value = self._tried(self._cache.beginning, _key(name), size)
        return value if isinstance(value, bytes) else None

    def put(self, name: str, value: bytes, seconds: float, counts: bool = True) -> bool:
        """Whether it was kept. What does not count stays whatever comes: a small state, always there."""
        counted = self._most_bytes if counts else None
        # One large thing would push out all others.
        if counted is not None and len(value) > counted // 4:
            self.drop(name)
            return False
        # Django's caches return nothing where it went well.
        failed = self._tried(self._cache.set, _key(name), value, math.ceil(seconds), otherwise=True)
        if counted is not None:
            self._make_room(name, len(value), counted)
        return not failed

    def add(self, name: str, seconds: float) -> bool:
        """Whether the mark was not there; a broken cache holds nobody back."""
        return bool(self._tried(self._cache.add, _key(name), b"1", math.ceil(seconds), otherwise=True))

    def drop(self, name: str) -> None:
        with self._lock:
            self._total -= self._sizes.pop(name, 0)
        self._tried(self._cache.delete, _key(name))

    @property
    def is_shared(self) -> bool:
        """Whether another process may have put something there."""
        return self._most_bytes is None

    def rests(self) -> bool:
        """Whether the cache is left alone at the moment, and so knows nothing new."""
        return time.monotonic() < self._rests_until

    def _tried(self, operation: Callable[..., Any], *arguments: Any, otherwise: Any = None) -> Any:
        if self.rests():
            return otherwise
        begun = time.monotonic()
        try:
            result = operation(*arguments)
        except Exception as error:  # each kind of cache has its own ways to fail
            self._rest(time.monotonic() - begun, type(error).__name__)
            return otherwise
        # Inside this process nothing but a busy machine is slow.
        if self.is_shared:
            with self._lock:
                self._watch(begun, time.monotonic())
        return result

    def _watch(self, begun: float, ended: float) -> None:
        """What ran beside another one waited for the same, and the very first one opens the connection."""
        if self._watched is None or begun >= self._watched:
            first, self._watched = self._watched is None, ended
            self._usual += 0.0 if first else (ended - begun - self._usual) / 4
        if self._usual > SLOW_SECONDS:
            self._usual = 0.0
            self._rest(ended - begun, "slow")

    def _rest(self, seconds: float, kind: str) -> None:
        if not self.rests():
            log.warning("the cache fails or is slow, and is left alone for a while", kind=kind)
        self._rests_until = time.monotonic() + max(REST_SECONDS, REST_TIMES * seconds)

    def _make_room(self, name: str, size: int, most_bytes: int) -> None:
        dropped = []
        with self._lock:
            self._total += size + _OVERHEAD - self._sizes.pop(name, 0)
            self._sizes[name] = size + _OVERHEAD
            while self._total > most_bytes:
                oldest, its_size = self._sizes.popitem(last=False)
                self._total -= its_size
                dropped.append(oldest)
        for oldest in dropped:
            self.drop(oldest)


def _key(name: str) -> str:
    return f"econweb.{GENERATION}.{name}"
