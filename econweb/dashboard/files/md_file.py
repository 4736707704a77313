"""A view as Markdown: a heading, a list of facts and one table, for a wiki or an issue."""

import re

from econweb.dashboard.files.sheets import Row, Sheet, Value, text_of
from econweb.dashboard.files.streaming import TextFormat

# An underscore inside of a word is one.
_SPECIAL = re.compile(r"[\\`*\[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_BREAK = re.compile(r"\r\n|\r|\n")
_AT_AN_EDGE = re.compile(r"^\s|\s$")


def _written(value: Value) -> str:
    if not isinstance(value, str):
        return text_of(value)
    text = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _BREAK.sub("<br>", _SPECIAL.sub(r"\\\g<0>", text))
    # A table trims its cells.
    return _AT_AN_EDGE.sub(lambda found: f"&#{ord(found[0])};", text)


def _line(row: Row) -> str:
    return f"| {' | '.join([_written(value) for value in row])} |\n"


def _head(sheet: Sheet) -> str:
    facts = "".join(f"- {name}: {_written(value)}\n" for name, value in sheet.facts.items())
    rule = ["---:" if column.kind == "number" else "---" for column in sheet.columns]
    header = _line([column.name for column in sheet.columns])
    return f"# {_written(sheet.title)}\n\n{facts}\n{header}| {' | '.join(rule)} |\n"


MD = TextFormat(
    head=_head,
    line=lambda _sheet: _line,
    tail=lambda _sheet: "",
    broken=lambda words: f"\n**{_written(words)}**\n",
)
