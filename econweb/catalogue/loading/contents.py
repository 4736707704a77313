"""Read the files of a catalogue into compact arrays, and check them against each other."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import itemgetter, lt

from econweb.catalogue.counts import AllSeries
from econweb.catalogue.loading import field_checks
from econweb.catalogue.loading.csv_files import CsvFile
from econweb.catalogue.loading.csv_rows import Batch
from econweb.catalogue.loading.file_format import COLUMNS, KINDS, Files, columns_of
from econweb.catalogue.loading.lifespans import Lifespans
from econweb.catalogue.loading.problems import Problem, Problems

REPEATED = "is on an earlier line already"
Pairs = tuple[Sequence[int], Sequence[int]]


@dataclass(frozen=True)
class Owners:
    """The categories or the releases; the series of the one with index n start at members_at[n]."""

    kind: str
    rows: Sequence[Sequence[str]]
    members: Sequence[int]
    members_at: Sequence[int]


@dataclass(frozen=True)
class Contents:
    """Everything except the texts of the series, which are read a second time when they are stored."""

    versions: int
    # In the order of names, which numbers them.
    tags: Sequence[Sequence[str]]
    series: AllSeries
    owners: Sequence[Owners]


def read_contents(files: Files, problems: Problems) -> Contents:
    """Read and check all files, or raise InvalidCatalogue with these problems and all others."""
    file = files["series"]
    lifespans = Lifespans(file.path.name)
    for batch in file.checked(COLUMNS["series"], problems):
        _check_order(file, batch, problems)
        lifespans.add(batch)
    gaps = lifespans.gaps(problems)
    tags = sorted(_read_unique_rows(files["tags"], problems), key=itemgetter(0))
    rows = {kind: _read_unique_rows(files[plural], problems) for kind, plural in KINDS.items()}
    if files["categories"].path.name not in problems.files():
        _check_tree(files["categories"], rows["category"], problems)
    links = _read_links(files["series_tags"], (file, lifespans.number_of), (files["tags"], tags), problems)
    tagged = _group(*links, len(lifespans.number_of))
    _check_once(files["series_tags"], links, tagged, problems)
    owners = []
    for kind, plural in KINDS.items():
        link_file, target = files[f"series_{plural}"], (files[plural], rows[kind])
        links = _read_links(link_file, (file, lifespans.number_of), target, problems)[::-1]
        members = _group(*links, len(rows[kind]))
        _check_once(link_file, links, members, problems)
        owners.append(Owners(kind, rows[kind], *members))
    problems.end()
    return Contents(lifespans.versions, tags, AllSeries(lifespans.first_day, lifespans.last_day, gaps, *tagged), owners)


def _check_order(file: CsvFile, batch: Batch, problems: Problems) -> None:
    """Report periods that end before they start."""
    names = [*COLUMNS["series"]]
    for period in ("realtime", "observation"):
        starts, ends = (batch.column(names.index(f"{period}_{bound}")) for bound in ("start", "end"))
        # Line numbers are computed only for an error.
        if any(map(lt, ends, starts)):
            for line, start, end in zip(batch.lines(), starts, ends, strict=True):
                if end < start:
                    reason = f"is before {period}_start"
                    problems.add(Problem(file.path.name, line, f"{period}_end", reason))


def _read_unique_rows(file: CsvFile, problems: Problems) -> list[list[str]]:
    """Return the rows of a file whose first field is unique."""
    columns = columns_of(file)
    name = next(iter(columns))
    rows: dict[str, list[str]] = {}
    for batch in file.checked(columns, problems):
        for line, row in zip(batch.lines(), batch.rows, strict=True):
            if rows.setdefault(row[0], row) is not row:
                problems.add(Problem(file.path.name, line, name, REPEATED))
    return list(rows.values())


def _check_tree(file: CsvFile, rows: list[list[str]], problems: Problems) -> None:
    """Report parents that are not in the file, and categories that are part of themselves."""
    parents = {number: parent for number, _, *rest in rows for parent in rest if parent}
    numbers, circles = {row[0] for row in rows}, _find_circles(parents)
    for line, (number, name, *_) in zip(Batch(2, rows).lines(), rows, strict=True):
        if number in circles:
            problems.add(Problem(file.path.name, line, "parent_id", f"makes {name} part of itself"))
        elif number in parents and parents[number] not in numbers:
            problems.add(Problem(file.path.name, line, "parent_id", "is not in the file"))


def _find_circles(parents: Mapping[str, str]) -> set[str]:
    """Return the categories that are part of themselves, without those below them."""
    checked, found = set[str](), set[str]()
    for start in parents:
        path, current = dict[str, None](), start
        while current in parents and current not in checked and current not in path:
            path[current] = None
            current = parents[current]
        if current in path:
            steps = [*path]
            found.update(steps[steps.index(current) :])
        checked.update(path)
    return found


def _read_links(
    file: CsvFile,
    series: tuple[CsvFile, Mapping[str, int]],
    target: tuple[CsvFile, Sequence[Sequence[str]]],
    problems: Problems,
) -> Pairs:
    """Return the numbers of the series and of the linked rows, in the order of the file."""
    others = {row[0]: number for number, row in enumerate(target[1])}
    wrong = problems.files()
    # What a file with a problem holds is not known.
    checks = [
        field_checks.text if of.path.name in wrong else field_checks.known(values)
        for of, values in (series, (target[0], others))
    ]
    columns = dict(zip(COLUMNS[file.name], checks, strict=True))
    numbers, other_numbers = array("I"), array("I")
    for batch in file.checked(columns, problems):
        if not problems.found:
            numbers.extend(map(series[1].__getitem__, batch.column(0)))
            other_numbers.extend(map(others.__getitem__, batch.column(1)))
    return numbers, other_numbers


def _check_once(file: CsvFile, links: Pairs, grouped: Pairs, problems: Problems) -> None:
    """Report repeated links, which would count a series twice."""
    values, at = grouped
    groups = ((key, values[first:end]) for key, (first, end) in enumerate(pairwise(at)))
    repeated = {key: group for key, group in groups if len({*group}) < len(group)}
    if problems.found or not repeated:
        return
    seen = set()
    # All rows are valid, so none contains a line break; line 1 is the header.
    for line, link in enumerate(zip(*links, strict=True), start=2):
        if link[0] in repeated and link in seen:
            column = [*COLUMNS[file.name]][1]
            problems.add(Problem(file.path.name, line, column, REPEATED))
        elif link[0] in repeated:
            seen.add(link)


def _group(keys: Sequence[int], values: Sequence[int], size: int) -> Pairs:
    """Return the values grouped by key, and the start of each group."""
    sizes = [0] * size
    for key in keys:
        sizes[key] += 1
    at = array("I", accumulate(sizes, initial=0))
    free, grouped = list(at), array("I", [0]) * len(values)
    for key, value in zip(keys, values, strict=True):
        grouped[free[key]] = value
        free[key] += 1
    return grouped, at
