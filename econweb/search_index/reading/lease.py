"""A lease in the database: of all workers and hosts one process reads, also where they share no cache."""

import secrets

from django.conf import settings
from django.db.models import Q

from econweb.search_index.models import ReaderState
from econweb.upstream import clock

# A process that died with the lease blocks the others for this long, and for one timeout of the service.
LEASE_SECONDS = 15.0


class BackgroundLease:
    def __init__(self) -> None:
        self._name = secrets.token_hex(16)
        self._renew_at = 0.0

    def hold(self) -> bool:
        """Take or renew the lease; return False if another process holds it."""
        now = clock.now()
        # Until half of LEASE_SECONDS is over, enough is left for one request.
        if 0 < self._renew_at - now <= LEASE_SECONDS / 2:
            return True
        ReaderState.objects.get_or_create(pk=1)
        is_free = ~_is_running(now) | Q(holder=self._name)
        taken = ReaderState.objects.filter(is_free, pk=1).update(holder=self._name, held_until=now + _lease_seconds())
        self._renew_at = now + LEASE_SECONDS / 2 if taken else 0.0
        return bool(taken)

    def release(self) -> None:
        if self._renew_at:
            self._renew_at = 0.0
            ReaderState.objects.filter(pk=1, holder=self._name).update(held_until=0)


def is_held() -> bool:
    return ReaderState.objects.filter(_is_running(clock.now())).exists()


def _is_running(now: float) -> Q:
    """Return the condition of a lease that has not ended; one that ends too late was written by a wrong clock."""
    return Q(held_until__gt=now, held_until__lte=now + 2 * _lease_seconds())


def _lease_seconds() -> float:
    return LEASE_SECONDS + settings.ECON_TIMEOUT
