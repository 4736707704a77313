"""A fake service for watchers, with a clock that a test moves."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.utils import timezone

from econweb.accounts.people import account_of
from econweb.upstream.errors import UpstreamError
from econweb.watching.ask import Reply
from econweb.watching.facts import ABSENT, Facts, series_facts
from econweb.watching.models import Watch, WatchedSource
from econweb.watching.watcher import Watcher
from tests.library.builders import DAY, a_series_record


def titled(title: str) -> Facts:
    return series_facts(a_series_record("GDP", DAY, title=title))


@dataclass
class World:
    """The titles of series, and the time."""

    now: datetime = field(default_factory=timezone.now)
    titles: dict[str, str] = field(default_factory=dict)
    errors: dict[str, Exception] = field(default_factory=dict)
    error: UpstreamError | None = None
    asked: list[str] = field(default_factory=list)
    # Called in the middle of a look.
    meanwhile: Callable[[], object] | None = None

    def ask(self, kind: str, key: str) -> Reply:
        self.asked.append(key)
        if error := self.error or self.errors.get(key):
            raise error
        facts = titled(self.titles[key]) if key in self.titles else ABSENT
        if self.meanwhile:
            self.meanwhile()
        return Reply(facts, self.now)

    def watcher(self, hold: Callable[[], bool] = lambda: True) -> Watcher:
        return Watcher(hold, self.ask, lambda: None, lambda: self.now)

    def follow(self, key: str, title: str = "", person: str = "local editor", target: str = "") -> WatchedSource:
        """Let somebody follow a series; the row is due now."""
        if title:
            self.titles[key] = title
        row, _ = WatchedSource.objects.get_or_create(
            kind="series", key=key, defaults={"interval": 1.0, "due": self.now}
        )
        watch = Watch.objects.create(
            person=person,
            account_id=account_of(person),
            kind="series",
            target=target or f"/series/{key}/",
            created=self.now,
        )
        watch.sources.add(row)
        return row

    def run(self, watcher: Watcher, **time: float) -> None:
        """Let the watcher work for this time."""
        end = self.now + timedelta(**time)
        while self.now < end:
            pause = watcher.step()
            first = WatchedSource.objects.order_by("due").values_list("due", flat=True).first()
            idle_until = min(first, end) if watcher.is_idle and first else self.now
            self.now = max(self.now + timedelta(seconds=pause), idle_until)
