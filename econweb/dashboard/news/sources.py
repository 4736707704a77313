"""The series, categories and releases behind a view, whose news are the news of the view."""

from django.urls import resolve

from econweb.dashboard.page_links import split_link
from econweb.dashboard.parameters import LETTERS
from econweb.watching.models import SERIES

Source = tuple[str, str]


def sources_of(view_kind: str, link: str) -> list[Source]:
    """Return the sources of the canonical link of a view; of its filters nothing is asked."""
    path, given = split_link(link)
    inside = resolve(path).kwargs
    if view_kind == "tags":
        return [(inside["kind"], str(inside["number"]))]
    if view_kind == "series":
        return [(SERIES, inside["series_id"])]
    if view_kind == "list":
        return _series(given.get("ids", ""))
    return [source for letter in LETTERS for source in _compared(given.get(letter, ""))]


def _compared(text: str) -> list[Source]:
    """Return the sources of one column of a comparison; a frozen copy never changes."""
    kind, _, key = text.partition("@")[0].partition(":")
    if kind == "list":
        return _series(key)
    return [(kind, key)] if key and kind != "frozen" else []


def _series(ids: str) -> list[Source]:
    return [(SERIES, series_id) for series_id in ids.split(",") if series_id]
