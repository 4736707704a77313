"""The filters of a watch: which changes of its sources they let through, and which facts of these they show."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeVar
from urllib.parse import parse_qs

from econweb.upstream.queries import split_names
from econweb.watching.models import TAGS
from econweb.word_beginnings import begins_words, searched_words

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


F = TypeVar("F", bound=FactOfChange)


def has_filters(kind: str, target: str) -> bool:
    return kind == TAGS and "?" in target


def lets_through(kind: str, target: str, facts: Iterable[FactOfChange], notes: Mapping[str, str] | None = None) -> bool:
    """Return whether a watch of this kind and link wants to hear of the facts of one change.

    `notes` has what is known of the notes of their tags, by name.

    A list of tags with filters lets through what is about one of its tags, and about the source itself.
    Where no facts are stored, nothing is known against the change.
    """
    facts, known = list(facts), notes or {}
    return not facts or bool(_choose(kind, target, facts, lambda fact: _text_of(fact, known)))


def choose_shown(kind: str, target: str, facts: Iterable[F]) -> list[F]:
    """Return the stored facts of one change without those of tags that are outside the filters of a watch.

    Notes are stored only where they changed. A filter by text hides nothing of a tag whose notes are not known.
    """
    facts = list(facts)
    notes = {fact.name: _text_of(fact, {}) for fact in facts if fact.field == "notes"}
    return _choose(kind, target, facts, lambda fact: _text_of(fact, notes) if fact.name in notes else None)


def _choose(kind: str, target: str, facts: list[F], text_of: Callable[[F], str | None]) -> list[F]:
    """Return the facts that a watch lets through; one without a known text passes a filter by text."""
    if not has_filters(kind, target):
        return facts
    query = parse_qs(target.partition("?")[2])
    names = split_names("".join(query.get("tag_names", ())))
    group = "".join(query.get("tag_group_id", ()))
    words = searched_words("".join(query.get("search_text", ())))

    def is_of_filters(fact: F) -> bool:
        if (names and fact.name not in names) or (group and group not in _groups_of(fact)):
            return False
        text = text_of(fact) if words else None
        return text is None or begins_words(words, text)

    return [fact for fact in facts if not fact.name or is_of_filters(fact)]


def _groups_of(fact: FactOfChange) -> set[str | None]:
    return {fact.group, fact.before, fact.after} if fact.field == GROUP_ID else {fact.group}


def _text_of(fact: FactOfChange, notes: Mapping[str, str]) -> str:
    """Return what is known of the text that the service searches: the name, the notes, and what has changed."""
    return " ".join(filter(None, (fact.name, fact.before, fact.after, notes.get(fact.name))))
