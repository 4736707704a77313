"""A view as XML: the envelope and the records of the contract, and a comment on what the file is about."""

import re
from collections.abc import Callable, Mapping

from econweb.dashboard.files.sheets import Row, Sheet, Value
from econweb.dashboard.files.streaming import TextFormat

# Line breaks and tabs in an attribute would be read as blanks.
_REFERENCES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\t": "&#9;",
    "\n": "&#10;",
    "\r": "&#13;",
}
_SPECIAL = re.compile('[&<>"\t\n\r]')
# XML has no way to write these.
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _written(value: Value) -> str:
    """XML 1.0, 2.4 and 3.3.3."""
    return _SPECIAL.sub(lambda found: _REFERENCES[found[0]], NOT_IN_XML.sub("\ufffd", str(value)))


def _attributes(record: Mapping[str, Value]) -> str:
    return "".join(f' {name}="{_written(value)}"' for name, value in record.items() if value is not None)


def _comment(facts: Mapping[str, str]) -> str:
    """A comment may not hold two hyphens in a row."""
    lines = "".join(f"  {name}: {NOT_IN_XML.sub(' ', value)}\n" for name, value in facts.items())
    return f"<!--\n{re.sub('-(?=-)', '- ', lines)}-->\n"


def _head(sheet: Sheet) -> str:
    comment = _comment({"title": sheet.title, **sheet.facts})
    root = f"<{sheet.plural}{_attributes(sheet.envelope)}>"
    return f'<?xml version="1.0" encoding="utf-8"?>\n{comment}{root}\n'


def _line(sheet: Sheet) -> Callable[[Row], str]:
    names, singular = [column.name for column in sheet.columns], sheet.singular
    return lambda row: f"  <{singular}{_attributes(dict(zip(names, row, strict=True)))}/>\n"


XML = TextFormat(
    head=_head,
    line=_line,
    tail=lambda sheet: f"</{sheet.plural}>\n",
    # The root stays open, so that no parser takes the file for a whole one.
    broken=lambda words: f'<error message="{_written(words)}"/>\n',
    whole_records=True,
)
