"""A fake service of watched sources over four weeks: planted changes, noise, outages and wrong replies.

Each reply follows from the source and the time alone, so that all processes see one service.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from random import Random, randint, sample

import msgspec

from econweb.upstream.errors import BadReply, NotFound, Unavailable, UpstreamError
from econweb.upstream.records import Series, Tag
from econweb.watching.ask import Reply
from econweb.watching.facts import ABSENT, Facts, find_difference, pack, series_facts, tag_facts

WEEKS = timedelta(weeks=4)
# After them, for the last confirmations: the longest interval, and the wait where most is missing.
REST = timedelta(days=12)
# A wrong reply lasts for less than the hour between two looks.
SLOT = timedelta(minutes=40)
SLOTS_A_DAY = 36
LIES, FAILURES = 0.04, 0.04
# Two true changes of one source are confirmed separately.
APART = timedelta(days=10)
Change = tuple[datetime, str]
Source = tuple[str, str]


class Scenario:
    """The truth about each source, and what the service says."""

    def __init__(self, begin: datetime, sources: int) -> None:
        self.begin = begin
        self.keys = [self._key(number) for number in range(sources)]
        chance = Random(20)  # noqa: S311  the same scenario each time
        # Outages of 20 minutes to 20 hours; some of them answer with nonsense.
        starts = [begin + chance.random() * WEEKS for _ in range(8)]
        self.outages = [(at, at + timedelta(minutes=chance.randint(20, 1200)), n % 2) for n, at in enumerate(starts)]
        self.changes = {source: self._plan(source) for source in self.keys}

    @staticmethod
    def _key(number: int) -> tuple[str, str]:
        kind = ("series", "category", "release")[number % 3]
        return kind, f"S{number}" if kind == "series" else str(number)

    def _plan(self, source: Source) -> list[Change]:
        """Return up to two changes; what is gone comes back, or stays away."""
        chance = Random(f"plan {source}")  # noqa: S311
        kinds = ["title", "units", "notes", "ended", "gone"]
        if source[0] != "series":
            kinds = ["new", "less", "moved", "notes", "most", "gone"]
        first = self.begin + timedelta(days=3) + chance.random() * timedelta(days=10)
        second = first + APART + chance.random() * timedelta(days=4)
        return [(first, chance.choice(kinds)), (second, chance.choice(kinds))][: chance.choice([0, 0, 1, 2])]

    def truth(self, source: Source, at: datetime) -> Facts:
        return _facts(source, self._done(source, at))

    def _done(self, source: Source, at: datetime) -> tuple[str, ...]:
        return tuple(kind for when, kind in self.changes[source] if when <= at)

    def is_near_news(self, source: Source, at: datetime) -> bool:
        return any(timedelta(0) <= at - when < timedelta(days=8) for when, _ in self.changes[source])

    def expected(self, source: Source) -> list[tuple[str, list[tuple[str | None, ...]], datetime]]:
        """Return kind, facts and time of each announcement."""
        found = []
        for when, _ in self.changes[source]:
            before = pack(self.truth(source, when - timedelta(seconds=1)), is_plain=True)
            difference = find_difference(before, self.truth(source, when))
            if difference:
                found.append((difference.kind, [tuple(change) for change in difference.changes], when))
        return found

    def reply(self, source: Source, at: datetime) -> Reply:
        """Return what the service says: the truth with noise, rarely something wrong, or an error."""
        for begin, end, is_nonsense in self.outages:
            if begin <= at < end:
                raise BadReply("nonsense") if is_nonsense else Unavailable("down")
        slot = (at - self.begin) // SLOT
        chance = Random(f"{source} {slot}")  # noqa: S311
        kind = chance.random()
        if at < self.begin + WEEKS and kind < FAILURES:
            raise _failure(chance)
        if at < self.begin + WEEKS and kind < FAILURES + LIES:
            return Reply(self._lie(source, at, slot, chance), at)
        return Reply(_facts(source, self._done(source, at), is_noisy=True), at)

    def _lie(self, source: Source, at: datetime, slot: int, chance: Random) -> Facts:
        # The second look at a source that seems to be gone is a day later.
        if chance.random() < 0.3 and slot // SLOTS_A_DAY % 3 == 0:
            return ABSENT
        facts = dict(self.truth(source, at))
        lost = chance.sample(sorted(facts), k=len(facts) // 3)
        if source[0] != "series" and chance.random() < 0.5:
            return {key: value for key, value in facts.items() if key not in lost or not key[0]}
        return facts | dict.fromkeys([key for key in lost if key[2] != "presence"], f"a wrong reply of {slot}")


def _failure(chance: Random) -> UpstreamError:
    return chance.choice([BadReply("cut off"), Unavailable("late"), NotFound("a proxy says so")])


def _facts(source: Source, done: Sequence[str], is_noisy: bool = False) -> Facts:
    """Return the facts after these changes; what is gone comes back with the next change."""
    if done[-1:] == ("gone",) and done != ("gone", "gone"):
        return ABSENT
    if source[0] == "series":
        series = _series(source[1], done)
        return series_facts(msgspec.structs.replace(series, popularity=randint(0, 9)) if is_noisy else series)  # noqa: S311
    tags = _tags(source[1], done)
    return tag_facts(map(_blur, sample(tags, len(tags))) if is_noisy else tags)


def _blur(tag: Tag) -> Tag:
    """Change what moves by itself: even counts, 20 % up or down, and popularity."""
    return msgspec.structs.replace(tag, series_count=2 * randint(400, 600), popularity=randint(0, 100))  # noqa: S311


def _series(key: str, done: Sequence[str]) -> Series:
    def after(kind: str, text: str) -> str:
        return f"{text} {done.count(kind)}" if kind in done else text

    ended = " (DISCONTINUED)" if "ended" in done else ""
    day = date(2000, 1, 1)
    return Series(
        id=key,
        realtime_start=day,
        realtime_end=day,
        title=after("title", f"Title of {key}") + ended,
        observation_start=day,
        observation_end=day,
        frequency="Monthly",
        frequency_short="M",
        units=after("units", "Billions"),
        units_short="Bil.",
        seasonal_adjustment="Adjusted",
        seasonal_adjustment_short="SA",
        last_updated="2026-01-01 08:00:00-05",
        popularity=50,
        notes=after("notes", "Notes"),
    )


def _tags(key: str, done: Sequence[str]) -> list[Tag]:
    names = [f"tag {number}" for number in range(12)]
    if "most" in done:
        names = names[:2]
    names = names[: len(names) - done.count("less")] + [f"new {n}" for n in range(done.count("new"))]
    groups = ["gen", "geo", "cc"]
    first = {"group_id": groups[done.count("moved")], "notes": f"Notes {key} {done.count('notes')}"}
    return [
        Tag(
            **{"group_id": "gen", "notes": "", **(first if number == 0 else {})},
            name=name,
            created="2012-02-27 10:18:19-06",
            popularity=1,
            series_count=2,
        )
        for number, name in enumerate(names)
    ]
