"""Relations that the notes of a series state: its successor, what it replaces, other series, its code at the source.

An id counts only where the notes say that it is one: in a link to the provider's page of a series, or in words such as
“replaced by series …”. Capital letters alone say nothing: they are agencies, classifications and currencies as well.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from econweb.dashboard.display.notes import find_links, without_lone_tags
from econweb.dashboard.relations import patterns
from econweb.dashboard.search_box.addresses import series_in_provider_address

REPLACED_BY, REPLACES, SEE_ALSO, SOURCE_CODE = "replaced by", "replaces", "see also", "source code"
# The same series under two kinds is shown under the first of these.
KINDS = (REPLACED_BY, REPLACES, SEE_ALSO, SOURCE_CODE)
_CUES = ((REPLACED_BY, patterns.REPLACED_BY), (REPLACES, patterns.REPLACES))
MAX_RELATIONS = 20
# Letters of notes that are read: the worst ones take 23 ms, and real ones are shorter.
MAX_READ = 16_384
# Letters of a sentence that are read together, and of one that is quoted.
MAX_SENTENCE, MAX_QUOTE = 1_000, 160
# Reading an address takes 20 µs.
MAX_ADDRESSES = 200


@dataclass(frozen=True)
class Relation:
    """One series, or the code of this one, that the notes name, with the words that say so."""

    kind: str
    target: str
    quote: str


class _Sentence(NamedTuple):
    text: str
    # Where links to the provider's pages of series begin and end, and the id of each.
    links: tuple[tuple[int, int, str], ...]


def find_relations(notes: str | None, own_id: str = "") -> tuple[Relation, ...]:
    """Return what the beginning of the notes states, in the order of kinds."""
    found: dict[str, Relation] = {}
    for sentence in _sentences(without_lone_tags((notes or "")[:MAX_READ])):
        for one in _find_in(sentence):
            known = found.get(one.target, one)
            if one.target != own_id and (known is one or KINDS.index(one.kind) < KINDS.index(known.kind)):
                found[one.target] = one
        if len(found) >= MAX_RELATIONS:
            break
    return tuple(sorted(found.values(), key=lambda one: KINDS.index(one.kind)))[:MAX_RELATIONS]


def _sentences(notes: str) -> Iterator[_Sentence]:
    """Yield the sentences as a user reads them: without markup, with the links in them."""
    text, links, addresses = "", [], 0
    for words, address in find_links(notes):
        if address and addresses < MAX_ADDRESSES:
            addresses += 1
            links += [
                (len(text), len(text) + len(words), series_id) for series_id in series_in_provider_address(address)
            ]
        text += words
    at = 0
    for end in [*(found.end() for found in patterns.SENTENCE_END.finditer(text)), len(text)]:
        while (start := at) < end:
            at = stop = _find_stop(text, start, end)
            own = tuple((left - start, right - start, name) for left, right, name in links if start <= left < stop)
            yield _Sentence(text[start:stop].rstrip(), own)


def _find_stop(text: str, start: int, end: int) -> int:
    """Return the end of the sentence, or of the last whole word that is read with its beginning."""
    if end - start <= MAX_SENTENCE:
        return end
    return text.rfind(" ", start, start + MAX_SENTENCE) + 1 or start + MAX_SENTENCE


def _find_in(sentence: _Sentence) -> Iterator[Relation]:
    text = sentence.text
    for start, end, target in sentence.links:
        yield Relation(_kind_before(text[:start]), target, _quote(text, start, end))
    for kind, found in _find_named(text) if patterns.CUE.search(text) else ():
        if _is_id(found["id"]):
            yield Relation(kind, found["id"], _quote(text, *found.span("id")))
    for found in patterns.SOURCE_CODE.finditer(text):
        code = found["code"].rstrip(".:/-")
        if (found["mark"] and code.upper() == code) or re.search(r"[0-9]", code):
            yield Relation(SOURCE_CODE, code, _quote(text, *found.span("code")))


def _find_named(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the kind and the match of each word that the sentence calls a series."""
    for kind, cue in _CUES:
        for found in cue.finditer(text):
            if _states_of_this(text[: found.start()], kind) and (named := patterns.NAMED.match(text, found.end())):
                yield kind, named
                yield from ((kind, one) for one in _listed(text, named) if not patterns.VERB.match(text, one.end()))
    for kind, pattern in (
        (REPLACED_BY, patterns.SUCCESSOR),
        (REPLACED_BY, patterns.SUCCESSOR_BEHIND),
        (SEE_ALSO, patterns.COUNTERPART),
    ):
        yield from ((kind, found) for found in pattern.finditer(text))
    for pattern in (patterns.FOR_SERIES_SEE, patterns.SEE, patterns.NAMED_SERIES):
        # A list is read once, also where each of its items could begin one.
        read = 0
        for found in pattern.finditer(text):
            before = text[max(found.start() - 60, 0) : found.start()]
            if found.start() >= read and not patterns.FORMERLY.search(before) and not patterns.AT_AGENCY.search(before):
                for one in (found, *_listed(text, found)):
                    yield SEE_ALSO, one
                    read = one.end()


def _listed(text: str, first: re.Match[str]) -> Iterator[re.Match[str]]:
    """Yield the ids that follow the first one in a list."""
    following = patterns.ANOTHER.match(text, first.end())
    while following:
        yield following
        following = patterns.ANOTHER.match(text, following.end())


def _kind_before(text: str) -> str:
    """Return the kind of a link by the words before it."""
    near = text[-120:]
    for kind, cue in _CUES:
        if (found := [*cue.finditer(near)]) and _states_of_this(
            text[: len(text) - len(near) + found[-1].start()], kind
        ):
            return kind
    return SEE_ALSO


def _states_of_this(before: str, kind: str) -> bool:
    """Return whether the words before say it of this series, and do not deny it."""
    subjects = [*patterns.SUBJECT.finditer(before)]
    if not subjects:
        return before.strip() in {"", "A", "The"}
    clause = before[subjects[-1].end() :]
    if kind == REPLACES and re.search(r"\bwhich\b", clause):
        return False
    return not patterns.OTHER_SUBJECT.search(clause) and not patterns.DENIED.search(clause)


def _is_id(word: str) -> bool:
    return (len(word) > 2 or any(letter.isdigit() for letter in word)) and not patterns.NO_SERIES.fullmatch(word)


def _quote(text: str, start: int, end: int) -> str:
    """Return the sentence, or what is around the words."""
    if len(text) <= MAX_QUOTE:
        return text.strip()
    first = max(min(start - MAX_QUOTE // 2, len(text) - MAX_QUOTE), 0)
    last = max(first + MAX_QUOTE, min(end, first + 2 * MAX_QUOTE))
    return f"{'… ' if first else ''}{text[first:last].strip()}{' …' if last < len(text) else ''}"
