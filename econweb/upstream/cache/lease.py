"""A lease in the shared cache: one process does the work, the others see it for as long as that process lives."""

from contextlib import suppress
from threading import Event, Lock, Thread

from econweb.upstream.cache.store import Store
from econweb.upstream.clock import Deadline

# A process that died with a lease blocks the others for no longer than this.
LEASE_SECONDS = 3.0
RENEW_SECONDS = 1.0


class Lease:
    """A lease that a thread renews until it is released, at most until the deadline."""

    def __init__(self, store: Store, key: str, deadline: Deadline) -> None:
        self._store, self._key, self._deadline = store, key, deadline
        self._released, self._lock = Event(), Lock()
        self._valid_until = Deadline(0)

    def acquire(self) -> bool:
        valid_until = Deadline(LEASE_SECONDS)
        if not self._store.add(self._key, LEASE_SECONDS):
            return False
        self._valid_until = valid_until
        # Where no thread can start, the lease just expires early.
        with suppress(RuntimeError):
            Thread(target=self._renew, daemon=True).start()
        return True

    def release(self) -> None:
        self._released.set()
        with self._lock:
            # After a long pause of this process, the lease may belong to another one.
            if self._valid_until.remaining():
                self._store.drop(self._key)

    def _renew(self) -> None:
        while not self._released.wait(RENEW_SECONDS) and self._deadline.remaining():
            with self._lock:
                if self._released.is_set() or not self._valid_until.remaining():
                    return
                valid_until = Deadline(LEASE_SECONDS)
                self._store.put(self._key, b"1", LEASE_SECONDS, is_evictable=False)
                self._valid_until = valid_until
