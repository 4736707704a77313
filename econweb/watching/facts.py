"""The facts of a source that are watched, as compact bytes of a canonical form, and their difference.

Counts, popularity and times move by themselves every day: they are no facts, and so never news.
"""

import hashlib
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import msgspec

from econweb.upstream.records import Series, Tag, is_discontinued
from econweb.watching.filters import GROUP_ID
from econweb.watching.models import BACK, CHANGED, DISCONTINUED, GONE, PRESENCE, RENAMED

# Name and group of a tag, which are empty for the source itself, and a field.
Key = tuple[str, str, str]
Facts = Mapping[Key, str]
# Facts and their values, or the fingerprints of both.
K = TypeVar("K")
V = TypeVar("V")
# `observation_end` and `last_updated` move with each new observation.
SERIES_FIELDS = (
    "title",
    "observation_start",
    "frequency",
    "frequency_short",
    "units",
    "units_short",
    "seasonal_adjustment",
    "seasonal_adjustment_short",
    "notes",
)
# The first byte says which form follows. Another choice of facts gets other numbers: states of old ones are forgotten.
PLAIN, HASHED = b"\x01", b"\x02"
_DIGEST = 8
# Facts that change at every look of one source, at most, so that what else changed is announced. Replies that are
# incomplete differ in more.
MAX_RESTLESS = 4
_SOURCE, _TITLE, _ENDED = ("", "", PRESENCE), ("", "", "title"), ("", "", DISCONTINUED)


class FactChange(NamedTuple):
    """One thing that changed; a value is None where there was or is nothing."""

    name: str
    group: str
    field: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Difference:
    """The kind of a difference, and the change of each fact, which is known where facts may be stored."""

    kind: str
    # Of fingerprints where facts may not be stored: one new tag has several, so no page shows that number.
    count: int
    changes: tuple[FactChange, ...]
    # True if most of what was there is missing: the reply of a service with a fault looks like that.
    is_loss: bool
    # For filters, and never stored: the changes as far as they are known, and the notes of their tags.
    known: tuple[FactChange, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    # True where something is gone of which only the fingerprint is known.
    is_partly_known: bool = False


def series_facts(series: Series) -> Facts:
    facts = {("", "", name): _clean(getattr(series, name)) for name in SERIES_FIELDS}
    if is_discontinued(facts[_TITLE]):
        facts[_ENDED] = ""
    return facts | {_SOURCE: ""}


def tag_facts(tags: Iterable[Tag]) -> Facts:
    facts = {_SOURCE: ""}
    for tag in tags:
        name, group = _clean(tag.name), _clean(tag.group_id)
        facts[name, group, PRESENCE] = ""
        facts[name, group, "notes"] = _clean(tag.notes)
    return facts


# A source that the service does not have, or of which it has no record today.
ABSENT: Facts = {}


def pack(facts: Facts, is_plain: bool) -> bytes:
    """Return the facts, or only their fingerprints; equal facts give equal bytes."""
    if is_plain:
        return PLAIN + zlib.compress(msgspec.msgpack.encode(sorted(facts.items())), 6)
    return _join(_fingerprints(facts))


def unpack_plain(state: bytes) -> Facts:
    """Return the facts of a state that holds more than fingerprints."""
    return dict(msgspec.msgpack.decode(zlib.decompress(state[1:]), type=list[tuple[Key, str]]))


def find_difference(state: bytes, facts: Facts) -> Difference | None:
    """Return how the facts differ from a state of either form, or None."""
    if state[:1] == PLAIN:
        return _find(unpack_plain(state), facts)
    return _find_hashed(_pairs(state), _fingerprints(facts), facts)


def is_nearly(state: bytes, facts: Facts) -> bool:
    """Return whether a state differs from the facts in a few of them alone, while the source is in both or in none."""
    changed = _changed(_as_pairs(state), _fingerprints(facts))
    return len(changed) <= MAX_RESTLESS and _fingerprint(*_SOURCE) not in changed


def find_agreed(state: bytes, other: bytes, facts: Facts, is_plain: bool) -> tuple[bytes, Difference | None]:
    """Return a state with all in which the facts agree with another state, and how it differs from the former one."""
    if is_plain and state[:1] == other[:1] == PLAIN:
        old, changed = unpack_plain(state), _changed(unpack_plain(other), facts)
        # The facts of one tag belong together.
        names = {name for name, _, _ in changed} - {""}
        agreed = _merge(old, facts, lambda key: key in changed or key[0] in names)
        return pack(agreed, is_plain), _find(old, agreed)
    hashed = _fingerprints(facts)
    before, restless = _as_pairs(state), _changed(_as_pairs(other), hashed)
    merged = _merge(before, hashed, restless.__contains__)
    return _join(merged), _find_hashed(before, merged, facts)


def _merge(old: Mapping[K, V], new: Mapping[K, V], is_restless: Callable[[K], bool]) -> dict[K, V]:
    # The source was gone: each of its facts is new.
    if not old:
        return dict(new)
    kept = {key: value for key, value in old.items() if is_restless(key)}
    return kept | {key: value for key, value in new.items() if not is_restless(key)}


def _changed(old: Mapping[K, V], new: Mapping[K, V]) -> set[K]:
    return {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}


def _find(old: Facts, new: Facts) -> Difference | None:
    keys = _changed(old, new)
    if not keys:
        return None
    kind = _kind(new.keys(), keys, (_SOURCE, _TITLE, _ENDED))
    if kind in {GONE, BACK}:
        before, after = ("", None) if kind == GONE else (None, "")
        presence = FactChange("", "", PRESENCE, before, after)
        return Difference(kind, 1, (presence,), is_loss=kind == GONE, known=(presence,))
    changes = tuple(_changes(old, new, keys - {_ENDED}))
    loss, notes = _is_loss(old, new, ""), _notes(keys, old, new)
    return Difference(kind, len(changes), changes, loss, known=changes, notes=notes)


def _find_hashed(old: Mapping[bytes, bytes], new: Mapping[bytes, bytes], facts: Facts) -> Difference | None:
    """Return how the fingerprints differ; the facts are those of the new ones, for filters alone."""
    changed = _changed(old, new)
    if not changed:
        return None
    kind = _kind(new.keys(), changed, [_fingerprint(*key) for key in (_SOURCE, _TITLE, _ENDED)])
    is_loss = _is_loss(old, new, _fingerprint(""))
    if kind in {GONE, BACK}:
        return Difference(kind, 1, (), is_loss)
    keys = {key for key in facts if _fingerprint(*key) in changed}
    known = tuple(FactChange(*key, None, facts[key]) for key in keys)
    is_partly_known = not changed <= new.keys()
    return Difference(kind, len(changed), (), is_loss, known, _notes(keys, facts), is_partly_known)


def _notes(keys: Iterable[Key], *states: Facts) -> dict[str, str]:
    """Return all known notes of each tag, by its name."""
    notes: dict[str, str] = {}
    for name, group in {key[:2] for key in keys if key[0]}:
        texts = [state.get((name, group, "notes"), "") for state in states]
        notes[name] = " ".join(filter(None, [notes.get(name), *texts]))
    return notes


def _kind(new: Set[object], changed: Set[object], named: Sequence[object]) -> str:
    source, title, ended = named
    if source in changed:
        return BACK if source in new else GONE
    if ended in changed and ended in new:
        return DISCONTINUED
    return RENAMED if title in changed else CHANGED


def _is_loss(old: Mapping[K, V], new: Mapping[K, V], blank: V) -> bool:
    """Return whether most facts are missing, or blank where they were not: a service with a fault replies like that."""
    blanked = [key for key in old.keys() & new.keys() if new[key] == blank != old[key]]
    return 2 * (len(old.keys() - new.keys()) + len(blanked)) > len(old)


def _changes(old: Facts, new: Facts, keys: Collection[Key]) -> list[FactChange]:
    """Return the changes in the order of names: a tag that left one group for another is the same tag."""
    gone = {key for key in keys if key[2] == PRESENCE and key not in new}
    came = {key for key in keys if key[2] == PRESENCE and key not in old}
    moved = _moved(gone, came)
    changes = [FactChange(*key, old[key], new[key]) for key in keys if key in old and key in new]
    changes += [FactChange(*key, "", None) for key in gone if key[0] not in moved]
    changes += [FactChange(*key, None, "") for key in came if key[0] not in moved]
    for name, (was, group) in moved.items():
        changes.append(FactChange(name, group, GROUP_ID, was, group))
        before, after = old[name, was, "notes"], new[name, group, "notes"]
        changes += [FactChange(name, group, "notes", before, after)] if before != after else []
    return sorted(changes, key=lambda one: one[:3])


def _moved(gone: Iterable[Key], came: Iterable[Key]) -> dict[str, tuple[str, str]]:
    """Return the former and the new group of each tag whose name is gone once and new once."""
    lost, found = Counter(name for name, _, _ in gone), Counter(name for name, _, _ in came)
    was = {name: group for name, group, _ in gone}
    return {name: (was[name], group) for name, group, _ in came if lost[name] == found[name] == 1}


def _clean(value: object) -> str:
    """Return the text without what a page does not show, and a database may refuse."""
    return " ".join(str(value or "").replace("\0", "").split())


def _join(pairs: Mapping[bytes, bytes]) -> bytes:
    return HASHED + b"".join(key + value for key, value in sorted(pairs.items()))


def _pairs(state: bytes) -> dict[bytes, bytes]:
    size = 2 * _DIGEST
    pairs = [state[start : start + size] for start in range(1, len(state), size)]
    return {pair[:_DIGEST]: pair[_DIGEST:] for pair in pairs}


def _as_pairs(state: bytes) -> dict[bytes, bytes]:
    return _fingerprints(unpack_plain(state)) if state[:1] == PLAIN else _pairs(state)


def _fingerprints(facts: Facts) -> dict[bytes, bytes]:
    return {_fingerprint(*key): _fingerprint(value) for key, value in facts.items()}


def _fingerprint(*texts: str) -> bytes:
    return hashlib.blake2b(msgspec.msgpack.encode(texts), digest_size=_DIGEST).digest()
