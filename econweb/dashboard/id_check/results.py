"""The rows of a check, its summary, and whether everything is fine."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

from econweb.dashboard.display.controls import ColumnHeader, sorting_header
from econweb.dashboard.display.fields import field_label
from econweb.dashboard.display.sorting import sort_none_last
from econweb.dashboard.id_check.check import CheckedId, judge, load
from econweb.dashboard.id_check.query import IdCheckQuery
from econweb.dashboard.id_check.verdicts import FINE, NOT_FOUND, PENDING, UNKNOWN, VERDICTS, in_words
from econweb.dashboard.lookup.known_series import Proposal, ask_for, propose_ids
from econweb.dashboard.rendering.pages import RELOAD_SECONDS
from econweb.upstream.records import parse_timestamp

SHOWN_FIELDS = ("observation_end", "last_updated")
_BOTH = 2


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
        if not self.query.order_by:
            return self._worst_first
        return sort_none_last(self._worst_first, self._sort_key, self.query.sort_order == "desc")

    @cached_property
    def _worst_first(self) -> list["Row"]:
        return sorted(map(Row, self.checked), key=lambda row: VERDICTS.index(row.verdict))

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
        """Return the number of ids of which something that is not fine is known."""
        return len(self.checked) - self.counts[FINE] - self.pending_count - self.unknown_count

    @property
    def unknown_count(self) -> int:
        """Return the number of ids that cannot be judged."""
        return self.counts[UNKNOWN]

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
        total, fine = len(self.checked), self.counts[FINE]
        if total == 1 and self.is_complete:
            return f"{self.checked[0].series_id} {self._judge(self.rows[0])}."
        if self.is_fine:
            return "Both series are fine." if total == _BOTH else f"All {total} series are fine."
        if self.wrong_count or self.unknown_count:
            return self._name_problems()
        if fine:
            return f"{fine} of {total} series {'is' if fine == 1 else 'are'} fine so far."
        return "Nothing is checked yet."

    def _judge(self, row: "Row") -> str:
        if row.verdict in {FINE, UNKNOWN}:
            return "is fine" if row.verdict == FINE else "cannot be judged"
        return f"is not fine ({row.worst})"

    def _name_problems(self) -> str:
        wrong, unknown, of_all = self.wrong_count, self.unknown_count, f" of {len(self.checked)} series"
        found = [f"{number} {verdict}" for verdict, number in self._counts_of_problems().items()]
        judged = [f"{wrong}{of_all} {'is' if wrong == 1 else 'are'} not fine ({', '.join(found)})"] if wrong else []
        if unknown:
            judged.append(f"{unknown}{'' if wrong else of_all} cannot be judged")
        waiting = [f"{self.pending_count} not checked yet"] if self.pending_count else []
        return f"{', '.join([*judged, *waiting])}."

    def _counts_of_problems(self) -> Counter[str]:
        """Count the worst verdicts by their words, the worst first."""
        severe = VERDICTS[: VERDICTS.index(UNKNOWN)]
        return Counter(row.worst for row in self._worst_first if row.verdict in severe)

    @cached_property
    def proposals(self) -> dict[str, list[Proposal]]:
        return propose_ids(self.query, [row.checked.series_id for row in self.rows if row.verdict == NOT_FOUND])

    def explain(self, row: "Row") -> str:
        """Return the reason of a row with the ids that may be meant, which pages show as links."""
        near = " or ".join(each.id for each in self.proposals.get(row.checked.series_id, ()))
        return row.reason + ask_for(near)

    @cached_property
    def later(self) -> IdCheckQuery | None:
        """Return a check of all ids whose first record is after the day, since the day on which each has one."""
        days = {row.checked.series_id: row.first_day for row in self.rows if row.first_day}
        ids = tuple(one for one in self.query.ids if one in days)
        return IdCheckQuery(ids, max(days.values())) if days else None

    def columns(self) -> Iterator[ColumnHeader]:
        yield sorting_header(self.query, "id", field_label("id"))
        ordered = "" if self.query.order_by else "ascending"
        yield ColumnHeader("verdict", "Verdict", replace(self.query, order_by="").link(), ordered, "worst first")
        yield ColumnHeader("reason", "Title, and why")
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
    def words(self) -> str:
        """Return every verdict in the words of pages."""
        return ", ".join([self.worst, *map(in_words, self.verdicts[1:])]).capitalize()

    @property
    def worst(self) -> str:
        return in_words(self.verdict)

    @property
    def also(self) -> str:
        return ", ".join(self.verdicts[1:])

    @property
    def reason(self) -> str:
        return " ".join(finding.reason for finding in self.checked.findings)

    @property
    def first_day(self) -> date | None:
        """Return the day of its first record, where that is after the one of the check."""
        return next((finding.since for finding in self.checked.findings if finding.since), None)


def check_ids(query: IdCheckQuery, seconds: float) -> CheckResults:
    loaded = load(query, seconds)
    return CheckResults(query, judge(query, loaded), loaded.pause, loaded.wait)
