"""Destinations of the search box: it accepts ids, numbers, names and addresses of this site or a service."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from econweb.dashboard.api_keys import contains_key
from econweb.dashboard.lookup.found_series import find_best
from econweb.dashboard.lookup.known_series import find_near, look_up
from econweb.dashboard.search_box.addresses import is_address, parse_address
from econweb.dashboard.search_box.pages import Destination, label_page, list_page, series_destination, tag_page
from econweb.dashboard.search_box.pasted_ids import SERIES_ID, parse_ids
from econweb.label_book import lookup as labels
from econweb.upstream.queries import TAG_OWNERS

# Ids of a list that are looked up before the list is offered, and near names that are shown.
MAX_LOOKED_UP, MAX_NEAR = 6, 8
# Series that are suggested by the words of their titles.
MAX_SERIES = 6
_NUMBER = re.compile(r"[0-9]{1,9}")
_KIND_AND_NUMBER = re.compile(r"(cat(?:egory)?|rel(?:ease)?)s?[\s:#/-]*([0-9]{1,9})", re.IGNORECASE)
_KIND_AND_ID = re.compile(r"series[\s:#]+([A-Za-z0-9_]{1,25})", re.IGNORECASE)


def find_destinations(text: str, kind: str = "") -> list[Destination]:
    """Return the pages that the text may mean, guesses last; `kind` leaves those of one kind."""
    text = text.strip()
    found = _parse_exact(text) or list(_parse_words(text, kind))
    # A list is of series.
    return [place for place in found if not kind or (place.kind or "series") == kind]


def find_with_others(text: str, kind: str = "") -> list[Destination]:
    """Return the pages that the text may mean; behind a whole name also other names and series with its words."""
    places = find_destinations(text, kind)
    if not any(place.is_exact for place in places):
        return places
    text = text.strip()
    others = [label_page(label) for label in labels.search(text, kind)]
    if kind not in TAG_OWNERS:
        if SERIES_ID.fullmatch(text) and (series := look_up(text)).exists:
            others.insert(0, series_destination(text, series.title))
        others += series_with_words(text, others)
    links = {place.link for place in places}
    return [*places, *(place for place in others if place.link not in links)]


def chosen_destination(text: str, places: list[Destination]) -> Destination | None:
    """Return the page that Enter opens; None where the user has to choose."""
    if len(places) == 1:
        return None if is_misspelt(text, places) else places[0]
    if not _NUMBER.fullmatch(text.strip()):
        return None
    # The only one that is known: few series have numbers as ids.
    known = [place for place in places if not place.is_guess and place.id == str(int(text))]
    return known[0] if len(known) == 1 else None


def is_misspelt(text: str, places: Sequence[Destination]) -> bool:
    """Return whether the text is a word that no name has and some name nearly has: it is not tried as an id."""
    return all(place.is_guess for place in places) and text.strip().isalpha() and bool(labels.near_matches(text))


def series_with_words(text: str, places: Sequence[Destination]) -> list[Destination]:
    """Return the best series with these words in their titles, without those that are found already."""
    text = text.strip()
    if is_address(text) or _NUMBER.fullmatch(text) or _has_separator(text):
        return []
    links = {place.link for place in places}
    found = (series_destination(one.series_id, one.title) for one in find_best(text, MAX_SERIES))
    return [place for place in found if place.link not in links]


def is_named(text: str, places: Sequence[Destination]) -> bool:
    """Return whether the text names one of the pages: by its form, as an id, or by a whole name."""
    known = (place for place in places if not place.is_guess and place.kind not in TAG_OWNERS)
    exists = any(place.kind != "series" or look_up(place.id).exists is not False for place in known)
    return exists or bool(_parse_exact(text.strip())) or _NUMBER.fullmatch(text.strip()) is not None


def entered_text(place: Destination) -> str:
    """Return what a user would type for this page: its name or id, if that means this page and nothing else."""
    if place.kind == "series":
        return place.title if place.id.isdigit() or _parse_exact(place.id) else place.id
    meant = [found.link for found in _parse_exact(place.name)] if place.name else []
    return place.name if meant == [place.link.partition("?")[0]] else place.title


def near_destinations(text: str) -> list[Destination]:
    """Return pages that part of the text names, where nothing matches all of it."""
    ids = [word for word in dict.fromkeys(text.upper().split()) if SERIES_ID.fullmatch(word)][:MAX_LOOKED_UP]
    known = ((word, look_up(word)) for word in ids if not word.isdigit())
    series = [series_destination(word, series.title) for word, series in known if series.exists]
    if not series and len(ids) == 1:
        series = [series_destination(near.id, near.title) for near in find_near(ids)[ids[0]]]
    return [*series, *map(label_page, labels.near_matches(text)[:MAX_NEAR])]


def suggested_places() -> list[Destination]:
    """Return a few places for the home page."""
    return [label_page(label) for label in labels.suggestions()]


def _parse_exact(text: str) -> list[Destination]:
    """Return what the text means if its form leaves no doubt."""
    if is_address(text):
        ids = _parse_list(text)
        place = list_page(ids) if ids else parse_address(text)
        return [replace(place, has_removed_key=contains_key(text))] if place else []
    if number := _KIND_AND_NUMBER.fullmatch(text):
        return [tag_page("category" if number[1].lower().startswith("c") else "release", int(number[2]))]
    if series := _KIND_AND_ID.fullmatch(text):
        return [series_destination(series[1], look_up(series[1]).title)]
    return [replace(label_page(label), is_exact=True) for label in labels.exact_matches(text)]


def _parse_words(text: str, kind: str) -> Iterator[Destination]:
    if is_address(text):
        return
    named = [label_page(label) for label in labels.search(text, kind)]
    if _NUMBER.fullmatch(text):
        yield from _parse_number(text, named)
    elif SERIES_ID.fullmatch(text):
        yield from _parse_word(text, named, kind)
    else:
        ids = _parse_list(text)
        if ids and _may_be_list(text, ids, named):
            yield list_page(ids)
        # Capitals between separators are ids and nothing else.
        if not (ids and _has_separator(text) and text.isupper()):
            yield from named


def _parse_number(text: str, named: list[Destination]) -> Iterator[Destination]:
    pages = [tag_page(kind, int(text)) for kind in TAG_OWNERS]
    series = look_up(text)
    yield from (page for page in pages if page.name)
    yield from (place for place in named if place.link not in {page.link for page in pages})
    if series.exists:
        yield series_destination(text, series.title)
    yield from (replace(page, is_guess=True) for page in pages if not page.name)
    if series.exists is None:
        yield series_destination(text, is_guess=True)


def _parse_word(word: str, named: list[Destination], kind: str) -> Iterator[Destination]:
    """Read a single word: capitals, digits or _ mean an id; any other may be a name as well."""
    series = look_up(word)
    is_id = word.isupper() or not word.isalpha()
    if is_id and kind not in TAG_OWNERS and (series.exists is not False or not named):
        yield series_destination(word, series.title)
        return
    if series.exists:
        yield series_destination(word, series.title)
    yield from named
    if series.exists is None or (series.exists is False and not named):
        yield series_destination(word, is_guess=True)


def _parse_list(text: str) -> tuple[str, ...]:
    """Return the ids, if the text is two or more of them and nothing else."""
    ids, refused = parse_ids(text)
    return () if len(ids) < 2 or refused else ids


def _may_be_list(text: str, ids: Sequence[str], named: Sequence[Destination]) -> bool:
    """Words between blanks are ids only in capitals, and only if none of them is known to be missing."""
    if not _has_separator(text) and not text.isupper():
        return False
    missing = [look_up(each).exists is False for each in ids[:MAX_LOOKED_UP]]
    if not _has_separator(text):
        return not any(missing)
    return not all(missing) or (text.isupper() and not named)


def _has_separator(text: str) -> bool:
    return re.search(r"[,;|\n\r\t]", text) is not None
