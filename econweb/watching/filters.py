"""The filters of a watch: which changes of its sources they let through."""

from collections.abc import Iterable, Mapping
from typing import Protocol
from urllib.parse import parse_qs

from econweb.upstream.queries import split_names
from econweb.watching.models import TAGS

# The field of a fact that says from which group a tag went to which.
GROUP_ID = "group_id"


class FactOfChange(Protocol):
    """A fact that changed, as `FactChange` has it."""

    @property
    def name(self) -> str: ...
    @property
    def group(self) -> str: ...
    @property
    def field(self) -> str: ...
    @property
    def before(self) -> str | None: ...
    @property
    def after(self) -> str | None: ...


def lets_through(kind: str, target: str, facts: Iterable[FactOfChange], notes: Mapping[str, str] | None = None) -> bool:
    """Return whether a watch of this kind and link wants to hear of the facts of one change.

    `notes` has what is known of the notes of their tags, by name.

    A list of tags with filters lets through what is about one of its tags, and about the source itself.
    Where no facts are stored, nothing is known against the change.
    """
    facts, known, query = list(facts), notes or {}, parse_qs(target.partition("?")[2])
    if kind != TAGS or not facts:
        return True
    names = split_names("".join(query.get("tag_names", ())))
    group = "".join(query.get("tag_group_id", ()))
    words = "".join(query.get("search_text", ())).casefold().split()
    return any(
        not fact.name
        or (
            (not names or fact.name in names)
            and (not group or group in _groups_of(fact))
            and all(word in _text_of(fact, known) for word in words)
        )
        for fact in facts
    )


def _groups_of(fact: FactOfChange) -> set[str | None]:
    return {fact.group, fact.before, fact.after} if fact.field == GROUP_ID else {fact.group}


def _text_of(fact: FactOfChange, notes: Mapping[str, str]) -> str:
    """Return what is known of the text that the service searches: the name, the notes, and what has changed."""
    return " ".join(filter(None, (fact.name, fact.before, fact.after, notes.get(fact.name)))).casefold()
