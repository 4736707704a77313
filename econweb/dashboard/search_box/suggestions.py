"""Suggestions while the user types: what Enter does, and the pages that the text may mean, by kind."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from econweb.dashboard.page_links import page_link
from econweb.dashboard.search_box.destination import Destination
from econweb.dashboard.search_box.find import choose_destination, entered_text, is_misspelt
from econweb.dashboard.search_box.highlight import highlight_matches
from econweb.upstream.queries import is_series_id

MAX_PER_GROUP = {"Series": 6}
MAX_OF_OTHERS = 5
# Series have two lines each: below them tags would be out of sight.
_GROUPS = (("tag", "Tags"), ("series", "Series"), ("category", "Categories"), ("release", "Releases"))


@dataclass(frozen=True)
class Option:
    """One row: its link, the value for a field of a form, a text and a short one behind it."""

    link: str
    text: Markup
    short: str = ""
    value: str = ""
    # What tells series of one title apart.
    note: str = ""
    # True for a series that is discontinued.
    has_ended: bool = False


def first_row(text: str, destinations: Sequence[Destination], results: Destination, has_series: bool = False) -> Option:
    """Return the row that says what Enter does; with `has_series` it searches the titles of series."""
    if has_series:
        return Option(series_search_destination(text).link, escape(f"Show all results for “{text}”"))
    destination = choose_destination(text, list(destinations))
    if destination and destination.is_guess and is_series_id(text.strip()):
        return Option(destination.link_with_notice, escape("Nothing found. Press Enter to try it as an id."))
    if destination:
        return Option(destination.link_with_notice, escape(destination.action))
    if is_misspelt(text, destinations):
        return Option(results.link_with_notice, escape("Nothing found. Press Enter for close names."))
    if destinations:
        return Option(results.link_with_notice, escape(f"Show results for “{text}”"))
    return Option(results.link_with_notice, escape("Nothing found. Try another word, a number or an id."))


def option_groups(text: str, destinations: Sequence[Destination], shown: str = "") -> list[tuple[str, list[Option]]]:
    """Return the rows of each kind under its heading, without the link that is shown already.

    The results page has the rows that are too many.
    """
    destinations = [one for one in destinations if one.kind and one.link_with_notice != shown]
    groups = [
        (heading, [one for one in destinations if one.kind == kind and not one.is_guess]) for kind, heading in _GROUPS
    ]
    groups.append(("Guesses", [one for one in destinations if one.is_guess]))
    return [
        (heading, [_build_option(text, one) for one in rows[: MAX_PER_GROUP.get(heading, MAX_OF_OTHERS)]])
        for heading, rows in groups
        if rows
    ]


def results_destination(text: str, kind: str) -> Destination:
    """Return the page that lists all results, for a text without an API key."""
    words = {"q": text} | ({"kind": kind} if kind else {})
    return Destination(page_link("go", **words), "Results")


def series_search_destination(text: str) -> Destination:
    """Return the search of series by words."""
    return Destination(page_link("series_search", q=" ".join(text.split())), "Results")


def _build_option(text: str, destination: Destination) -> Option:
    if destination.is_guess or not destination.name:
        return Option(destination.link_with_notice, escape(destination.action), value=entered_text(destination))
    return Option(
        destination.link_with_notice,
        highlight_matches(destination.name, text),
        destination.title,
        entered_text(destination),
        destination.note if destination.kind == "series" else "",
        destination.has_ended,
    )
