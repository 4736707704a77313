"""The ids of a list that were not found: unknown ones, with the ids that may be meant, and those without a record."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from econweb.dashboard.error_texts.messages import NO_DESCRIPTION_IN_LIST, NO_RECORD_TODAY_IN_LIST
from econweb.dashboard.lookup.known_series import Proposal, look_up, propose_ids
from econweb.dashboard.series_list.loading import SeriesList
from econweb.search_index.titles.lenient_read import read_or
from econweb.search_index.titles.places import Record
from econweb.search_index.titles.title_index import find_by_ids
from econweb.upstream.errors import NOT_IN_PERIOD

# The messages that say that a series has a record, though none for those dates.
_NOT_FOR_THOSE_DATES = {NOT_IN_PERIOD, NO_DESCRIPTION_IN_LIST}


class UnknownId(NamedTuple):
    series_id: str
    proposals: list[Proposal]


@dataclass(frozen=True)
class MissingIds:
    """The ids that a list lacks; `when` and `as_of_today` are for the series that have no record for its dates.

    `as_of_today` is empty for a list of today.
    """

    unknown: tuple[UnknownId, ...]
    without_record: tuple[str, ...]
    link_without_unknown: str
    when: str
    as_of_today: str


def find_missing(results: SeriesList) -> MissingIds:
    query, when, as_of_today = results.query, "today", ""
    without_record: Sequence[str] = [one.series_id for one in results.entries if one.error == NO_RECORD_TODAY_IN_LIST]
    if query.realtime_start or query.realtime_end:
        without_record = _find_without_record(results)
        when = f"on {query.realtime_end}" if query.realtime_start == query.realtime_end else "for those dates"
        as_of_today = replace(query, realtime_start=None, realtime_end=None).link()
    unknown = [series_id for series_id in results.ids_not_found if series_id not in without_record]
    proposals = propose_ids(query, unknown)
    return MissingIds(
        tuple(UnknownId(one, proposals.get(one, [])) for one in unknown),
        tuple(without_record),
        query.without(unknown).link(),
        when,
        as_of_today,
    )


def _find_without_record(results: SeriesList) -> Sequence[str]:
    """Return those ids that exist today, as far as this site knows without a request."""
    missing = [entry for entry in results.entries if entry.is_missing]
    if not missing:
        return ()
    nothing: dict[str, Record] = {}
    in_index = read_or(lambda: find_by_ids([entry.series_id for entry in missing]), nothing)
    return [
        entry.series_id
        for entry in missing
        if entry.series_id in in_index or entry.error in _NOT_FOR_THOSE_DATES or look_up(entry.series_id).exists
    ]
