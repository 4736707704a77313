"""The rows of a check, its summary, and whether everything is fine."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from econweb.dashboard.display.controls import ColumnHeader, sorting_header
from econweb.dashboard.display.fields import field_label
from econweb.dashboard.display.sorting import sort_none_last
from econweb.dashboard.id_check.check import CheckedId, judge, load
from econweb.dashboard.id_check.query import IdCheckQuery
from econweb.dashboard.id_check.verdicts import FINE, PENDING, VERDICTS
from econweb.dashboard.rendering.pages import RELOAD_SECONDS
from econweb.upstream.records import parse_timestamp

SHOWN_FIELDS = ("observation_end", "last_updated")


@dataclass(frozen=True)
class CheckResults:
    """One check: what is not fine comes first, unless the query has an order."""

    query: IdCheckQuery
    checked: Sequence[CheckedId]
    # Why the check stopped, and for how many seconds at least.
    pause: str = ""
    wait: float = 0.0

    @cached_property
    def rows(self) -> list["Row"]:
        rows = sorted(map(Row, self.checked), key=lambda row: VERDICTS.index(row.verdict))
        if not self.query.order_by:
            return rows
        return sort_none_last(rows, self._sort_key, self.query.sort_order == "desc")

    def _sort_key(self, row: "Row") -> Any:
        if self.query.order_by == "id":
            return row.checked.series_id
        value = getattr(row.checked.series, self.query.order_by, None)
        return parse_timestamp(value) if isinstance(value, str) else value

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(row.verdict for row in self.rows)

    @property
    def pending_count(self) -> int:
        return self.counts[PENDING]

    @property
    def wrong_count(self) -> int:
        """Return the number of ids that are not fine, or about which nobody can tell."""
        return len(self.checked) - self.counts[FINE] - self.pending_count

    @property
    def is_complete(self) -> bool:
        return not self.pending_count

    @property
    def is_fine(self) -> bool:
        return self.counts[FINE] == len(self.checked)

    @property
    def retry_after(self) -> int | None:
        return None if self.is_complete else max(RELOAD_SECONDS, math.ceil(self.wait))

    def summary(self) -> str:
        return " ".join(self._sentences())

    def _sentences(self) -> Iterator[str]:
        total, wrong, fine = len(self.checked), self.wrong_count, self.counts[FINE]
        if self.is_fine:
            yield "It is fine." if total == 1 else f"All {total} series are fine."
        elif wrong:
            found = (f"{self.counts[verdict]} {verdict}" for verdict in VERDICTS if self.counts[verdict])
            yield f"{wrong} of {total} series {'is' if wrong == 1 else 'are'} not fine."
            yield f"Found: {', '.join(found)}."
        else:
            yield (
                f"{fine} of {total} series {'is' if fine == 1 else 'are'} fine so far."
                if fine
                else "Nothing is checked yet."
            )

    def columns(self) -> Iterator[ColumnHeader]:
        yield sorting_header(self.query, "id", field_label("id"))
        ordered = "" if self.query.order_by else "ascending"
        yield ColumnHeader("verdict", "Verdict", replace(self.query, order_by="").link(), ordered, "worst first")
        yield ColumnHeader("reason", "Why")
        for name in SHOWN_FIELDS:
            yield sorting_header(self.query, name, field_label(name))


@dataclass(frozen=True)
class Row:
    """The verdict on an id: the worst one, and what else was found."""

    checked: CheckedId

    @cached_property
    def verdicts(self) -> list[str]:
        found = {finding.verdict for finding in self.checked.findings}
        return [verdict for verdict in VERDICTS if verdict in found] or [FINE]

    @property
    def verdict(self) -> str:
        return self.verdicts[0]

    @property
    def also(self) -> str:
        return ", ".join(self.verdicts[1:])

    @property
    def reason(self) -> str:
        return " ".join(finding.reason for finding in self.checked.findings)


def check_ids(query: IdCheckQuery, seconds: float) -> CheckResults:
    loaded = load(query, seconds)
    return CheckResults(query, judge(query, loaded), loaded.pause, loaded.wait)
