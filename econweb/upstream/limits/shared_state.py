"""A small value that all workers change in turn: in the shared cache if there is one, else in this process."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

import msgspec

from econweb.upstream.cache.store import Store
from econweb.upstream.clock import Deadline

State = TypeVar("State", bound=msgspec.Struct)
Result = TypeVar("Result")
# A worker that died while it held the lock in the cache blocks the others for no longer than this.
_LOCK_SECONDS = 1.0
# A value that nobody changed for this long is forgotten.
_TTL_SECONDS = 2 * 3600.0


class SharedState(Generic[State]):
    """A value in the cache, and the last one that this process knows. `change` is atomic; its step must not block."""

    def __init__(self, store: Store, key: str, initial: State) -> None:
        self._store, self._key, self._type = store, key, type(initial)
        # The last known value, used when the cache is empty or unreachable.
        self._last = initial
        # True while the cache has not accepted `_last`: until then the cached value is outdated.
        self._is_ahead = False
        # `_turn` may be held for long, since its holder waits for the cache; `_lock` never is.
        self._turn, self._lock = Lock(), Lock()

    def get(self) -> State:
        value = None if self._is_ahead else self._store.get_record(self._key, self._type)
        return self._last if value is None else value

    def change(self, step: Callable[[State], tuple[State, Result]], patience: float) -> Result:
        """Apply the step; without a turn in `patience` seconds, to the local value, which the next turn writes."""
        deadline = Deadline(patience)
        if not self._turn.acquire(timeout=deadline.remaining()):
            return self._apply(step, None)
        try:
            # Within one process the turn is enough.
            is_locked = self._store.is_shared and self._lock_in_cache(deadline)
            try:
                # Read under the lock, so that no worker uses an earlier time than the worker before it.
                self._store.read_clock()
                result = self._apply(step, self.get())
                self._write()
            finally:
                if is_locked:
                    self._store.drop(f"{self._key}.lock")
        finally:
            self._turn.release()
        return result

    def _apply(self, step: Callable[[State], tuple[State, Result]], cached: State | None) -> Result:
        with self._lock:
            state = self._last if cached is None or self._is_ahead else cached
            self._last, result = step(state)
            self._is_ahead = True
        return result

    def _write(self) -> None:
        written = self._last
        self._store.put(self._key, msgspec.msgpack.encode(written), _TTL_SECONDS, is_evictable=False)
        with self._lock:
            self._is_ahead = self._store.is_backing_off() or self._last is not written

    def _lock_in_cache(self, deadline: Deadline) -> bool:
        patience = Deadline(min(1.5 * _LOCK_SECONDS, deadline.remaining()))
        while not (is_locked := self._store.add(f"{self._key}.lock", _LOCK_SECONDS)) and patience.remaining():
            time.sleep(0.002)
        return is_locked
