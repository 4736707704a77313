"""The rules of watching: no false news, and each true change once."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from econweb.watching.facts import ABSENT, FactChange, Facts, pack, tag_facts
from econweb.watching.judge import CONFIRM, CONFIRM_LOSS, Memory, News, judge
from tests.library.builders import a_tag

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def facts(*names: str) -> Facts:
    return tag_facts(a_tag(name) for name in names)


A, B, C = facts("a", "b", "c", "x"), facts("a", "b", "c", "y"), facts("a", "b", "c", "z")
Look = tuple[timedelta, Facts]


def watch(*looks: Look, memory: Memory | None = None, is_plain: bool = True) -> tuple[Memory, list[News]]:
    """Look at these intervals, and return what was announced."""
    memory, at, news = memory or Memory(), memory.confirmed.at if memory and memory.confirmed else BEGIN, []
    for after, seen in looks:
        at += after
        verdict = judge(memory, seen, at, is_plain)
        assert verdict.due > at
        assert 1 <= verdict.memory.interval <= 7
        memory = verdict.memory
        news += [verdict.news] if verdict.news else []
    return memory, news


KNOWN, _ = watch((HOUR, A), (HOUR, A))


def test_change_is_announced_by_a_second_look_after_an_hour() -> None:
    _, news = watch((DAY, A), (DAY, B), (HOUR / 2, B), (HOUR / 2, B), (DAY, B), memory=KNOWN)
    start = BEGIN + 2 * HOUR

    assert [(one.before, one.seen, one.confirmed) for one in news] == [
        (start + DAY, start + 2 * DAY, start + 2 * DAY + HOUR)
    ]
    assert news[0].difference.facts == (
        FactChange("x", "geo", "presence", "", None),
        FactChange("y", "geo", "presence", None, ""),
    )


def test_second_look_is_due_after_an_hour_and_after_a_day_where_most_is_missing() -> None:
    at = BEGIN + 3 * DAY
    for seen, wait in ((B, CONFIRM), (ABSENT, CONFIRM_LOSS), (facts("a"), CONFIRM_LOSS)):
        assert judge(KNOWN, seen, at, is_plain=True).due == at + wait
    assert watch((DAY, ABSENT), (DAY / 2, ABSENT), (DAY / 4, A), memory=KNOWN)[1] == []
    assert [one.difference.kind for one in watch((DAY, ABSENT), (DAY, ABSENT), memory=KNOWN)[1]] == ["gone"]


def test_first_look_is_confirmed_as_well() -> None:
    assert watch((HOUR, B), (HOUR, A), (HOUR, A), (DAY, A))[1] == []
    assert [len(watch(*looks)[1]) for looks in ([(HOUR, B), (HOUR, B), (DAY, A), (HOUR, A)],)] == [1]


def test_clock_that_was_set_back_confirms_nothing() -> None:
    memory, news = watch((DAY, B), (-5 * DAY, B), (HOUR / 2, B), memory=KNOWN)

    assert (news, memory.candidate and memory.candidate.at) == ([], BEGIN + 2 * HOUR - 4 * DAY)


def test_change_of_form_is_no_news() -> None:
    for is_plain in (True, False):
        known, _ = watch((HOUR, A), (HOUR, A), is_plain=is_plain)
        agreed, news = watch((DAY, A), memory=known, is_plain=not is_plain)
        assert (news, agreed.confirmed and agreed.confirmed.state) == ([], pack(A, not is_plain))
        _, news = watch((DAY, B), (HOUR, B), memory=known, is_plain=not is_plain)
        assert len(news) == 1


def test_interval_follows_how_often_a_source_changes() -> None:
    calm, _ = watch(*[(DAY, A)] * 10, memory=KNOWN)
    busy, _ = watch(*[(DAY, B), (HOUR, B), (DAY, A), (HOUR, A)] * 5, memory=calm)

    assert (calm.interval, busy.interval) == (7, 1)
    assert judge(calm, A, BEGIN + 30 * DAY, is_plain=True).due == BEGIN + 37 * DAY


def test_source_whose_looks_go_on_disagreeing_is_asked_once_a_day() -> None:
    memory, at, waits = KNOWN, BEGIN + 2 * HOUR + DAY, []
    for number in range(10):
        verdict = judge(memory, (B, C)[number % 2], at, is_plain=True)
        assert verdict.news is None
        waits.append(verdict.due - at)
        memory, at = verdict.memory, verdict.due

    assert waits[:5] == [HOUR, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR]
    assert waits[6:] == [DAY] * 4
    verdict = judge(memory, C, at, is_plain=True)
    assert verdict.news, "the next look confirms a change that stays"


looks = st.lists(st.tuples(st.sampled_from([HOUR / 4, HOUR, DAY]), st.sampled_from([A, B, C, ABSENT])), max_size=25)


@given(looks, st.booleans())
def test_news_lead_from_one_confirmed_state_to_the_next(looks: list[Look], is_plain: bool) -> None:
    """Each announcement has two looks that agree; between two of them nothing is lost or told twice."""
    memory, at, before = KNOWN, BEGIN + 2 * HOUR, A
    seen: list[tuple[datetime, Facts]] = []
    for after, found in looks:
        at += after
        seen.append((at, found))
        verdict = judge(memory, found, at, is_plain)
        memory = verdict.memory
        if verdict.news:
            assert found != before
            assert verdict.news.confirmed - verdict.news.seen >= HOUR
            assert verdict.news.before < verdict.news.seen
            assert {one for when, one in map(_hashable, seen) if when >= verdict.news.seen} == {
                _hashable((at, found))[1]
            }
            before = found
        assert memory.confirmed
        assert memory.confirmed.state == pack(before, is_plain) or before is A


def _hashable(look: tuple[datetime, Facts]) -> tuple[datetime, bytes]:
    return look[0], pack(look[1], True)


@given(st.lists(st.sampled_from([A, B, C, ABSENT]), min_size=1, max_size=10), st.integers(0, 3))
def test_single_wrong_replies_are_never_news(lies: list[Facts], between: int) -> None:
    told = [look for lie in lies for look in [(DAY, lie), *[(HOUR, A)] * (between + 1)]]

    assert watch(*told, memory=KNOWN)[1] == []
