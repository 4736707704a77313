"""A small value that all workers change in turn: shared where the cache is, else of this process."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

import msgspec

from econweb.upstream import clock
from econweb.upstream.store import Store

State = TypeVar("State", bound=msgspec.Struct)
Result = TypeVar("Result")
# A worker that died with the mark holds the others up for no longer than this.
_MARK_SECONDS = 1.0
# Long after the last change everything is forgiven.
_KEPT_SECONDS = 2 * 3600.0


class Shared(Generic[State]):
    """`change` is atomic; nothing that waits may be done in it."""

    def __init__(self, store: Store, name: str, initial: State) -> None:
        self._store, self._name, self._kind = store, name, type(initial)
        # What is left to go by when the cache is empty or gone.
        self._last = initial
        self._lock = Lock()

    def get(self) -> State:
        value = self._store.get(self._name)
        if value is None:
            return self._last
        try:
            return msgspec.msgpack.decode(value, type=self._kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return self._last

    def change(self, step: Callable[[State], tuple[State, Result]]) -> Result:
        with self._lock:
            self._mark()
            try:
                self._last, result = step(self.get())
                self._store.put(self._name, msgspec.msgpack.encode(self._last), _KEPT_SECONDS, counts=False)
            finally:
                self._store.drop(f"{self._name}.mark")
        return result

    def _mark(self) -> None:
        patience = clock.Deadline(1.5 * _MARK_SECONDS)
        while not self._store.add(f"{self._name}.mark", _MARK_SECONDS) and patience.left():
            time.sleep(0.002)
