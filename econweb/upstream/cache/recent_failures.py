"""A negative cache: a request that failed a moment ago is not sent again for some seconds."""

import msgspec

from econweb.upstream import clock
from econweb.upstream.cache.store import Store
from econweb.upstream.errors import (
    BadReply,
    Busy,
    NotFound,
    NotInPeriod,
    Refused,
    Unavailable,
    UpstreamError,
    WrongValue,
    make_error,
)

_SECONDS: dict[type[UpstreamError], float] = {
    NotFound: 10.0,
    NotInPeriod: 10.0,
    Refused: 10.0,
    WrongValue: 10.0,
    Busy: 1.0,
    Unavailable: 2.0,
    BadReply: 5.0,
}
_KINDS = {kind.__name__: kind for kind in _SECONDS}


class _Failure(msgspec.Struct):
    kind: str
    message: str
    attributes: dict[str, bool | float | str]
    # When it happened.
    at: float


class RecentFailures:
    """Failures by the answer's key, stored for seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(self, key: str, error: UpstreamError) -> None:
        failure = _Failure(type(error).__name__, str(error), vars(error), clock.now())
        self._store.put(f"{key}.failure", msgspec.msgpack.encode(failure), _SECONDS[type(error)])

    def get(self, key: str) -> UpstreamError | None:
        failure = self._store.get_record(f"{key}.failure", _Failure)
        kind = _KINDS.get(failure.kind) if failure else None
        if failure is None or kind is None:
            return None
        age = clock.now() - failure.at
        if not 0 <= age < _SECONDS[kind]:
            return None
        error = make_error(kind, failure.message, failure.attributes)
        if isinstance(error, Busy):
            error.retry_after = max(1.0, error.retry_after - age)
        return error
