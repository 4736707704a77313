"""The rules of watching: no false news, and each true change once."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from econweb.watching.facts import ABSENT, FactChange, Facts, pack, series_facts, tag_facts, unpack_plain
from econweb.watching.judge import CONFIRM, CONFIRM_LOSS, ConfirmedChange, Memory, judge
from tests.library.builders import DAY as TODAY
from tests.library.builders import a_series_record, a_tag

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def facts(*names: str) -> Facts:
    return tag_facts(a_tag(name) for name in names)


A, B, C = facts("a", "b", "c", "x"), facts("a", "b", "c", "y"), facts("a", "b", "c", "z")
Look = tuple[timedelta, Facts]


def watch(*looks: Look, memory: Memory | None = None, is_plain: bool = True) -> tuple[Memory, list[ConfirmedChange]]:
    """Look at these intervals, and return what was announced."""
    memory, at, news = memory or Memory(), memory.confirmed.at if memory and memory.confirmed else BEGIN, []
    for after, seen in looks:
        at += after
        verdict = judge(memory, seen, at, is_plain)
        assert verdict.due > at
        assert 1 <= verdict.memory.interval <= 7
        memory = verdict.memory
        news += [verdict.change] if verdict.change else []
    return memory, news


KNOWN, _ = watch((HOUR, A), (HOUR, A))


def test_change_is_announced_by_a_second_look_after_an_hour() -> None:
    _, news = watch((DAY, A), (DAY, B), (HOUR / 2, B), (HOUR / 2, B), (DAY, B), memory=KNOWN)
    start = BEGIN + 2 * HOUR

    assert [(one.before, one.seen, one.confirmed) for one in news] == [
        (start + DAY, start + 2 * DAY, start + 2 * DAY + HOUR)
    ]
    assert news[0].difference.changes == (
        FactChange("x", "geo", "presence", "", None),
        FactChange("y", "geo", "presence", None, ""),
    )


def test_second_look_is_due_after_an_hour_and_after_a_day_where_most_is_missing() -> None:
    at = BEGIN + 3 * DAY
    for seen, wait in ((B, CONFIRM), (ABSENT, CONFIRM_LOSS), (facts("a"), CONFIRM_LOSS)):
        assert judge(KNOWN, seen, at, is_plain=True).due == at + wait
    assert watch((DAY, ABSENT), (DAY / 2, ABSENT), (DAY / 4, A), memory=KNOWN)[1] == []
    assert [one.difference.kind for one in watch((DAY, ABSENT), (DAY, ABSENT), memory=KNOWN)[1]] == ["gone"]


@pytest.mark.parametrize("is_plain", [True, False])
def test_second_look_is_due_after_a_day_where_most_is_blank(is_plain: bool) -> None:
    whole = series_facts(a_series_record("A", TODAY))
    blank = dict.fromkeys(whole, "")
    known, _ = watch((HOUR, whole), (HOUR, whole), is_plain=is_plain)

    assert judge(known, blank, BEGIN + 3 * DAY, is_plain).due == BEGIN + 3 * DAY + CONFIRM_LOSS


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
    others = facts("a", "b", "c", "x", "d", "e", "f"), facts("a", "b", "c", "x", "g", "h")
    for number in range(10):
        verdict = judge(memory, others[number % 2], at, is_plain=True)
        assert verdict.change is None
        waits.append(verdict.due - at)
        memory, at = verdict.memory, verdict.due

    assert waits[:5] == [HOUR, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR]
    assert waits[6:] == [DAY] * 4
    verdict = judge(memory, others[1], at, is_plain=True)
    assert verdict.change, "the next look confirms a change that stays"


def restless(number: int, *names: str) -> Facts:
    """Return tags, one of whose notes are others at each look."""
    return tag_facts([a_tag("restless", notes=f"At {number}"), *map(a_tag, ("a", "b", "c", *names))])


def go_on(
    memory: Memory, at: datetime, days: int, seen: Callable[[int], Facts], is_plain: bool
) -> list[ConfirmedChange]:
    """Look whenever a look is due, at another reply each time; return the news."""
    news, end, number = list[ConfirmedChange](), at + days * DAY, 100
    while at < end:
        verdict = judge(memory, seen(number), at, is_plain)
        memory, at, number = verdict.memory, verdict.due, number + 1
        news += [verdict.change] if verdict.change else []
    return news


@pytest.mark.parametrize("is_plain", [True, False])
def test_fact_that_changes_at_every_look_hides_no_other_change(is_plain: bool) -> None:
    known, _ = watch((HOUR, restless(0)), (HOUR, restless(0)), is_plain=is_plain)
    begin = BEGIN + 2 * HOUR + DAY

    assert go_on(known, begin, 60, restless, is_plain) == [], "a fact without rest is no news"
    [news] = go_on(known, begin, 60, lambda number: restless(number, "new"), is_plain)
    assert [fact[:3] for fact in news.difference.changes] == ([("new", "geo", "presence")] if is_plain else [])
    assert news.confirmed - news.seen >= HOUR
    assert news.confirmed - begin < 4 * DAY
    assert {fact.name for fact in news.difference.known} == {"new"}
    [news] = go_on(known, begin, 60, lambda number: tag_facts([a_tag("restless", notes=f"{number}")]), is_plain)
    assert news.difference.count == (3 if is_plain else 6), "all other tags are gone"


@pytest.mark.parametrize("is_plain", [True, False])
def test_source_with_a_restless_fact_has_a_first_state(is_plain: bool) -> None:
    def titled(number: int) -> Facts:
        title = "Old" if number < 130 else "New"
        return series_facts(a_series_record("GDP", TODAY, title=title, notes=f"Read {number} times"))

    [news] = go_on(Memory(), BEGIN, 120, titled, is_plain)
    assert news.difference.kind == "renamed"


@pytest.mark.parametrize("is_plain", [True, False])
def test_replies_that_go_on_losing_some_tags_are_no_news(is_plain: bool) -> None:
    chance, names = Random(3), [f"tag {number}" for number in range(60)]  # noqa: S311
    known, _ = watch((HOUR, facts(*names)), (HOUR, facts(*names)), is_plain=is_plain)

    assert go_on(known, BEGIN + DAY, 60, lambda _: facts(*chance.sample(names, 50)), is_plain) == []


def test_restless_group_of_a_tag_is_no_loss_of_the_tag() -> None:
    def moving(number: int) -> Facts:
        return tag_facts([a_tag("x", group_id=("gen", "src", "cc")[number % 3]), a_tag("a"), a_tag("b"), a_tag("c")])

    assert go_on(KNOWN, BEGIN + 2 * DAY, 60, moving, is_plain=True) == []


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
        if verdict.change:
            assert found != before or not is_plain
            assert verdict.change.confirmed - verdict.change.seen >= HOUR
            assert verdict.change.before < verdict.change.seen
            since = [one for when, one in seen if when >= verdict.change.seen]
            assert len(since) >= 2
            for change in verdict.change.difference.known:
                assert {one.get(change[:3], "") for one in since} == {found.get(change[:3], "")}
            if is_plain:
                before = _apply(before, verdict.change.difference.changes, found)
        assert memory.confirmed
        if is_plain:
            assert unpack_plain(memory.confirmed.state) == before


def _apply(before: Facts, changes: Iterable[FactChange], found: Facts) -> Facts:
    """Return the facts after changes of tags without notes, or of the whole source."""
    after = dict(before)
    for name, group, _, _, value in changes:
        if not name:
            return found if value is not None else ABSENT
        for field in ("presence", "notes"):
            if value is None:
                del after[name, group, field]
            else:
                after[name, group, field] = ""
    return after


@given(st.lists(st.sampled_from([A, B, C, ABSENT]), min_size=1, max_size=10), st.integers(0, 3))
def test_single_wrong_replies_are_never_news(lies: list[Facts], between: int) -> None:
    told = [look for lie in lies for look in [(DAY, lie), *[(HOUR, A)] * (between + 1)]]

    assert watch(*told, memory=KNOWN)[1] == []
