"""A negative cache: a request that failed a moment ago is not sent again for some seconds."""

import msgspec

from econweb.upstream import clock, errors
from econweb.upstream.cache.store import Store
from econweb.upstream.errors import Busy, NotFound, UpstreamError, WrongValue

_SECONDS: dict[type[UpstreamError], float] = {
    errors.NotFound: 10.0,
    errors.NotInPeriod: 10.0,
    errors.Refused: 10.0,
    WrongValue: 10.0,
    Busy: 1.0,
    errors.Unavailable: 2.0,
    errors.BadReply: 5.0,
}
_KINDS = {kind.__name__: kind for kind in _SECONDS}


class _Failure(msgspec.Struct):
    kind: str
    message: str
    until: float
    # When a Busy service may be called again.
    retry_at: float = 0.0
    # The parameter of a WrongValue.
    parameter: str = ""
    # Whether the service itself said NotFound.
    is_explicit: bool = False


class RecentFailures:
    """Failures by the answer's key, stored for seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(self, key: str, error: UpstreamError) -> None:
        seconds = _SECONDS[type(error)]
        now = clock.now()
        retry_at = now + error.retry_after if isinstance(error, Busy) else 0.0
        parameter = error.parameter if isinstance(error, WrongValue) else ""
        is_explicit = isinstance(error, NotFound) and error.is_explicit
        failure = _Failure(type(error).__name__, str(error), now + seconds, retry_at, parameter, is_explicit)
        self._store.put(f"{key}.failure", msgspec.msgpack.encode(failure), seconds)

    def get(self, key: str) -> UpstreamError | None:
        failure = self._store.get_record(f"{key}.failure", _Failure)
        kind = _KINDS.get(failure.kind) if failure else None
        if failure is None or kind is None:
            return None
        remaining = failure.until - clock.now()
        if not 0 < remaining <= _SECONDS[kind]:
            return None
        if kind is Busy:
            return Busy(failure.message, max(1.0, failure.retry_at - clock.now()))
        if kind is WrongValue:
            return WrongValue(failure.message, failure.parameter)
        if issubclass(kind, NotFound):
            return kind(failure.message, failure.is_explicit)
        return kind(failure.message)
