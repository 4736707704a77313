"""The difference between two states of one thing: a page that folds small movements away, and its files."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import msgspec

from econweb.dashboard.comparison.query import CompareQuery
from econweb.dashboard.comparison.records import SourceRecords, has_two_lists, note_on_search
from econweb.dashboard.comparison.series import note_days, note_on_popularity
from econweb.dashboard.files.provenance import describe_source
from econweb.dashboard.files.sheet import Column, Sheet, file_name
from econweb.library.canonical import Record, sort_key
from econweb.library.difference import SMALL_RULE, Difference, find_difference
from econweb.upstream.queries import FIRST_DAY, LAST_DAY
from econweb.upstream.records import Series, Tag

Row = tuple[str | None, ...]
# Rows of each kind on a page; the files have all.
MAX_LISTED = 200


@dataclass(frozen=True)
class RecordComparison:
    """Two sources with all records of each."""

    query: CompareQuery
    found: Mapping[str, SourceRecords]

    @cached_property
    def difference(self) -> Difference:
        first, last = (_without_period(one.rows) for one in self.found.values())
        return find_difference(first, last)

    @property
    def notes(self) -> list[str]:
        """Return the notes on past days, and the ids of lists that are in neither."""
        found = self.found.values()
        seriess = [([row for row in one.rows if isinstance(row, Series)], one.realtime_end) for one in found]
        first, last = found
        absent = sorted(first.absent & last.absent)
        neither = [f"Neither has {', '.join(absent)}."] if absent else []
        return [*note_days(seriess), *note_on_popularity(self.query.sources.values()), *neither]

    @property
    def is_doubtful(self) -> bool:
        """Return whether a row may look gone or new because it is left out of a set that is not complete."""
        first, last = self.found.values()
        return last.may_lack(self.difference.gone) or first.may_lack(self.difference.new)

    @property
    def row_words(self) -> tuple[str, str]:
        """Say of a row which source alone has it; what another list has is neither gone nor new."""
        return ("only in the first", "only in the second") if has_two_lists(self.query.sources) else ("gone", "new")

    def headings(self) -> dict[str, str]:
        """Return short names of the two states, which fit on a phone."""
        if has_two_lists(self.query.sources):
            return {"a": "First", "b": "Second"}
        states = {letter: source.state for letter, source in self.query.sources.items()}
        return states if len({*states.values()}) > 1 else {"a": "Before", "b": "After"}

    def counts(self) -> Iterator[str]:
        """Yield the number of rows by what happened to them."""
        parts = self.difference
        gone, new = self.row_words
        for rows, words in ((parts.gone, gone), (parts.new, new), (parts.notable, "changed")):
            if rows:
                yield f"{len(rows):,} {words}"
        if parts.small:
            yield f"{len(parts.small):,} with small movements only"


def difference_sheet(comparison: RecordComparison, link: str) -> Sheet:
    query, difference = comparison.query, comparison.difference
    sources = {
        letter: describe_source(query.sources[letter].label, one.realtime_start, one.realtime_end, one.freshness)
        for letter, one in comparison.found.items()
    }
    rows = list(_rows(difference, comparison.row_words))
    keys = ("name", "group_id") if query.sources["a"].content == "tags" else ("id",)
    rule = f"Rows “moved” are small movements. {SMALL_RULE}" if difference.small else ""
    notes = [*comparison.notes, *filter(None, [note_on_search(query.sources), rule])]
    note = {"note": " ".join(notes)} if notes else {}
    return Sheet(
        name=file_name("difference", *(str(source) for source in query.sources.values())),
        title=f"Difference of {query.titles}",
        metadata={"source": link, "service": query.services, **sources, "rows": str(len(rows))} | note,
        columns=(*map(Column, ("change", *keys, "field")), Column("a", "long"), Column("b", "long")),
        rows=rows,
        fetched=[one.freshness.fetched for one in comparison.found.values()],
        plural="rows",
        singular="row",
    )


def _rows(difference: Difference, row_words: tuple[str, str]) -> Iterator[Row]:
    """Yield a row for each record that is gone or new, and for each field that changed."""
    for words, records in zip(row_words, (difference.gone, difference.new), strict=True):
        yield from ((words, *_key(record), "", None, None) for record in records)
    for words, changed in (("changed", difference.notable), ("moved", difference.small)):
        for one in changed:
            yield from ((words, *_key(one.before), name, _text(old), _text(new)) for name, old, new in one.fields())


def _without_period(records: Iterable[Record]) -> list[Record]:
    """Give all series of a list one period: theirs is the day that was asked for, and no change."""
    return [
        one if isinstance(one, Tag) else msgspec.structs.replace(one, realtime_start=FIRST_DAY, realtime_end=LAST_DAY)
        for one in records
    ]


def _key(record: Record) -> Row:
    return tuple(sort_key(record)) if isinstance(record, Tag) else (record.id,)


def _text(value: object) -> str | None:
    return None if value is None else str(value)
