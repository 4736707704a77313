"""Problems of the files of a catalogue: where each is, and sentences about what is wrong."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

# Problems of one column that are listed; the others are counted.
MAX_ALIKE = 3
# Characters of a wrong value.
MAX_SHOWN = 40
SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True)
class Problem:
    """A problem and where it is; line 0 stands for the whole file."""

    file: str
    line: int
    field: str
    reason: str

    def __str__(self) -> str:
        where = f"line {self.line}, {self.field}" if self.line else self.field
        return f"{self.file}, {where}: {self.reason}"


@dataclass
class Problems:
    """The problems found so far, so that one reading tells all of them."""

    found: list[Problem] = field(default_factory=list)
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, problem: Problem) -> None:
        self._counts[problem.file, problem.field] += 1
        if self._counts[problem.file, problem.field] <= MAX_ALIKE:
            self.found.append(problem)

    def files(self) -> set[str]:
        """Return the names of the files that have problems."""
        return {problem.file for problem in self.found}

    def lines(self) -> Iterator[str]:
        yield from map(str, self.found)
        for (file, name), count in self._counts.items():
            if count > MAX_ALIKE:
                yield f"{file}, {name}: {count - MAX_ALIKE:,} more lines are wrong"

    def end(self) -> None:
        if self.found:
            raise InvalidCatalogue(self)


class InvalidCatalogue(Exception):
    """The files are not a catalogue."""

    def __init__(self, problems: Problems) -> None:
        super().__init__("\n".join(problems.lines()))


class Unreadable(Exception):
    """The file cannot be read from this line on."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def add_value(value: str, reason: str) -> str:
    """Put a wrong value, cut to a few characters, before what is wrong with it."""
    if not value:
        return reason
    return f"{value[:MAX_SHOWN]!r}{'…' if len(value) > MAX_SHOWN else ''} {reason}"


def describe_header(found: Sequence[str], header: Sequence[str]) -> str:
    """Return what is wrong with the names of the columns."""
    must = f"it must be {','.join(header)}"
    if not any(found):
        return f"has no names of columns: {must}"
    if separated := _separated(found):
        return separated
    lacks = [name for name in header if name not in found]
    unknown = [repr(name[:MAX_SHOWN]) for name in found if name not in header]
    parts = [f"lacks {', '.join(lacks)}"] * bool(lacks) + [f"has the unknown {', '.join(unknown)}"] * bool(unknown)
    return f"{' and '.join(parts) or 'has its columns in another order'}: {must}"


def describe_width(row: Sequence[str], width: int) -> str:
    """Return what is wrong with a row that has more or fewer fields than there are columns."""
    if not row:
        return "is empty: delete it"
    if separated := _separated(row):
        return separated
    advice = ": put quotes around a text with a comma" if len(row) > width else ""
    return f"has {len(row)} {'field' if len(row) == 1 else 'fields'} instead of {width}{advice}"


def _separated(row: Sequence[str]) -> str:
    found = next((name for sign, name in SEPARATORS.items() if len(row) == 1 and sign in row[0]), "")
    return f"seems to have {found} between its columns: use commas" if found else ""
