"""A mark in the cache: what one process does, told to the others for as long as that process lives."""

from contextlib import suppress
from threading import Event, Lock, Thread

from econweb.upstream.clock import Deadline
from econweb.upstream.store import Store

# A process that died with a mark holds the others up for no longer than this.
MARK_SECONDS = 3.0
# So often one that lives renews its own.
BEAT_SECONDS = 1.0


class Mark:
    """It is renewed until the deadline, by when whoever holds it has ended."""

    def __init__(self, store: Store, name: str, deadline: Deadline) -> None:
        self._store, self._name, self._deadline = store, name, deadline
        self._ended, self._turn = Event(), Lock()
        self._ours = Deadline(0)

    def take(self) -> bool:
        ours = Deadline(MARK_SECONDS)
        if not self._store.add(self._name, MARK_SECONDS):
            return False
        self._ours = ours
        # Where no thread can start, the mark just runs out early.
        with suppress(RuntimeError):
            Thread(target=self._beat, daemon=True).start()
        return True

    def drop(self) -> None:
        self._ended.set()
        with self._turn:
            # Who was held up for longer finds the mark of somebody else.
            if self._ours.left():
                self._store.drop(self._name)

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_SECONDS) and self._deadline.left():
            with self._turn:
                if self._ended.is_set() or not self._ours.left():
                    return
                ours = Deadline(MARK_SECONDS)
                self._store.put(self._name, b"1", MARK_SECONDS, counts=False)
                self._ours = ours
