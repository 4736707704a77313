"""A lease in the database: of all workers and hosts one process reads, also where they share no cache."""

import secrets
from threading import Lock

from django.conf import settings
from django.db.models import Q

from econweb.search_index.models import ReaderState
from econweb.upstream import clock

# A process that died with the lease blocks the others for this long, and for one timeout of the service.
LEASE_SECONDS = 15.0


class BackgroundLease:
    """The lease of one process, which its threads use by their names."""

    def __init__(self) -> None:
        self._name = secrets.token_hex(16)
        self._renew_at = 0.0
        # When each thread last held it.
        self._used: dict[str, float] = {}
        self._lock = Lock()

    def hold(self, user: str = "") -> bool:
        """Take or renew the lease; return False if another process holds it."""
        with self._lock:
            now = clock.now()
            # Until half of LEASE_SECONDS is over, enough is left for one request.
            if not 0 < self._renew_at - now <= LEASE_SECONDS / 2 and not self._take(now):
                return False
            self._used[user] = now
            return True

    def release(self, user: str = "") -> None:
        """End the use by one thread; the last one gives the lease back."""
        with self._lock:
            self._used.pop(user, None)
            is_used = any(abs(clock.now() - used) < _lease_seconds() for used in self._used.values())
            if self._renew_at and not is_used:
                self._renew_at = 0.0
                ReaderState.objects.filter(pk=1, holder=self._name).update(held_until=0)

    def _take(self, now: float) -> bool:
        ReaderState.objects.get_or_create(pk=1)
        is_free = ~_is_running(now) | Q(holder=self._name)
        taken = ReaderState.objects.filter(is_free, pk=1).update(holder=self._name, held_until=now + _lease_seconds())
        self._renew_at = now + LEASE_SECONDS / 2 if taken else 0.0
        return bool(taken)


def is_held() -> bool:
    return ReaderState.objects.filter(_is_running(clock.now())).exists()


def _is_running(now: float) -> Q:
    """Return the condition of a lease that has not ended; one that ends too late was written by a wrong clock."""
    return Q(held_until__gt=now, held_until__lte=now + 2 * _lease_seconds())


def _lease_seconds() -> float:
    return LEASE_SECONDS + settings.ECON_TIMEOUT
