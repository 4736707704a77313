"""What a text in the one box leads to: an id, a number, a name, an address of this site or of a service."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlencode, urlsplit

from django.http import HttpRequest, QueryDict
from django.urls import Resolver404, resolve
from django.utils.encoding import escape_uri_path
from django.utils.http import escape_leading_slashes

from econweb.dashboard import citations
from econweb.dashboard.addresses import path_of
from econweb.dashboard.files import formats
from econweb.dashboard.pages import is_plain_form
from econweb.dashboard.pasted import SERIES_ID, holds_key, ids_in, without_key, without_key_parameter
from econweb.dashboard.provenance import with_words
from econweb.dashboard.sources import Source
from econweb.shelf import labels
from econweb.upstream.queries import TagQuery, join_names

_NUMBER = re.compile(r"[0-9]{1,15}")
_KIND_AND_NUMBER = re.compile(r"(cat(?:egory)?|rel(?:ease)?)s?[\s:#/-]*([0-9]{1,15})", re.IGNORECASE)
_LINK = re.compile(r"(https?:)?//|/|www\.|[\w-]+\.[\w.-]+/", re.IGNORECASE)
# A file of a view, or its request as code: both belong to the view.
_FORM_OF_A_VIEW = re.compile(rf"(\.({'|'.join([*formats.MEDIA_TYPES, *citations.MEDIA_TYPES])})|/code)\Z")
# Everything but the key and the format is taken over from a request to the service.
_NOT_OURS = {"api_key", "file_type", "series_id", "category_id", "release_id"}


@dataclass(frozen=True)
class Destination:
    """One page that a text may mean."""

    link: str
    title: str
    name: str = ""
    note: str = ""
    key_dropped: bool = False
    # Empty where it is no single category, release or series.
    kind: str = ""
    id: str = ""

    @property
    def address(self) -> str:
        if not self.key_dropped:
            return self.link
        return f"{self.link}{'&' if '?' in self.link else '?'}notice=key"


def destinations_of(kind: str, text: str) -> list[Destination]:
    """For a form that says of which kind its text is."""
    if kind == "series":
        place = series_at(text) if SERIES_ID.fullmatch(text) else _list_in(text)
        return [place] if place else []
    return [_of_source(kind, int(text))] if _NUMBER.fullmatch(text) else suggestions(text, kind)


def better_address(request: HttpRequest, link: str, held_key: bool = False) -> str:
    """Where the reader of a page is sent on to; empty when the page may stand at this address."""
    match = request.resolver_match
    if match and "suffix" in match.kwargs:
        # A file stays one, and has no place for a notice.
        link = with_words(request.path, urlsplit(link).query)
    elif held_key:
        return Destination(link, "", key_dropped=True).address
    return link if held_key or is_plain_form(request) or "renew" in request.GET else ""


def address_without_key(request: HttpRequest) -> str:
    """Of any page: where its reader is sent on to when the query names a key; empty when it does not."""
    query = request.META.get("QUERY_STRING", "")
    kept = without_key_parameter(query)
    return "" if kept == query else _here(request, kept)


def address_without_pasted_key(request: HttpRequest) -> str:
    """Of a page that cannot be shown: no value of its query may hold one either."""
    given = [(name, value) for name, values in request.GET.lists() for value in values]
    kept = [(name, without_key(value)) for name, value in given]
    return "" if kept == given else _here(request, urlencode(kept))


def _here(request: HttpRequest, words: str) -> str:
    """Two slashes at the beginning would be another site, and a file has no place for a notice."""
    path = escape_leading_slashes(escape_uri_path(request.path))
    is_file = formats.is_file(request) or "." in path.rpartition("/")[2]
    return with_words(path, "&".join(filter(None, (words, "" if is_file else "notice=key"))))


def is_address(text: str) -> bool:
    return _LINK.match(text) is not None


def destinations(text: str) -> list[Destination]:
    """The page that the text means, the pages that it may mean, or none."""
    if is_address(text):
        place = _list_in(text) or _of_address(text)
        return [replace(place, key_dropped=holds_key(text))] if place else []
    if number := _KIND_AND_NUMBER.fullmatch(text):
        kind = "category" if number[1].lower().startswith("c") else "release"
        return [_of_source(kind, int(number[2]))]
    if named := labels.named(text):
        return [_of_source(label.kind, label.number, label.name) for label in named]
    return list(_guesses(text))


def suggestions(text: str, kind: str = "") -> list[Destination]:
    """Names of the label book, as one types."""
    return [_of_source(label.kind, label.number, label.name) for label in labels.found(text, kind=kind)]


def starts() -> list[Destination]:
    """A few places for somebody who has none in mind."""
    return [
        replace(_of_source(label.kind, label.number, label.name), note=label.note)
        for label in labels.first_of_each()
    ]


def series_at(series_id: str) -> Destination:
    series_id = series_id.upper()
    return Destination(path_of("series", series_id), f"Series {series_id}", kind="series", id=series_id)


def _of_source(kind: str, number: int, name: str = "") -> Destination:
    source = Source(kind, number, name)
    return Destination(source.path, source.title, name, kind=kind, id=str(number))


def _guesses(text: str) -> Iterator[Destination]:
    word = SERIES_ID.fullmatch(text)
    # Somebody who writes capitals, digits or _ means an id; other words may be names as well.
    if word and not text.islower() and not text.isdigit():
        yield series_at(text)
        return
    if _NUMBER.fullmatch(text):
        yield _of_source("category", int(text))
        yield _of_source("release", int(text))
    ids, between = _list_in(text), re.search(r"[,;|]", text)
    # Capitals alone may be a name too; other words are a list when there are signs between them.
    if ids and (between or text.isupper()):
        yield ids
    if not (ids and between and text.isupper()):
        yield from suggestions(text)
    if word:
        yield series_at(text)


def _list_in(text: str) -> Destination | None:
    """Two ids or more, and nothing but ids."""
    ids, refused = ids_in(text)
    if len(ids) < 2 or refused:
        return None
    return _with(Destination(path_of("series_list"), f"{len(ids)} series"), {"ids": ",".join(ids)})


def _of_address(text: str) -> Destination | None:
    """Only its path and its parameters say something; where it would lead is never asked."""
    try:
        parts = urlsplit(text if "://" in text or text.startswith("/") else f"//{text}")
    except ValueError:
        return None
    words = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    path = _FORM_OF_A_VIEW.sub("", parts.path)
    if place := _of_series(path):
        return _with(place, words)
    if found := re.search(r"/(category|release)/([0-9]{1,15})(?:/tags)?/?\Z", path):
        return _with(_of_source(found[1], int(found[2])), words)
    if found := re.search(r"/categories/([0-9]{1,15})/?\Z", path):
        return _public("category", found[1], words)
    if path.endswith("/release") and _NUMBER.fullmatch(words.get("rid", "")):
        return _public("release", words["rid"], words)
    return _of_several(path, words) or _of_request(path, words)


def _of_series(path: str) -> Destination | None:
    """In the address of a request, or of a page elsewhere, any other word may follow upon `series`."""
    found = re.fullmatch(r"/series/([A-Za-z0-9_]{1,25})(/[a-z]+)?/?", path)
    if not found:
        return None
    if not found[2]:
        return series_at(found[1])
    try:
        page = resolve(path).view_name
    except Resolver404:
        return None
    return replace(series_at(found[1]), link=path_of(page, found[1].upper()))


def _of_several(path: str, words: dict[str, str]) -> Destination | None:
    """A list or a comparison, by what only their addresses say."""
    if re.search(r"/series/?\Z", path) and words.get("ids"):
        return _with(Destination(path_of("series_list"), "A list of series"), words)
    if re.search(r"/compare/?\Z", path) and words.get("a"):
        return _with(Destination(path_of("compare"), "A comparison"), words)
    return None


def _of_request(path: str, words: dict[str, str]) -> Destination | None:
    """Spec 4: an address that a program would ask."""
    if path.endswith("/series") and SERIES_ID.fullmatch(words.get("series_id", "")):
        return _with(series_at(words["series_id"]), words)
    for kind in ("category", "release"):
        number = words.get(f"{kind}_id", "")
        if path.endswith(f"/{kind}/tags") and _NUMBER.fullmatch(number):
            return _with(_of_source(kind, int(number)), words)
    return None


def _public(kind: str, number: str, words: dict[str, str]) -> Destination:
    """Pages of the public site name tags by `t`."""
    names = tuple(words.get("t", "").split(";"))
    return _with(
        _of_source(kind, int(number)), {"tag_names": join_names(TagQuery(tag_names=names).tag_names)}
    )


def _with(place: Destination, words: dict[str, str]) -> Destination:
    known = {name: value for name, value in words.items() if value and name not in _NOT_OURS}
    kept = urlencode(known, safe=",:@")
    return replace(place, link=f"{place.link}{'&' if '?' in place.link else '?'}{kept}") if kept else place


def in_period(places: list[Destination], given: QueryDict) -> list[Destination]:
    """A reader who looks at a past day goes on looking at that day."""
    period = {name: given.get(name, "") for name in ("realtime_start", "realtime_end")}
    return [_with(place, period) for place in places]
