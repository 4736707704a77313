"""Visitors take turns while their requests wait for the rate limit."""

import threading
import time
from collections import Counter
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from econweb.upstream import clock
from econweb.upstream.limits.turns import COMPETITION_SECONDS, HALF_LIFE, MAX_VISITORS, Turns


def served(arrivals: list[str], turns: Turns | None = None) -> list[str]:
    """Return the visitors in the order in which they get the turn, if all wait before the first one ends."""
    turns, order, threads = turns or Turns(), list[str](), list[threading.Thread]()

    def send(visitor: str) -> None:
        with turns.take(visitor, 60.0):
            order.append(visitor)

    with turns.take("first", 60.0):
        for number, visitor in enumerate(arrivals):
            thread = threading.Thread(target=send, args=(visitor,))
            thread.start()
            threads.append(thread)
            wait_until(turns, number + 1)
    for thread in threads:
        thread.join()
    return order


def wait_until(turns: Turns, waiting: int) -> None:
    while sum(len(queue) for queue in turns._waiting.values()) < waiting:
        time.sleep(0.001)


def test_visitors_take_turns() -> None:
    assert served([*"aaaa", *"bb", "c"]) == [*"abc", *"ab", *"aa"]


def test_visitors_are_compared_at_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process may run between two readings of the clock, for longer than all before."""
    readings = count()
    monkeypatch.setattr(clock, "steady", lambda: 1000 + 1e-9 * 2 ** next(readings))

    assert served([*"aaaa", *"bb", "c"]) == [*"abc", *"ab", *"aa"]


def test_greedy_visitor_is_served_once_between_others() -> None:
    others = [f"reader {number}" for number in range(20)]
    order = served(["greedy"] * 30 + others)

    assert order[0] == "greedy"
    assert set(order[1:21]) == set(others)
    assert order[21:] == ["greedy"] * 29


@given(st.lists(st.sampled_from("abcd"), max_size=12))
def test_nobody_has_two_turns_more_than_another_that_waits(arrivals: list[str]) -> None:
    order = served(arrivals)

    assert Counter(order) == Counter(arrivals)
    for end in range(len(order) + 1):
        had, waits = Counter(order[:end]), Counter(order[end:])
        assert all(had[one] <= had[other] + 1 for one in had for other in waits)


def test_count_ahead_is_the_number_of_requests_sent_before() -> None:
    turns = Turns()
    assert turns.count_ahead("a") == 0
    release, threads = threading.Event(), []

    def hold(visitor: str) -> None:
        with turns.take(visitor, 60.0):
            release.wait(60)

    for number, visitor in enumerate(["a", "a", "a", "b", "c", "c"]):
        threads.append(threading.Thread(target=hold, args=(visitor,)))
        threads[-1].start()
        while not turns._is_taken:
            time.sleep(0.001)
        wait_until(turns, number)

    # One request of a has the turn; two of a, one of b and two of c wait. The turn of a puts it behind b and c.
    assert [turns.count_ahead(visitor) for visitor in "abcd"] == [
        1 + 2 + 1 + 2,
        1 + 1 + 1 + 2,
        1 + 2 + 2 + 1,
        1 + 0 + 1 + 1,
    ]
    release.set()
    for thread in threads:
        thread.join()
    assert (turns._waiting, turns._is_taken) == ({}, False)


def test_request_that_gives_up_leaves_the_queue() -> None:
    turns = Turns()
    with turns.take("a", 60.0):
        with turns.take("b", 0.0):
            assert turns._waiting == {}
        assert turns._is_taken
    assert not turns._is_taken


def test_turn_that_comes_as_the_patience_ends_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Turns()
    first = turns.take("a", 60.0)
    first.__enter__()

    class Late(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            """Return too late what is true by now."""
            first.__exit__(None, None, None)
            return False

    monkeypatch.setattr("econweb.upstream.limits.turns.Event", Late)
    with turns.take("b", 0.0) as has_turn:
        assert has_turn
    assert not turns._is_taken


def test_visitor_who_had_many_turns_waits_for_one_who_had_none(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = [1000.0]
    monkeypatch.setattr(clock, "steady", lambda: moment[0])
    turns = Turns()
    for _ in range(8):
        with turns.take("greedy", 0.0):
            pass

    assert turns.count_ahead("greedy") == 0
    assert served(["greedy", "greedy", "reader", "reader"], turns) == ["reader", "reader", "greedy", "greedy"]
    moment[0] += 5 * HALF_LIFE
    assert served(["greedy", "reader", "reader", "reader"], turns)[:2] == ["reader", "greedy"]


def test_visitor_is_greedy_after_many_turns_beside_others(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = [1000.0]
    monkeypatch.setattr(clock, "steady", lambda: moment[0])
    turns, greedy = Turns(), []
    for visitor in ["a", *"b" * 10]:
        with turns.take(visitor, 0.0):
            greedy.append(turns.is_greedy("b"))
    with turns.take("b", 0.0):
        greedy.append(turns.is_greedy("b"))
    moment[0] += COMPETITION_SECONDS

    assert greedy == [False] * 11 + [True]
    assert not turns.is_greedy("b")


def test_turns_that_are_given_back_make_nobody_greedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "steady", lambda: 1000.0)
    turns = Turns()
    for visitor in ["a", *"b" * 20]:
        with turns.take(visitor, 0.0):
            turns.give_back(visitor)

    assert not turns.is_greedy("b")


def test_visitor_without_others_is_never_greedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "steady", lambda: 1000.0)
    turns = Turns()
    for _ in range(30):
        with turns.take("a", 0.0):
            assert not turns.is_greedy("a")


def test_memory_of_turns_is_bounded() -> None:
    turns = Turns()
    for number in range(2 * MAX_VISITORS):
        with turns.take(str(number), 0.0):
            pass

    assert len(turns._had) == MAX_VISITORS


def test_request_without_a_turn_has_none_to_give_back() -> None:
    turns = Turns()
    with turns.take("a", 60.0) as first, turns.take("b", 0.0) as second:
        assert (first, second) == (True, False)
