"""Destinations of the search box: it accepts ids, numbers, names and addresses of this site or a service."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from econweb.dashboard.lookup.found_series import find_best
from econweb.dashboard.lookup.known_series import find_near, find_parts, look_up
from econweb.dashboard.search_box.addresses import is_address, parse_address
from econweb.dashboard.search_box.destination import (
    Destination,
    label_destination,
    list_destination,
    owner_destination,
    series_destination,
    tag_destination,
)
from econweb.dashboard.search_box.id_lists import (
    MAX_LOOKED_UP,
    may_be_list,
    parse_joined_rows,
    parse_list,
    separates_ids,
)
from econweb.dashboard.search_box.pasted_ids import find_repeated
from econweb.label_book import lookup as labels
from econweb.label_book.folding import fold
from econweb.redaction import has_key
from econweb.search_index.tags.tag_list import find_most_used
from econweb.search_index.titles.words import drop_optional_words, fold_words
from econweb.upstream.queries import OWNER_NUMBER, SERIES_ID, TAG_OWNERS, is_owner_number, is_series_id

# Near names that are shown.
MAX_NEAR = 8
# Series that are suggested by the words of their titles, and tags by those of their names.
MAX_SERIES, MAX_TAGS = 6, 3
_KIND_AND_NUMBER = re.compile(rf"(cat(?:egory)?|rel(?:ease)?)s?[\s:#/-]*({OWNER_NUMBER})", re.IGNORECASE)
_KIND_AND_TAG = re.compile(r"tags?[\s:#]+(\S.*)", re.IGNORECASE)
_KIND_AND_ID = re.compile(rf"(?i:series)[\s:#]+({SERIES_ID})")


def find_destinations(text: str, kind: str = "") -> list[Destination]:
    """Return the pages that the text may mean, guesses last; `kind` leaves those of one kind."""
    text = text.strip()
    found = _parse_exact(text) or list(_parse_words(text, kind))
    # A list is of series.
    return [one for one in found if not kind or (one.kind or "series") == kind]


def find_with_others(text: str, kind: str = "") -> list[Destination]:
    """Return the pages that the text may mean; behind a whole name also other names and series with its words."""
    if not kind and (tag := _parse_tag(text.strip())):
        return [tag]
    destinations = find_destinations(text, kind)
    if not kind:
        destinations = _add_tags(text, destinations)
    if not any(one.is_exact for one in destinations):
        return destinations
    text = text.strip()
    others = [label_destination(label) for label in labels.search(text, kind)]
    if kind not in TAG_OWNERS:
        if is_series_id(text) and (series := look_up(text)).exists:
            others.insert(0, series_destination(text, series.title, series.summary))
        others += find_series_with_words(text)
    first: dict[str, Destination] = {}
    for one in [*destinations, *others]:
        first.setdefault(one.link, one)
    return [*first.values()]


def _parse_tag(text: str) -> Destination | None:
    """Return the tag of a text such as “tag gdp”, if there is one."""
    named = _KIND_AND_TAG.fullmatch(text)
    return next((tag for tag in find_tags_with_words(named[1]) if tag.is_exact), None) if named else None


def _add_tags(text: str, destinations: list[Destination]) -> list[Destination]:
    """Add the tags with this name before names with more words; where nothing else is found, those with its words."""
    found = find_tags_with_words(text)
    tags = [tag for tag in found if tag.is_exact]
    # Capitals are an id, if a series has it.
    if text.isupper() and is_named(text, destinations):
        return destinations
    possible = [one for one in destinations if may_exist(one)]
    if not tags and not possible and found and not find_series_with_words(text):
        tags = found
    whole_first = sorted([*possible, *tags], key=lambda one: one.kind in TAG_OWNERS and not one.is_exact)
    return whole_first if tags else destinations


def choose_destination(text: str, destinations: list[Destination]) -> Destination | None:
    """Return the page that Enter opens; None where the user has to choose."""
    if len(destinations) == 1:
        return None if is_misspelt(text, destinations) else destinations[0]
    if not is_owner_number(text.strip()):
        return None
    # The only one that is known: few series have numbers as ids.
    known = [one for one in destinations if not one.is_guess and one.id == str(int(text))]
    return known[0] if len(known) == 1 else None


def is_misspelt(text: str, destinations: Sequence[Destination]) -> bool:
    """Return whether the text is a word that no name has and some name nearly has: it is not tried as an id."""
    return all(one.is_guess for one in destinations) and text.strip().isalpha() and bool(labels.near_matches(text))


def find_series_with_words(text: str) -> list[Destination]:
    """Return the best series with these words in their titles, or with ids that begin so."""
    text = text.strip()
    if is_address(text) or is_owner_number(text) or separates_ids(text):
        return []
    return [series_destination(one.series_id, one.title, one.summary) for one in find_best(text, MAX_SERIES)]


def find_tags_with_words(text: str) -> list[Destination]:
    """Return the tags with these words in their names, at most MAX_TAGS."""
    text = text.strip()
    if is_address(text) or is_owner_number(text) or separates_ids(text):
        return []
    whole = fold(text)
    return [tag_destination(one.name, one.group_id, one.words == whole) for one in find_most_used(text, MAX_TAGS)]


def means_words(text: str, destinations: Sequence[Destination], series: Sequence[Destination]) -> bool:
    """Return whether the text is words of these series, and names no page; an id is the name of its series."""
    return bool(series) and not is_named(text, destinations) and all(one.id != text.strip().upper() for one in series)


def is_named(text: str, destinations: Sequence[Destination]) -> bool:
    """Return whether the text names one of the pages: by its form, as an id, or by a whole name."""
    known = (one for one in destinations if not one.is_guess and one.kind not in TAG_OWNERS)
    named = any(may_exist(one) for one in known)
    return named or bool(_parse_exact(text.strip())) or is_owner_number(text.strip())


def may_exist(destination: Destination) -> bool:
    """Return False for a series that is known to be missing."""
    return destination.kind != "series" or look_up(destination.id).exists is not False


def is_known(destination: Destination) -> bool:
    """Return False for a series that nothing says exists, and for a guess."""
    return look_up(destination.id).exists is True if destination.kind == "series" else not destination.is_guess


def entered_text(destination: Destination) -> str:
    """Return what a user would type for this page: its name or id, if that means this page and nothing else."""
    if destination.kind == "series":
        return destination.title if destination.id.isdigit() or _parse_exact(destination.id) else destination.id
    meant = [found.link for found in _parse_exact(destination.name)] if destination.name else []
    return destination.name if meant == [destination.link.partition("?")[0]] else destination.title


def find_near_destinations(text: str) -> list[Destination]:
    """Return pages that part of the text names, where nothing matches all of it."""
    words = [*dict.fromkeys(text.upper().split())]
    ids = [word for word in words if is_series_id(word)][:MAX_LOOKED_UP]
    parts = [part for word in words[:MAX_LOOKED_UP] if not is_series_id(word) for part in find_parts(word)]
    known = ((word, look_up(word)) for word in dict.fromkeys([*ids, *parts]) if not word.isdigit())
    series = [series_destination(word, series.title, series.summary) for word, series in known if series.exists]
    if not series and len(ids) == 1:
        series = [series_destination(near.id, near.title) for near in find_near(ids)[ids[0]]]
    named = [*map(label_destination, labels.near_matches(text)[:MAX_NEAR])]
    folded = drop_optional_words(fold_words(text, MAX_LOOKED_UP))
    tags = {tag.link: tag for word in folded for tag in find_tags_with_words(word)}
    return [*series, *named, *[*tags.values()][:MAX_NEAR]]


def find_named_in_address(words: str) -> list[Destination]:
    """Return pages whose names or ids have one of the last words of an address; letters of it mean nothing."""
    known = {*drop_optional_words(fold_words(words))}
    return [one for one in find_near_destinations(words) if known & {*fold_words(f"{one.id} {one.name}")}]


def suggest_destinations() -> list[Destination]:
    """Return a few destinations for the home page."""
    return [label_destination(label) for label in labels.suggestions()]


def _parse_exact(text: str) -> list[Destination]:
    """Return what the text means if its form leaves no doubt."""
    if is_address(text):
        ids = parse_list(text)
        destination = list_destination(ids, find_repeated(text)) if ids else parse_address(text)
        return [replace(destination, has_removed_key=has_key(text))] if destination else []
    if number := _KIND_AND_NUMBER.fullmatch(text):
        return [owner_destination("category" if number[1].lower().startswith("c") else "release", int(number[2]))]
    if series := _KIND_AND_ID.fullmatch(text):
        known = look_up(series[1])
        return [series_destination(series[1], known.title, known.summary)]
    return [replace(label_destination(label), is_exact=True) for label in labels.exact_matches(text)]


def _parse_words(text: str, kind: str) -> Iterator[Destination]:
    if is_address(text):
        return
    named = [label_destination(label) for label in labels.search(text, kind)]
    if is_owner_number(text):
        yield from _parse_number(text, named)
    elif is_series_id(text):
        yield from _parse_word(text, named, kind)
    elif rows := parse_joined_rows(text):
        yield list_destination(rows)
    else:
        ids = parse_list(text)
        if ids and may_be_list(text, ids, bool(named)):
            yield list_destination(ids, find_repeated(text))
        # Capitals between separators are ids and nothing else.
        if not (ids and separates_ids(text) and text.isupper()):
            yield from named


def _parse_number(text: str, named: list[Destination]) -> Iterator[Destination]:
    pages = [owner_destination(kind, int(text)) for kind in TAG_OWNERS]
    series = look_up(text)
    yield from (page for page in pages if page.name)
    yield from (one for one in named if one.link not in {page.link for page in pages})
    if series.exists:
        yield series_destination(text, series.title, series.summary)
    yield from (replace(page, is_guess=True) for page in pages if not page.name)
    if series.exists is None:
        yield series_destination(text, is_guess=True)


def _parse_word(word: str, named: list[Destination], kind: str) -> Iterator[Destination]:
    """Read a single word: capitals, digits or _ mean an id; any other may be a name as well."""
    series = look_up(word)
    is_id = word.isupper() or not word.isalpha()
    if is_id and kind not in TAG_OWNERS and (series.exists is not False or not named):
        yield series_destination(word, series.title, series.summary)
        return
    if series.exists:
        yield series_destination(word, series.title, series.summary)
    yield from named
    if series.exists is None or (series.exists is False and not named):
        yield series_destination(word, is_guess=True)
