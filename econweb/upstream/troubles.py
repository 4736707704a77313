"""What went wrong a moment ago is not tried again at once; it is kept for seconds only."""

import msgspec

from econweb.upstream import clock
from econweb.upstream.errors import BadReply, Busy, NotFound, Refused, Unavailable, UpstreamError
from econweb.upstream.store import Store

_SECONDS: dict[type[UpstreamError], float] = {
    NotFound: 10.0,
    Refused: 10.0,
    Busy: 1.0,
    Unavailable: 2.0,
    BadReply: 5.0,
}
_KINDS = {kind.__name__: kind for kind in _SECONDS}


class _Trouble(msgspec.Struct, array_like=True):
    kind: str
    words: str
    until: float
    # When a Busy service may be asked again.
    again: float = 0.0


class Troubles:
    """Beside the store's entry of the same name."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(self, name: str, error: UpstreamError) -> None:
        seconds = _SECONDS[type(error)]
        now = clock.now()
        again = now + error.seconds if isinstance(error, Busy) else 0.0
        trouble = _Trouble(type(error).__name__, str(error), now + seconds, again)
        self._store.put(f"{name}.trouble", msgspec.msgpack.encode(trouble), seconds)

    def get(self, name: str) -> UpstreamError | None:
        value = self._store.get(f"{name}.trouble")
        if value is None:
            return None
        try:
            trouble = msgspec.msgpack.decode(value, type=_Trouble)
            kind = _KINDS[trouble.kind]
        except (msgspec.MsgspecError, UnicodeDecodeError, KeyError):
            return None
        left = trouble.until - clock.now()
        if not 0 < left <= _SECONDS[kind]:
            return None
        if kind is Busy:
            return Busy(trouble.words, max(1.0, trouble.again - clock.now()))
        return kind(trouble.words)
