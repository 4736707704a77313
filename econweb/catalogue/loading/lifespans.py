"""The first and last day of each series, and the gaps between its versions."""

from array import array
from datetime import date
from itertools import pairwise

from econweb.catalogue.loading.csv_rows import Batch
from econweb.catalogue.loading.problems import Problem, Problems


class Lifespans:
    """Collects the first and last day of each series, indexed by its number."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.number_of: dict[str, int] = {}
        self.first_day = array("i")
        self.last_day = array("i")
        self._several: dict[int, list[tuple[int, int, int]]] = {}
        self._ordinals: dict[str, int] = {}
        self.versions = 0

    def add(self, batch: Batch) -> None:
        ids, starts, ends = (batch.column(index) for index in range(3))
        for day in {*starts, *ends} - self._ordinals.keys():
            self._ordinals[day] = date.fromisoformat(day).toordinal()
        days = self._ordinals
        for series_id, start, end, line in zip(ids, starts, ends, batch.lines(), strict=True):
            number = self.number_of.setdefault(series_id, len(self.first_day))
            if number == len(self.first_day):
                self.first_day.append(days[start])
                self.last_day.append(days[end])
            else:
                first = (self.first_day[number], self.last_day[number], 0)
                self._several.setdefault(number, [first]).append((days[start], days[end], line))
        self.versions += len(batch.rows)

    def gaps(self, problems: Problems) -> dict[int, list[tuple[int, int]]]:
        """Merge the versions of each series, and return the gaps between them."""
        found = {}
        for number, versions in self._several.items():
            versions.sort()
            for (_, end, line), (start, _, next_line) in pairwise(versions):
                if start <= end:
                    # The line of a first version is not kept.
                    other = f"that of line {min(line, next_line)}" if line and next_line else "an earlier one"
                    reason = f"this version of the series overlaps {other}"
                    problems.add(Problem(self._file, max(line, next_line), "realtime_start", reason))
            self.first_day[number], self.last_day[number] = versions[0][0], versions[-1][1]
            between = [(one[1] + 1, other[0] - 1) for one, other in pairwise(versions)]
            if gaps := [(first, last) for first, last in between if first <= last]:
                found[number] = gaps
        return found
