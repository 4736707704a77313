"""Destinations of the search box: it accepts ids, numbers, names and addresses of this site or a service."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlsplit

from django.http import QueryDict
from django.urls import Resolver404, resolve

from econweb.dashboard.api_keys import contains_key
from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.links import KEY_NOTICE, add_query, encode_query, url_path
from econweb.dashboard.search.pasted_ids import SERIES_ID, parse_ids
from econweb.dashboard.series import citations
from econweb.dashboard.sources import TagOwner
from econweb.label_book import lookup as labels
from econweb.upstream.queries import TAG_OWNERS, TagQuery, join_names

# In characters. A list of 200 series with their period is shorter.
MAX_ADDRESS_LENGTH = 8192
_NUMBER = re.compile(r"[0-9]{1,9}")
_KIND_AND_NUMBER = re.compile(r"(cat(?:egory)?|rel(?:ease)?)s?[\s:#/-]*([0-9]{1,9})", re.IGNORECASE)
_LINK = re.compile(r"(https?:)?//|/|www\.|[\w-]{1,63}\.[\w.-]{1,253}/", re.IGNORECASE)
# Suffix of a file of a view, or of the page with its request as code: both lead to the view.
_VIEW_SUFFIX = re.compile(rf"(\.({'|'.join([*MEDIA_TYPES, *citations.MEDIA_TYPES])})|/code)\Z")
# Parameters of a request to the service that its page does not have.
_DROPPED_PARAMETERS = {"api_key", "file_type", "series_id", "category_id", "release_id"}


@dataclass(frozen=True)
class Destination:
    """One page that the text may mean."""

    link: str
    title: str
    name: str = ""
    note: str = ""
    has_removed_key: bool = False
    # Empty unless it is a single category, release or series.
    kind: str = ""
    id: str = ""

    @property
    def address(self) -> str:
        return add_query(self.link, KEY_NOTICE) if self.has_removed_key else self.link


def destinations_of_kind(kind: str, text: str) -> list[Destination]:
    """Return the destinations of one kind, for the forms of the home page."""
    if kind == "series":
        place = series_at(text) if SERIES_ID.fullmatch(text) else _parse_list(text)
        return [place] if place else []
    return [_build_tag_page(kind, int(text))] if _NUMBER.fullmatch(text) else suggestions(text, kind)


def is_address(text: str) -> bool:
    return _LINK.match(text) is not None


def find_destinations(text: str) -> list[Destination]:
    """Return the pages that the text may mean."""
    if is_address(text):
        # urlsplit caches the last 128 addresses whole.
        place = _parse_list(text) or (_parse_address(text) if len(text) <= MAX_ADDRESS_LENGTH else None)
        return [replace(place, has_removed_key=contains_key(text))] if place else []
    if number := _KIND_AND_NUMBER.fullmatch(text):
        kind = "category" if number[1].lower().startswith("c") else "release"
        return [_build_tag_page(kind, int(number[2]))]
    if named := labels.exact_matches(text):
        return [_build_tag_page(label.kind, label.number, label.name) for label in named]
    return list(_guess_places(text))


def suggestions(text: str, kind: str = "") -> list[Destination]:
    """Return matches from the label book while the user types."""
    return [_build_tag_page(label.kind, label.number, label.name) for label in labels.search(text, kind=kind)]


def suggested_places() -> list[Destination]:
    """Return a few places for the home page."""
    return [
        replace(_build_tag_page(label.kind, label.number, label.name), note=label.note)
        for label in labels.suggestions()
    ]


def series_at(series_id: str) -> Destination:
    series_id = series_id.upper()
    return Destination(url_path("series", series_id), f"Series {series_id}", kind="series", id=series_id)


def _build_tag_page(kind: str, number: int, name: str = "") -> Destination:
    source = TagOwner(kind, number, name)
    return Destination(source.path, source.title, name, kind=kind, id=str(number))


def _guess_places(text: str) -> Iterator[Destination]:
    word = SERIES_ID.fullmatch(text)
    # Capitals, digits or _ mean an id; other words may be names as well.
    if word and not text.islower() and not text.isdigit():
        yield series_at(text)
        return
    if _NUMBER.fullmatch(text):
        yield _build_tag_page("category", int(text))
        yield _build_tag_page("release", int(text))
    ids, between = _parse_list(text), re.search(r"[,;|]", text)
    # Capitals alone may be a name too; other words are a list only with separators between them.
    if ids and (between or text.isupper()):
        yield ids
    if not (ids and between and text.isupper()):
        yield from suggestions(text)
    if word:
        yield series_at(text)


def _parse_list(text: str) -> Destination | None:
    """Return the list, if the text is two or more ids and nothing else."""
    ids, refused = parse_ids(text)
    if len(ids) < 2 or refused:
        return None
    return _add_parameters(Destination(url_path("series_list"), f"{len(ids)} series"), {"ids": ",".join(ids)})


def _parse_address(text: str) -> Destination | None:
    """Read the path and parameters of an address; no request is sent to it."""
    try:
        parts = urlsplit(text if "://" in text or text.startswith("/") else f"//{text}")
    except ValueError:
        return None
    words = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    path = _VIEW_SUFFIX.sub("", parts.path)
    if place := _parse_series_path(path):
        return _add_parameters(place, words)
    if found := re.search(r"/(category|release)/([0-9]{1,9})(?:/tags)?/?\Z", path):
        return _add_parameters(_build_tag_page(found[1], int(found[2])), words)
    if found := re.search(r"/categories/([0-9]{1,9})/?\Z", path):
        return _build_public_page("category", found[1], words)
    if path.endswith("/release") and _NUMBER.fullmatch(words.get("rid", "")):
        return _build_public_page("release", words["rid"], words)
    return _parse_list_or_comparison(path, words) or _parse_service_request(path, words)


def _parse_series_path(path: str) -> Destination | None:
    """Parse the address of a series page; other sites use other words after `series`."""
    found = re.fullmatch(r"/series/([A-Za-z0-9_]{1,25})(/[a-z]+)?/?", path)
    if not found:
        return None
    if not found[2]:
        return series_at(found[1])
    try:
        page = resolve(path).view_name
    except Resolver404:
        return None
    return replace(series_at(found[1]), link=url_path(page, found[1].upper()))


def _parse_list_or_comparison(path: str, words: dict[str, str]) -> Destination | None:
    """Recognise a list or a comparison by the parameters that only they have."""
    if re.search(r"/series/?\Z", path) and words.get("ids"):
        return _add_parameters(Destination(url_path("series_list"), "A list of series"), words)
    if re.search(r"/compare/?\Z", path) and words.get("a"):
        return _add_parameters(Destination(url_path("compare"), "A comparison"), words)
    return None


def _parse_service_request(path: str, words: dict[str, str]) -> Destination | None:
    """Parse the address of a request to the service (spec 4)."""
    if path.endswith("/series") and SERIES_ID.fullmatch(words.get("series_id", "")):
        return _add_parameters(series_at(words["series_id"]), words)
    for kind in TAG_OWNERS:
        number = words.get(f"{kind}_id", "")
        if path.endswith(f"/{kind}/tags") and _NUMBER.fullmatch(number):
            return _add_parameters(_build_tag_page(kind, int(number)), words)
    return None


def _build_public_page(kind: str, number: str, words: dict[str, str]) -> Destination:
    """Translate a page of the public site, which names tags in `t`."""
    names = tuple(words.get("t", "").split(";"))
    return _add_parameters(
        _build_tag_page(kind, int(number)), {"tag_names": join_names(TagQuery(tag_names=names).tag_names)}
    )


def _add_parameters(place: Destination, words: dict[str, str]) -> Destination:
    known = {name: value for name, value in words.items() if value and name not in _DROPPED_PARAMETERS}
    return replace(place, link=add_query(place.link, encode_query(known)))


def in_period(places: list[Destination], given: QueryDict) -> list[Destination]:
    """Add the period of the current page, so that the user stays on a past day."""
    period = {name: given.get(name, "") for name in ("realtime_start", "realtime_end")}
    return [_add_parameters(place, period) for place in places]
