"""A small value that all workers change in turn: shared where the cache is, else of this process."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

import msgspec

from econweb.upstream.clock import Deadline
from econweb.upstream.store import Store

State = TypeVar("State", bound=msgspec.Struct)
Result = TypeVar("Result")
# A worker that died with the mark holds the others up for no longer than this.
_MARK_SECONDS = 1.0
# Long after the last change everything is forgiven.
_KEPT_SECONDS = 2 * 3600.0


class Shared(Generic[State]):
    """`change` is atomic; nothing that waits may be done in its step."""

    def __init__(self, store: Store, name: str, initial: State) -> None:
        self._store, self._name, self._kind = store, name, type(initial)
        # What is left to go by when the cache is empty or gone.
        self._last = initial
        # The cache could not be told of `_last`, or not in time; until it is, what it holds is the past.
        self._ahead = False
        # The turn may be long, since it asks the cache; the lock never is.
        self._turn, self._lock = Lock(), Lock()

    def get(self) -> State:
        value = None if self._ahead else self._store.get(self._name)
        if value is None:
            return self._last
        try:
            return msgspec.msgpack.decode(value, type=self._kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return self._last

    def change(self, step: Callable[[State], tuple[State, Result]], patience: float) -> Result:
        """Who gets no turn within so many seconds changes what this process knows; the next turn tells it."""
        deadline = Deadline(patience)
        if not self._turn.acquire(timeout=deadline.left()):
            return self._stepped(step, None)
        try:
            marked = self._mark(deadline)
            try:
                result = self._stepped(step, self.get())
                self._tell()
            finally:
                if marked:
                    self._store.drop(f"{self._name}.mark")
        finally:
            self._turn.release()
        return result

    def _stepped(self, step: Callable[[State], tuple[State, Result]], seen: State | None) -> Result:
        with self._lock:
            state = self._last if seen is None or self._ahead else seen
            self._last, result = step(state)
            self._ahead = True
        return result

    def _tell(self) -> None:
        told = self._last
        self._store.put(self._name, msgspec.msgpack.encode(told), _KEPT_SECONDS, counts=False)
        with self._lock:
            self._ahead = self._store.rests() or self._last is not told

    def _mark(self, deadline: Deadline) -> bool:
        patience = Deadline(min(1.5 * _MARK_SECONDS, deadline.left()))
        while not (marked := self._store.add(f"{self._name}.mark", _MARK_SECONDS)) and patience.left():
            time.sleep(0.002)
        return marked
