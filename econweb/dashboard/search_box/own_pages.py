"""Pages of this site that only their own address names, and frozen copies and series as citations name them."""

import re
from dataclasses import replace
from urllib.parse import unquote

from django.urls import Resolver404, ResolverMatch, resolve, reverse

from econweb.dashboard.page_links import url_path
from econweb.dashboard.search_box.addresses import VIEW_SUFFIX, is_address, parameters_of, parse_address, split_address
from econweb.dashboard.search_box.destination import Destination, add_parameters, series_destination
from econweb.dashboard.search_box.find import is_known
from econweb.library.models import ALPHABET, ID_LENGTH, FrozenCopy, read_id
from econweb.library.rights import visible_to
from econweb.redaction import has_key
from econweb.upstream.queries import SERIES_ID

# Routes of pages and what they are. `parse_address` reads those of series, lists, comparisons and tags.
_PAGES = {
    "home": "The home page",
    "about": "About this site",
    "help": "Help",
    "browse": "Categories and releases",
    "browse_categories": "Categories",
    "browse_releases": "Releases",
    "overview": "The overview",
    "tag_list": "The list of tags",
    "tag": "A tag",
    "series_search": "A search for series",
    "series_list": "A list of series",
    "id_check": "A check of ids",
    "compare": "A comparison",
    "similar": "Similar categories and releases",
    "news": "News",
    "saved": "Saved views",
    "saved_view": "A saved view",
    "copies": "Frozen copies",
    "frozen": "A frozen copy",
    "frozen_part": "A frozen copy",
    "changes": "Record of changes",
    "my_news": "Your news",
    "my_watches": "What you follow",
    "my_saved": "Saved views that you may see",
    "my_saved_view": "A saved view",
    "my_copies": "Frozen copies that you may see",
    "my_frozen": "A frozen copy",
    "my_frozen_part": "A frozen copy",
    "my_compare": "A comparison",
}
_COPY_ID = re.compile(f"[{ALPHABET}]{{{ID_LENGTH}}}")
_WORD = rf"[0-9a-z]{{{ID_LENGTH}}}(?![0-9a-z])"
# An id alone or as a key of BibTeX, and an id in a line; people type letters for some digits.
_BARE_ID = re.compile(rf"\A\W*({_WORD})(?:_[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})?\W*", re.ASCII | re.IGNORECASE)
_NAMED_ID = re.compile(rf"\bfrozen\s+copy\s+({_WORD})", re.ASCII | re.IGNORECASE)
# The id of a series in square brackets, or before the day in a key of BibTeX.
_CITED_SERIES = re.compile(rf"\[({SERIES_ID})\]|\A\W*({SERIES_ID})_([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})\W*\Z", re.ASCII)


def find_own_page(text: str, own_host: str) -> Destination | None:
    """Return the page of an address of this site, or a copy or series as citations name it.

    The page looks after rights. In a text of more words there must be one such address, or else one such id.
    """
    text = text.strip()
    if is_address(text):
        return _parse_own_address(text, own_host)
    # Marks that no address has end one.
    host = rf"(?<![\w.@:/-])(?:https?://)?{re.escape(own_host)}"
    found = {*re.findall(rf"({host}/[^\s()<>‹›«»“”„‘’\"\[\]{{}}]*)", text, re.IGNORECASE)}
    page = _parse_link(found.pop().rstrip(".,;:!?"), own_host) if len(found) == 1 else None
    return page or _find_copy(text) or _find_cited_series(text)


def _parse_link(text: str, own_host: str) -> Destination | None:
    found = parse_address(text)
    return replace(found, has_removed_key=has_key(text)) if found else _parse_own_address(text, own_host)


def _parse_own_address(text: str, own_host: str) -> Destination | None:
    parts = split_address(text)
    if not parts or parts.netloc not in {"", own_host}:
        return None
    path = unquote(VIEW_SUFFIX.sub("", parts.path))
    page = _resolve(path) or _resolve(f"{path}/")
    if not page or page.view_name not in _PAGES:
        return None
    # A link from the route cannot lead to another host.
    own = Destination(reverse(page.view_name, kwargs=page.kwargs), _PAGES[page.view_name])
    return replace(add_parameters(own, parameters_of(parts)), has_removed_key=has_key(text))


def _resolve(path: str) -> ResolverMatch | None:
    try:
        return resolve(path)
    except Resolver404:
        return None


def _find_copy(text: str) -> Destination | None:
    """Return a copy that everyone may see; a hidden one takes the same query as one that never was."""
    bare = _BARE_ID.fullmatch(text)
    found = {*map(read_id, [bare[1]] if bare else _NAMED_ID.findall(text))}
    copy_id = found.pop() if len(found) == 1 else ""
    if not _COPY_ID.fullmatch(copy_id) or not FrozenCopy.objects.filter(visible_to(None), pk=copy_id).exists():
        return None
    return Destination(url_path("frozen", copy_id), f"Frozen copy {copy_id}")


def _find_cited_series(text: str) -> Destination | None:
    """Return the series whose id the text has, on the day of a key, if the series is known."""
    found = {((bracketed or key).upper(), day) for bracketed, key, day in _CITED_SERIES.findall(text)}
    if len(found) != 1:
        return None
    series_id, day = found.pop()
    series = series_destination(series_id)
    return add_parameters(series, {"realtime_start": day, "realtime_end": day}) if is_known(series) else None
