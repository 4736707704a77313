"""The ids of a list that were not found, each with the ids that may be meant."""

from collections.abc import Iterator
from typing import NamedTuple

from econweb.dashboard.lookup.known_series import find_near
from econweb.dashboard.series_list.loading import SeriesList


class Proposal(NamedTuple):
    """Another id, and the link to the list that has it in place of the missing one."""

    id: str
    title: str
    link: str


class MissingId(NamedTuple):
    series_id: str
    proposals: list[Proposal]


def find_missing(results: SeriesList) -> list[MissingId]:
    near = find_near(results.ids_not_found)

    def propose(missing: str) -> Iterator[Proposal]:
        for series_id, title in near.get(missing, ()):
            if series_id not in results.query.ids:
                yield Proposal(series_id, title, results.query.replacing(missing, series_id).link())

    return [MissingId(missing, list(propose(missing))) for missing in results.ids_not_found]
