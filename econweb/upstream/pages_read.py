"""The pages of a set that have been read, for the next try: not all of a long one may be had in one."""

from collections.abc import Callable

import msgspec

from econweb.upstream.errors import Busy, Unavailable, UpstreamError
from econweb.upstream.records import TagsReply
from econweb.upstream.redaction import without
from econweb.upstream.store import Store

# Since the last page that came. The smallest allowance brings one in a minute, and one in two after a 429.
PAGES_SECONDS = 300.0


class PagesRead:
    """Beside the store's entry of the same name; without a cache each try begins anew."""

    def __init__(self, store: Store, name: str, api_key: str) -> None:
        self._store, self._name, self._api_key = store, f"{name}.pages", api_key
        self._replies = self._of_the_last_try()
        self._known = len(self._replies)

    def page(self, number: int, ask: Callable[[], TagsReply]) -> TagsReply:
        """Counted from 0, one after another."""
        if number == len(self._replies):
            try:
                self._replies.append(ask())
            except (Busy, Unavailable) as error:
                raise self._with_what_is_kept(error) from None
            except UpstreamError:
                self.forget()
                raise
        return self._replies[number]

    def forget(self) -> None:
        self._store.drop(self._name)

    def _of_the_last_try(self) -> list[TagsReply]:
        value = self._store.get(self._name)
        if value is None:
            return []
        try:
            return msgspec.msgpack.decode(value, type=list[TagsReply])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return []

    def _with_what_is_kept(self, error: Busy | Unavailable) -> UpstreamError:
        if not self._replies:
            return error
        # Only what is new prolongs it: a service that is down for long must not join rows of distant moments.
        if len(self._replies) > self._known:
            packed = without(self._api_key, msgspec.msgpack.encode(self._replies))
            self._store.put(self._name, packed, PAGES_SECONDS)
        rows = sum(len(reply.tags) for reply in self._replies)
        words = f"{error} {rows} tags are read so far, and they are kept for the next try."
        return Busy(words, error.seconds) if isinstance(error, Busy) else Unavailable(words, error.passing)
