"""The files of a catalogue, checked against each other and held as compactly as counting needs them."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import itemgetter, lt

from econweb.catalogue import checks
from econweb.catalogue.counts import Series
from econweb.catalogue.csv_files import Batch, CsvFile, Problem, Problems
from econweb.catalogue.folder import COLUMNS, KINDS, Files
from econweb.catalogue.lives import Lives

REPEATED = "stands on an earlier line, too"
Pairs = tuple[Sequence[int], Sequence[int]]


@dataclass(frozen=True)
class Owners:
    """The categories or the releases; the series of the one at place n stand from members_at[n] on."""

    kind: str
    rows: Sequence[Sequence[str]]
    members: Sequence[int]
    members_at: Sequence[int]


@dataclass(frozen=True)
class Contents:
    """All but the texts of the series, which are read a second time when they are stored."""

    versions: int
    # In the order of names, which numbers them.
    tags: Sequence[Sequence[str]]
    series: Series
    owners: Sequence[Owners]


def read(files: Files) -> Contents:
    """Or `Wrong`, with what is wrong in the files; one that leans on a wrong one is not looked at."""
    file, problems = files["series"], Problems()
    lives = Lives(file.path.name)
    for batch in file.checked(COLUMNS["series"], problems):
        _check_order(file, batch, problems)
        lives.add(batch)
    gaps = lives.gaps(problems)
    tags = sorted(_rows(files["tags"], problems), key=itemgetter(0))
    rows = {kind: _rows(files[plural], problems) for kind, plural in KINDS.items()}
    problems.end()
    links = _links(files["series_tags"], lives.number_of, tags, problems)
    tagged = _grouped(*links, len(lives.number_of))
    _check_once(files["series_tags"], links, tagged, problems)
    owners = []
    for kind, plural in KINDS.items():
        file = files[f"series_{plural}"]
        links = _links(file, lives.number_of, rows[kind], problems)[::-1]
        members = _grouped(*links, len(rows[kind]))
        _check_once(file, links, members, problems)
        owners.append(Owners(kind, rows[kind], *members))
    problems.end()
    return Contents(lives.versions, tags, Series(lives.first_day, lives.last_day, gaps, *tagged), owners)


def _check_order(file: CsvFile, batch: Batch, problems: Problems) -> None:
    """A period ends no earlier than it starts."""
    names = [*COLUMNS["series"]]
    for period in ("realtime", "observation"):
        starts, ends = (batch.column(names.index(f"{period}_{bound}")) for bound in ("start", "end"))
        # The line of each row is looked for only when there is something to tell.
        if any(map(lt, ends, starts)):
            for line, start, end in zip(batch.lines(), starts, ends, strict=True):
                if end < start:
                    reason = f"is before {period}_start"
                    problems.add(Problem(file.path.name, line, f"{period}_end", reason))


def _rows(file: CsvFile, problems: Problems) -> list[list[str]]:
    """Of a file whose first field names each row."""
    name = next(iter(COLUMNS[file.name]))
    rows: dict[str, list[str]] = {}
    for batch in file.checked(COLUMNS[file.name], problems):
        for line, row in zip(batch.lines(), batch.rows, strict=True):
            if rows.setdefault(row[0], row) is not row:
                problems.add(Problem(file.path.name, line, name, REPEATED))
    return list(rows.values())


def _links(
    file: CsvFile, series: Mapping[str, int], rows: Sequence[Sequence[str]], problems: Problems
) -> Pairs:
    """The numbers of the series and of the other rows, in the order of the file."""
    others = {row[0]: number for number, row in enumerate(rows)}
    known = (checks.known(series), checks.known(others))
    columns = dict(zip(COLUMNS[file.name], known, strict=True))
    numbers, other_numbers = array("I"), array("I")
    for batch in file.checked(columns, problems):
        numbers.extend(map(series.__getitem__, batch.column(0)))
        other_numbers.extend(map(others.__getitem__, batch.column(1)))
    return numbers, other_numbers


def _check_once(file: CsvFile, links: Pairs, grouped: Pairs, problems: Problems) -> None:
    """A repeated link would count a series twice."""
    values, at = grouped
    stretches = ((key, values[first:end]) for key, (first, end) in enumerate(pairwise(at)))
    repeated = {key: stretch for key, stretch in stretches if len({*stretch}) < len(stretch)}
    if problems.found or not repeated:
        return
    seen = set()
    # Every row was good, and so none holds a line break; the first line is the header.
    for line, link in enumerate(zip(*links, strict=True), start=2):
        if link[0] in repeated and link in seen:
            column = [*COLUMNS[file.name]][1]
            problems.add(Problem(file.path.name, line, column, REPEATED))
        elif link[0] in repeated:
            seen.add(link)


def _grouped(keys: Sequence[int], values: Sequence[int], size: int) -> Pairs:
    """The values sorted by their keys, and where those of each key begin."""
    sizes = [0] * size
    for key in keys:
        sizes[key] += 1
    at = array("I", accumulate(sizes, initial=0))
    free, grouped = list(at), array("I", [0]) * len(values)
    for key, value in zip(keys, values, strict=True):
        grouped[free[key]] = value
        free[key] += 1
    return grouped, at
