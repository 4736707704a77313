"""LaTeX: a `longtable` with the rules of `booktabs`, for `\\input` in a document."""

import re
from collections.abc import Callable, Mapping, Sequence

from econweb.dashboard.display.notes import print_notes
from econweb.dashboard.files.sheet import Column, Row, Sheet, Value, to_text
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
    # No letter of older fonts.
    "\N{MINUS SIGN}": r"\ensuremath{-}",
    # Two hyphens would become one longer dash.
    "-": "-{}",
}
_SPECIAL = re.compile(r"[\\{}$&#%_^~<>|`'\"\u2212]|-(?=-)")
# Addresses have no blanks at which a line could end.
_ADDRESS = re.compile(r"https?://\S+")
# The longest address that is printed below a table.
_MAX_ADDRESS = 200
_BREAK = re.compile(r"[\r\n]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
# Columns of numbers and ids take their own widths, about this part of the page. Those of text share the rest.
# Labels of rows are short.
_OF_NUMBERS, _WEIGHTS = 0.13, {"id": 0, "label": 2.5, "text": 4, "long": 5}
# At most six columns fit on a page of `article` in the larger letters.
_MAX_LARGE = 6
# Columns of timestamps, whose first ten characters are the date.
_MOMENTS, _DAY = {"created", "last_updated"}, 10
_PACKAGES = r"% In the preamble: \usepackage{booktabs,longtable}. For text beyond Latin: LuaLaTeX or XeLaTeX."


def escape_latex(text: str) -> str:
    """Escape one line of text for LaTeX."""
    return _SPECIAL.sub(lambda found: _COMMANDS[found[0]], _CONTROL.sub(" ", text))


def _escape(value: Value) -> str:
    lines = [escape_latex(part) for part in _BREAK.split(to_text(value))]
    return r" \newline ".join(_ADDRESS.sub(_let_break, line) for line in lines)


def _let_break(address: re.Match[str]) -> str:
    return re.sub("[/.,?&=]", r"\g<0>\\hspace{0pt}", address[0])


def _line_writer(sheet: Sheet) -> Callable[[Row], str]:
    order, names = _order_columns(sheet), [column.name for column in sheet.columns]
    start = _hyphenate(sheet)

    def line(row: Row) -> str:
        return _write_row([start + _escape(_shorten(names[at], row[at])) for at in order])

    return line


def _shorten(name: str, value: Value) -> Value:
    """Return the day of a moment, and notes without markup."""
    if name in _MOMENTS:
        return to_text(value)[:_DAY]
    return print_notes(to_text(value)) if name == "notes" else value


def _order_columns(sheet: Sheet) -> list[int]:
    """Return the indexes of the columns, with the wide notes last."""
    return sorted(range(len(sheet.columns)), key=lambda at: sheet.columns[at].name == "notes")


def _write_row(cells: list[str]) -> str:
    # LaTeX would read these as options of the line break before them.
    guard = "{}" if cells[0].lstrip().startswith(("[", "*")) else ""
    return f"{guard}{' & '.join(cells)} \\\\\n"


def _hyphenate(sheet: Sheet) -> str:
    """Return what begins each cell: LaTeX hyphenates no first word of a paragraph, and narrow columns need it."""
    return r"\hspace{0pt}" if len(sheet.columns) > _MAX_LARGE or sheet.caption else ""


def _align(columns: Sequence[Column]) -> str:
    weights = [_WEIGHTS.get(column.name, _WEIGHTS.get(column.kind, 0)) for column in columns]
    # Beside many numbers a column of text keeps a twentieth of the page.
    shared = max(1 - _OF_NUMBERS * weights.count(0), 0.05 * len(columns))
    widths = [weight * shared / max(sum(weights), 1) for weight in weights]
    return "".join(
        rf"p{{\dimexpr{width:.3f}\textwidth-2\tabcolsep}}" if width else "r" if column.kind == "number" else "l"
        for column, width in zip(columns, widths, strict=True)
    )


def _write_head(sheet: Sheet) -> str:
    metadata = {"title": sheet.title, **sheet.metadata}
    comment = "".join(f"% {name}: {_CONTROL.sub(' ', value)}\n" for name, value in metadata.items())
    columns = [sheet.columns[at] for at in _order_columns(sheet)]
    header = _write_row([_hyphenate(sheet) + escape_latex(column.heading) for column in columns])
    size = r"\footnotesize" if len(columns) <= _MAX_LARGE else r"\scriptsize"
    return (
        f"{comment}{_PACKAGES}\n\\begingroup{size}\\sloppy\\setlength{{\\tabcolsep}}{{3pt}}\n"
        f"\\setlength{{\\LTcapwidth}}{{\\textwidth}}\\setlength{{\\LTpost}}{{3pt}}\n"
        f"\\begin{{longtable}}{{@{{}}{_align(columns)}@{{}}}}\n"
        f"{_write_caption(sheet, header)}\\toprule\n{header}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n"
    )


def _write_caption(sheet: Sheet, header: str) -> str:
    """Return the head of the first page, where the table has a caption, for which there is no list of tables."""
    if not sheet.caption:
        return ""
    caption = f"\\caption[]{{{escape_latex(sheet.caption)}}}\\\\\n"
    return f"{caption}\\toprule\n{header}\\midrule\n\\endfirsthead\n"


def _write_tail(sheet: Sheet) -> str:
    """Return the end of the table, and below it what its readers have to know."""
    about = sheet.metadata
    said = [about.get("warning", ""), about.get("note", "")]
    if not sheet.caption:
        said = [*_name_rows(sheet), *said, _name_source(about)]
    # A table has a number, also one that shows none.
    end = "\\end{longtable}\n" if sheet.caption else "\\end{longtable}\\addtocounter{table}{-1}\n"
    below = _ADDRESS.sub(_let_break, escape_latex(" ".join(filter(None, said))))
    return f"{end}\\noindent {below}\\par\n\\endgroup\n" if below else f"{end}\\endgroup\n"


def _name_rows(sheet: Sheet) -> list[str]:
    """Return the title of the table with its filters and day, and which ids of a list it lacks."""
    day, filters, missing = (sheet.metadata.get(name, "") for name in ("as of", "filters", "missing"))
    chosen = f" ({filters})" if filters not in {"", "none"} else ""
    lacks = f"Not in this table: {missing.replace('.; ', '; ')}" if missing else ""
    rows = f"{sheet.title}{chosen}{f', as of {day}' if day else ''}"
    # The summary of a check is a sentence.
    return [rows if rows.endswith(".") else f"{rows}.", lacks]


def _name_source(about: Mapping[str, str]) -> str:
    """Return the service and the address of the view; one with many ids would repeat the table."""
    address = about.get("source", "")
    named = filter(None, (about.get("service", ""), address if len(address) <= _MAX_ADDRESS else ""))
    return f"Source: {sources}" if (sources := ", ".join(named)) else ""


TEX = TextFormat(
    head=_write_head,
    line=_line_writer,
    tail=_write_tail,
    on_error=lambda words: f"\\errmessage{{{escape_latex(words)}}}\n",
)
