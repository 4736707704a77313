"""Markdown: a heading, a list of metadata and one table, for a wiki or an issue."""

import re

from econweb.dashboard.files.sheet import Row, Sheet, Value, to_text
from econweb.dashboard.files.streaming import TextFormat

# An underscore inside a word needs no escape.
_SPECIAL = re.compile(r"[\\`*\[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_BREAK = re.compile(r"\r\n|\r|\n")
_EDGE_BLANK = re.compile(r"^\s|\s$")


def _escape(value: Value) -> str:
    if not isinstance(value, str):
        return to_text(value)
    text = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _BREAK.sub("<br>", _SPECIAL.sub(r"\\\g<0>", text))
    # A table trims its cells.
    return _EDGE_BLANK.sub(lambda found: f"&#{ord(found[0])};", text)


def _write_line(row: Row) -> str:
    return f"| {' | '.join([_escape(value) for value in row])} |\n"


def _write_head(sheet: Sheet) -> str:
    metadata = "".join(f"- {name}: {_escape(value)}\n" for name, value in sheet.metadata.items())
    rule = ["---:" if column.kind == "number" else "---" for column in sheet.columns]
    header = _write_line([column.name for column in sheet.columns])
    return f"# {_escape(sheet.title)}\n\n{metadata}\n{header}| {' | '.join(rule)} |\n"


MD = TextFormat(
    head=_write_head,
    line=lambda _sheet: _write_line,
    tail=lambda _sheet: "",
    on_error=lambda words: f"\n**{_escape(words)}**\n",
)
