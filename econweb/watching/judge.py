"""The rules of watching: what a look at a source means. No clock and no table is read here.

A change is announced when a second look, at least an hour after the first, finds exactly the same. A single wrong
reply is therefore never news. The first state needs two looks that agree as well, except from the embedded service,
which sends no wrong replies. A source with a few facts that change at every look has no two equal looks: after a day
of them, those facts are set aside, and what two looks say alike is announced.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from econweb.watching.facts import HASHED, PLAIN, Difference, Facts, find_agreed, find_difference, is_nearly, pack
from econweb.watching.watches import FIRST_INTERVAL, LAST_INTERVAL

# Between the first look that saw a change and the one that confirms it; longer where most of a source is missing,
# because an outage that answers with too little may last for hours.
CONFIRM, CONFIRM_LOSS = timedelta(hours=1), timedelta(days=1)
# The longest wait after looks that disagree with each other.
MAX_WAIT = timedelta(days=1)
# An interval grows by this factor after a look without a change, and is halved after a change.
GROWTH, SHRINKAGE = 1.5, 0.5
# Before the first state, the interval grows by this factor with each two looks that disagree: after nine of them, those
# that differ in little count.
GROWTH_OF_DOUBT = 1.25


class Look(NamedTuple):
    """The facts of a reply, packed, and its time."""

    state: bytes
    at: datetime


@dataclass(frozen=True)
class Memory:
    """The knowledge of a source: the last look that agreed with the confirmed state, and the first of another one."""

    confirmed: Look | None = None
    candidate: Look | None = None
    interval: float = FIRST_INTERVAL


@dataclass(frozen=True)
class ConfirmedChange:
    """A confirmed change: the last look before it, the first that saw it, and the one that confirmed it."""

    difference: Difference
    before: datetime
    seen: datetime
    confirmed: datetime


@dataclass(frozen=True)
class Verdict:
    """The knowledge after a look, the time of the next one, and the change to announce, if there is one."""

    memory: Memory
    due: datetime
    change: ConfirmedChange | None = None


def judge(memory: Memory, facts: Facts, at: datetime, is_plain: bool, is_sure: bool = False) -> Verdict:
    """Judge a complete reply that was sent at this time; with `is_plain` its facts may be stored.

    With `is_sure` the first look is the first state: what changes soon after somebody has followed is news.
    """
    if memory.confirmed is None and is_sure:
        return Verdict(Memory(Look(pack(facts, is_plain), at)), at + CONFIRM)
    if memory.confirmed is None:
        # Two looks that agree are the first state, so that a wrong reply at the beginning is no news later.
        return _wait_or_announce(memory, facts, at, is_plain, None)
    difference = find_difference(memory.confirmed.state, facts)
    if difference:
        return _wait_or_announce(memory, facts, at, is_plain, difference)
    is_same_form = memory.confirmed.state[:1] == (PLAIN if is_plain else HASHED)
    state = memory.confirmed.state if is_same_form else pack(facts, is_plain)
    return _rest(Look(state, at), min(LAST_INTERVAL, memory.interval * GROWTH))


def _wait_or_announce(
    memory: Memory, facts: Facts, at: datetime, is_plain: bool, difference: Difference | None
) -> Verdict:
    candidate, wait = memory.candidate, timedelta(0)
    if candidate is None or candidate.at > at:
        # The first look that sees this, or the former one had a clock that was wrong.
        candidate = Look(pack(facts, is_plain), at)
    elif find_difference(candidate.state, facts):
        if verdict := _set_aside(memory, candidate, Look(pack(facts, is_plain), at), facts):
            return verdict
        memory, wait = _doubt(memory, at)
        candidate = Look(pack(facts, is_plain), at)
    confirm_at = candidate.at + (CONFIRM_LOSS if difference and difference.is_loss else CONFIRM)
    if at < confirm_at:
        return Verdict(replace(memory, candidate=candidate), max(confirm_at, at + wait))
    confirmed = Look(pack(facts, is_plain), at)
    if memory.confirmed is None or difference is None:
        return _rest(confirmed, FIRST_INTERVAL)
    return _announce(memory, memory.confirmed, difference, candidate, confirmed)


def _set_aside(memory: Memory, candidate: Look, look: Look, facts: Facts) -> Verdict | None:
    """Judge two looks that differ in a few facts alone, if it has been so for long; None: there is more to wait for."""
    if not _is_restless(memory, candidate) or look.at < candidate.at + CONFIRM or not is_nearly(candidate.state, facts):
        return None
    if memory.confirmed is None:
        return _rest(look, FIRST_INTERVAL)
    is_plain = look.state[:1] == PLAIN
    state, difference = find_agreed(memory.confirmed.state, candidate.state, facts, is_plain)
    confirmed = Look(state, look.at)
    if difference is None:
        return _rest(confirmed, min(LAST_INTERVAL, memory.interval * GROWTH))
    if difference.is_loss and look.at < candidate.at + CONFIRM_LOSS:
        return None
    return _announce(memory, memory.confirmed, difference, candidate, confirmed)


def _is_restless(memory: Memory, candidate: Look) -> bool:
    """Return whether the former look came after a day, or nine times, of looks that disagree."""
    if memory.confirmed is None:
        return memory.interval >= LAST_INTERVAL
    return candidate.at - memory.confirmed.at - timedelta(days=memory.interval) >= MAX_WAIT


def _doubt(memory: Memory, at: datetime) -> tuple[Memory, timedelta]:
    """Return the wait after two looks that disagree, which doubles up to a day while a source has no rest."""
    if memory.confirmed is None:
        wait = MAX_WAIT if memory.interval >= LAST_INTERVAL else CONFIRM
        return replace(memory, interval=min(LAST_INTERVAL, memory.interval * GROWTH_OF_DOUBT)), wait
    restless = at - memory.confirmed.at - timedelta(days=memory.interval)
    return memory, min(MAX_WAIT, max(CONFIRM, restless))


def _announce(memory: Memory, former: Look, difference: Difference, candidate: Look, confirmed: Look) -> Verdict:
    change = ConfirmedChange(difference, former.at, candidate.at, confirmed.at)
    return _rest(confirmed, max(FIRST_INTERVAL, memory.interval * SHRINKAGE), change)


def _rest(confirmed: Look, interval: float, change: ConfirmedChange | None = None) -> Verdict:
    return Verdict(Memory(confirmed, None, interval), confirmed.at + timedelta(days=interval), change)
