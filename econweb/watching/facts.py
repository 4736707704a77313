"""The facts of a source that are watched, as compact bytes of a canonical form, and their difference.

Counts, popularity and times move by themselves every day: they are no facts, and so never news.
"""

import hashlib
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from econweb.upstream.records import Series, Tag
from econweb.watching.filters import GROUP_ID
from econweb.watching.models import BACK, CHANGED, DISCONTINUED, GONE, PRESENCE, RENAMED

# Name and group of a tag, which are empty for the source itself, and a field.
Key = tuple[str, str, str]
Facts = Mapping[Key, str]
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
    """The kind of a change and its facts, which are known where they may be stored."""

    kind: str
    count: int
    facts: tuple[FactChange, ...]
    # True if most of what was there is missing: the reply of a service with a fault looks like that.
    is_loss: bool


def series_facts(series: Series) -> Facts:
    facts = {("", "", name): _clean(getattr(series, name)) for name in SERIES_FIELDS}
    if "(DISCONTINUED)" in facts[_TITLE].upper():
        facts[_ENDED] = ""
    return facts | {_SOURCE: ""}


def tag_facts(tags: Iterable[Tag]) -> Facts:
    facts = {_SOURCE: ""}
    for tag in tags:
        name, group = _clean(tag.name), _clean(tag.group_id)
        facts[name, group, PRESENCE] = ""
        facts[name, group, "notes"] = _clean(tag.notes)
    return facts


# A source that the service does not have.
ABSENT: Facts = {}


def pack(facts: Facts, is_plain: bool) -> bytes:
    """Return the facts, or only their fingerprints; equal facts give equal bytes."""
    if is_plain:
        return PLAIN + zlib.compress(msgspec.msgpack.encode(sorted(facts.items())), 6)
    return HASHED + b"".join(key + value for key, value in sorted(_fingerprints(facts).items()))


def unpack_plain(state: bytes) -> Facts:
    """Return the facts of a state that holds more than fingerprints."""
    return dict(msgspec.msgpack.decode(zlib.decompress(state[1:]), type=list[tuple[Key, str]]))


def find_difference(state: bytes, facts: Facts) -> Difference | None:
    """Return how the facts differ from a state of either form, or None."""
    if state[:1] == PLAIN:
        return _find(unpack_plain(state), facts)
    size = 2 * _DIGEST
    pairs = [state[start : start + size] for start in range(1, len(state), size)]
    return _find_hashed({pair[:_DIGEST]: pair[_DIGEST:] for pair in pairs}, _fingerprints(facts))


def _find(old: Facts, new: Facts) -> Difference | None:
    keys = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
    if not keys:
        return None
    kind = _kind(new.keys(), keys, (_SOURCE, _TITLE, _ENDED))
    if kind in {GONE, BACK}:
        before, after = ("", None) if kind == GONE else (None, "")
        return Difference(kind, 1, (FactChange("", "", PRESENCE, before, after),), is_loss=kind == GONE)
    changes = _changes(old, new, keys - {_ENDED})
    return Difference(kind, len(changes), tuple(changes), _is_loss(len(old), len(old.keys() - new.keys())))


def _find_hashed(old: Mapping[bytes, bytes], new: Mapping[bytes, bytes]) -> Difference | None:
    keys = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
    if not keys:
        return None
    kind = _kind(new.keys(), keys, [_fingerprint(*key) for key in (_SOURCE, _TITLE, _ENDED)])
    count = 1 if kind in {GONE, BACK} else len(keys)
    return Difference(kind, count, (), _is_loss(len(old), len(old.keys() - new.keys())))


def _kind(new: Set[object], changed: Set[object], named: Sequence[object]) -> str:
    source, title, ended = named
    if source in changed:
        return BACK if source in new else GONE
    if ended in changed and ended in new:
        return DISCONTINUED
    return RENAMED if title in changed else CHANGED


def _is_loss(before: int, lost: int) -> bool:
    return 2 * lost > before


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


def _fingerprints(facts: Facts) -> dict[bytes, bytes]:
    return {_fingerprint(*key): _fingerprint(value) for key, value in facts.items()}


def _fingerprint(*texts: str) -> bytes:
    return hashlib.blake2b(msgspec.msgpack.encode(texts), digest_size=_DIGEST).digest()
