"""A view as LaTeX: a `longtable` with the rules of `booktabs`, to be put into a document by `\\input`."""

import re
from collections.abc import Callable

from econweb.dashboard.files.sheets import Row, Sheet, Value, text_of
from econweb.dashboard.files.streaming import TextFormat

_COMMANDS = {
    "\\": r"\textbackslash{}",
    # BibTeX counts braces, escaped ones too.
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    '"': r"\char34{}",
    # Two hyphens would be drawn as one longer dash.
    "-": "-{}",
}
_SPECIAL = re.compile(r"[\\{}$&#%_^~<>|`'\"]|-(?=-)")
_BREAK = re.compile(r"(?:\r\n|\r|\n)+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
# Of a page of `article`, so that the six columns of tags fit on it.
_WIDTHS = {"name": r"p{0.2\textwidth}", "notes": r"p{0.26\textwidth}"}
_ALIGNED = {"text": "l", "number": "r", "long": r"p{0.4\textwidth}"}
_SMALL = "\\begingroup\\footnotesize\\sloppy\\setlength{\\tabcolsep}{3pt}\n"
# Of a moment its first ten characters.
_DAY = 10
_PACKAGES = r"% In the preamble: \usepackage{booktabs,longtable}. For text beyond Latin: LuaLaTeX or XeLaTeX."


def escaped(text: str) -> str:
    """Characters that LaTeX reads as commands, for one line of text."""
    return _SPECIAL.sub(lambda found: _COMMANDS[found[0]], _CONTROL.sub(" ", text))


def _written(value: Value) -> str:
    return r" \newline ".join(escaped(part) for part in _BREAK.split(text_of(value)))


def _line(sheet: Sheet) -> Callable[[Row], str]:
    order, names = _order(sheet), [column.name for column in sheet.columns]
    days = names.index("created") if "created" in names else -1

    def line(row: Row) -> str:
        return _set([_written(text_of(row[at])[:_DAY] if at == days else row[at]) for at in order])

    return line


def _order(sheet: Sheet) -> list[int]:
    """Notes come last, where their lines have room."""
    return sorted(range(len(sheet.columns)), key=lambda at: sheet.columns[at].name == "notes")


def _set(cells: list[str]) -> str:
    # The end of the row before would take these for its options.
    guard = "{}" if cells[0].lstrip().startswith(("[", "*")) else ""
    return f"{guard}{' & '.join(cells)} \\\\\n"


def _head(sheet: Sheet) -> str:
    facts = {"title": sheet.title, **sheet.facts}
    comment = "".join(f"% {name}: {_CONTROL.sub(' ', value)}\n" for name, value in facts.items())
    columns = [sheet.columns[at] for at in _order(sheet)]
    aligned = "".join(_WIDTHS.get(column.name, _ALIGNED[column.kind]) for column in columns)
    header = _set([escaped(column.name) for column in columns])
    return (
        f"{comment}{_PACKAGES}\n{_SMALL}\\begin{{longtable}}{{@{{}}{aligned}@{{}}}}\n"
        f"\\toprule\n{header}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n"
    )


TEX = TextFormat(
    head=_head,
    line=_line,
    tail=lambda _sheet: "\\end{longtable}\n\\endgroup\n",
    broken=lambda words: f"\\errmessage{{{escaped(words)}}}\n",
)
