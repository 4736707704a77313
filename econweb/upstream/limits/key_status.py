"""The state of this site's API key, as the service answers: shown in the log, in /readyz and on /about/."""

import hashlib
import math

import structlog

from econweb.upstream import clock
from econweb.upstream.cache.store import Store
from econweb.upstream.errors import UpstreamError

LOG_SECONDS = 60.0
# Each further refusal extends it, and a good answer ends it.
_STORED_SECONDS = 86_400.0
log = structlog.get_logger("econweb.upstream")


class KeyStatus:
    """The key's state for all workers that share a cache."""

    def __init__(self, store: Store, api_key: str) -> None:
        self._store = store
        # A new key begins without the refusals of the old one.
        self._cache_key = f"key.{hashlib.blake2b(api_key.encode(), digest_size=8).hexdigest()}"
        self._logged = -math.inf

    def state(self) -> str:
        return "refused" if self._store.get(self._cache_key) else "ok"

    def report(self, outcome: bytes | UpstreamError) -> None:
        """Update the state after an answer of the service."""
        if isinstance(outcome, UpstreamError) and outcome.is_about_key:
            self._store.put(self._cache_key, b"refused", _STORED_SECONDS, is_evictable=False)
            if clock.steady() - self._logged >= LOG_SECONDS:
                self._logged = clock.steady()
                log.error("the service refuses the API key: check ECON_API_KEY")
        elif isinstance(outcome, bytes) and self.state() == "refused":
            self._store.drop(self._cache_key)
            self._logged = -math.inf
            log.warning("the service accepts the API key again")
