"""Django's cache as a place for bytes: bounded, and never a reason for an error."""

import math
import time
from collections import OrderedDict
from threading import Lock

import structlog
from django.core.cache import BaseCache

# Of changed shapes: what another generation kept is not looked at.
GENERATION = 1
# After a failure the cache is left alone for so long, since a slow one would cost its time limit each time.
REST_SECONDS = 5.0
# What a small entry takes besides its bytes.
_OVERHEAD = 500
log = structlog.get_logger("econweb.upstream")


class PlainBytes:
    """The serializer for a shared cache. Pickles of a stranger would be programs of a stranger."""

    def dumps(self, value: bytes) -> bytes:
        return value

    def loads(self, value: bytes) -> bytes:
        return value


class Store:
    """`most_bytes` bounds a cache inside this process; a shared one is bounded where it runs."""

    def __init__(self, cache: BaseCache, most_bytes: int | None) -> None:
        self._cache, self._most_bytes = cache, most_bytes
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._total = 0
        self._lock = Lock()
        self._rests_until = 0.0

    def get(self, name: str) -> bytes | None:
        if self._rests():
            return None
        try:
            value = self._cache.get(_key(name))
        except Exception as error:  # each kind of cache has its own ways to fail
            self._failed(error)
            return None
        return value if isinstance(value, bytes) else None

    def put(self, name: str, value: bytes, seconds: float, counts: bool = True) -> None:
        """What does not count stays whatever comes: a state that is always there, and small."""
        if self._rests():
            return
        counted = self._most_bytes if counts else None
        # One large thing would push out all others.
        if counted is not None and len(value) > counted // 4:
            self.drop(name)
            return
        try:
            self._cache.set(_key(name), value, math.ceil(seconds))
        except Exception as error:
            self._failed(error)
        if counted is not None:
            self._make_room(name, len(value), counted)

    def add(self, name: str, seconds: float) -> bool:
        """Whether the mark was not there; a broken cache holds nobody back."""
        if self._rests():
            return True
        try:
            return bool(self._cache.add(_key(name), b"1", math.ceil(seconds)))
        except Exception as error:
            self._failed(error)
            return True

    def drop(self, name: str) -> None:
        if self._rests():
            return
        try:
            self._cache.delete(_key(name))
        except Exception as error:
            self._failed(error)

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

    def _rests(self) -> bool:
        return time.monotonic() < self._rests_until

    def _failed(self, error: Exception) -> None:
        self._rests_until = time.monotonic() + REST_SECONDS
        log.warning("the cache failed and is left alone for a while", kind=type(error).__name__)


def _key(name: str) -> str:
    return f"econweb.{GENERATION}.{name}"
