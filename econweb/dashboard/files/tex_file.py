"""A view as LaTeX: a `longtable` with the rules of `booktabs`, to be put into a document by `\\input`."""

import re

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
_ALIGNED = {"text": "l", "number": "r", "long": r"p{0.4\textwidth}"}
_PACKAGES = r"% In the preamble: \usepackage{booktabs,longtable}. For text beyond Latin: LuaLaTeX or XeLaTeX."


def escaped(text: str) -> str:
    """Characters that LaTeX reads as commands, for one line of text."""
    return _SPECIAL.sub(lambda found: _COMMANDS[found[0]], _CONTROL.sub(" ", text))


def _written(value: Value) -> str:
    return r" \newline ".join(escaped(part) for part in _BREAK.split(text_of(value)))


def _line(row: Row) -> str:
    cells = [_written(value) for value in row]
    # The end of the row before would take these for its options.
    guard = "{}" if cells[0].lstrip().startswith(("[", "*")) else ""
    return f"{guard}{' & '.join(cells)} \\\\\n"


def _head(sheet: Sheet) -> str:
    facts = {"title": sheet.title, **sheet.facts}
    comment = "".join(f"% {name}: {_CONTROL.sub(' ', value)}\n" for name, value in facts.items())
    aligned = "".join(_ALIGNED[column.kind] for column in sheet.columns)
    header = _line([column.name for column in sheet.columns])
    return (
        f"{comment}{_PACKAGES}\n\\begin{{longtable}}{{{aligned}}}\n"
        f"\\toprule\n{header}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n"
    )


TEX = TextFormat(
    head=_head,
    line=lambda _sheet: _line,
    tail=lambda _sheet: "\\end{longtable}\n",
    broken=lambda words: f"\\errmessage{{{escaped(words)}}}\n",
)
