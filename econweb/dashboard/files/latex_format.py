"""LaTeX: a `longtable` with the rules of `booktabs`, for `\\input` in a document."""

import re
from collections.abc import Callable

from econweb.dashboard.files.sheet import Row, Sheet, Value, to_text
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
    # Two hyphens would become one longer dash.
    "-": "-{}",
}
_SPECIAL = re.compile(r"[\\{}$&#%_^~<>|`'\"]|-(?=-)")
_BREAK = re.compile(r"[\r\n]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
# The six columns of tags fit on a page of `article`.
_WIDTHS = {"name": r"p{0.2\textwidth}", "notes": r"p{0.26\textwidth}"}
_ALIGNED = {"text": "l", "number": "r", "long": r"p{0.4\textwidth}"}
_SMALL = "\\begingroup\\footnotesize\\sloppy\\setlength{\\tabcolsep}{3pt}\n"
# The first ten characters of a timestamp are its date.
_DAY = 10
_PACKAGES = r"% In the preamble: \usepackage{booktabs,longtable}. For text beyond Latin: LuaLaTeX or XeLaTeX."


def escape_latex(text: str) -> str:
    """Escape one line of text for LaTeX."""
    return _SPECIAL.sub(lambda found: _COMMANDS[found[0]], _CONTROL.sub(" ", text))


def _escape(value: Value) -> str:
    return r" \newline ".join(escape_latex(part) for part in _BREAK.split(to_text(value)))


def _line_writer(sheet: Sheet) -> Callable[[Row], str]:
    order, names = _order_columns(sheet), [column.name for column in sheet.columns]
    days = names.index("created") if "created" in names else -1

    def line(row: Row) -> str:
        return _write_row([_escape(to_text(row[at])[:_DAY] if at == days else row[at]) for at in order])

    return line


def _order_columns(sheet: Sheet) -> list[int]:
    """Return the indexes of the columns, with the wide notes last."""
    return sorted(range(len(sheet.columns)), key=lambda at: sheet.columns[at].name == "notes")


def _write_row(cells: list[str]) -> str:
    # LaTeX would read these as options of the line break before them.
    guard = "{}" if cells[0].lstrip().startswith(("[", "*")) else ""
    return f"{guard}{' & '.join(cells)} \\\\\n"


def _write_head(sheet: Sheet) -> str:
    metadata = {"title": sheet.title, **sheet.metadata}
    comment = "".join(f"% {name}: {_CONTROL.sub(' ', value)}\n" for name, value in metadata.items())
    columns = [sheet.columns[at] for at in _order_columns(sheet)]
    aligned = "".join(_WIDTHS.get(column.name, _ALIGNED[column.kind]) for column in columns)
    header = _write_row([escape_latex(column.name) for column in columns])
    return (
        f"{comment}{_PACKAGES}\n{_SMALL}\\begin{{longtable}}{{@{{}}{aligned}@{{}}}}\n"
        f"\\toprule\n{header}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n"
    )


TEX = TextFormat(
    head=_write_head,
    line=_line_writer,
    tail=lambda _sheet: "\\end{longtable}\n\\endgroup\n",
    on_error=lambda words: f"\\errmessage{{{escape_latex(words)}}}\n",
)
