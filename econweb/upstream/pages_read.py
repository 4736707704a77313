"""The pages of a set that have been read, for the next try: not all of a long one may be had in one."""

from collections.abc import Callable
from datetime import date, datetime

import msgspec
from django.utils import timezone

from econweb.upstream import clock
from econweb.upstream.errors import Busy, Unavailable, UpstreamError
from econweb.upstream.records import TagsReply
from econweb.upstream.redaction import without
from econweb.upstream.store import Store

# Since the first page was asked for: a set must not join rows of distant moments.
PAGES_SECONDS = 300.0


class _Page(msgspec.Struct, array_like=True):
    """Only pages that go on behind the same first one belong together."""

    begun: float
    reply: TagsReply


class PagesRead:
    """Beside the store's entry of the same name; without a cache each try begins anew."""

    def __init__(self, store: Store, name: str, api_key: str, of_today: bool = True) -> None:
        self._store, self._name, self._api_key, self._of_today = store, name, api_key, of_today
        self._begun = clock.now()
        self._replies: list[TagsReply] = []
        self._take_up()
        self._kept = len(self._replies)

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

    def seconds(self) -> float:
        """Since the first page was asked for, in whichever try."""
        return clock.now() - self._begun

    def forget(self) -> None:
        for number in range(self._kept):
            self._store.drop(self._name_of(number))

    def _take_up(self) -> None:
        """What the last try left."""
        page = self._stored(0)
        if page is None or not self._hold_together(page.begun, clock.now()):
            return
        self._begun = page.begun
        while page and page.begun == self._begun:
            self._replies.append(page.reply)
            page = self._stored(len(self._replies))

    def _stored(self, number: int) -> _Page | None:
        value = self._store.get(self._name_of(number))
        if value is None:
            return None
        try:
            return msgspec.msgpack.decode(value, type=_Page)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None

    def _hold_together(self, begun: float, moment: float) -> bool:
        """By the portal's day: the period that a service applies may always be older than today."""
        return abs(moment - begun) <= PAGES_SECONDS and not (self._of_today and _day(moment) != _day(begun))

    def _with_what_is_kept(self, error: Busy | Unavailable) -> UpstreamError:
        if not self._replies:
            return error
        rows = sum(len(reply.tags) for reply in self._replies)
        again = clock.now() + (error.seconds if isinstance(error, Busy) else 0.0)
        if self._hold_together(self._begun, again) and self._keep():
            words = f"{error} {rows} tags are read so far, and they are kept for the next try."
        else:
            words = f"{error} {rows} tags are read so far, but they cannot be kept: the next try begins anew."
        return Busy(words, error.seconds) if isinstance(error, Busy) else Unavailable(words, error.passing)

    def _keep(self) -> bool:
        while self._kept < len(self._replies):
            page = msgspec.msgpack.encode(_Page(self._begun, self._replies[self._kept]))
            if not self._store.put(self._name_of(self._kept), without(self._api_key, page), PAGES_SECONDS):
                break
            self._kept += 1
        # Where there is no room for all of them, the first ones had to go.
        whole = self._kept == len(self._replies) and self._store.get(self._name_of(0)) is not None
        if not whole:
            self.forget()
        return whole

    def _name_of(self, number: int) -> str:
        return f"{self._name}.pages.{number}"


def _day(moment: float) -> date:
    return datetime.fromtimestamp(moment, timezone.get_default_timezone()).date()
