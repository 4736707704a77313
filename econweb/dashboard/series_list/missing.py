"""The ids of a list that were not found, each with the ids that may be meant."""

from typing import NamedTuple

from econweb.dashboard.lookup.known_series import Proposal, propose_ids
from econweb.dashboard.series_list.loading import SeriesList


class MissingId(NamedTuple):
    series_id: str
    proposals: list[Proposal]


def find_missing(results: SeriesList) -> list[MissingId]:
    proposals = propose_ids(results.query, results.ids_not_found)
    return [MissingId(missing, proposals.get(missing, [])) for missing in results.ids_not_found]
