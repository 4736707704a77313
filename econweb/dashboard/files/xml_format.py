"""XML: the envelope and the records of the contract, with the metadata in a comment."""

import re
from collections.abc import Callable, Mapping
from xml.sax.saxutils import quoteattr

from econweb.dashboard.files.sheet import Row, Sheet, Value
from econweb.dashboard.files.streaming import TextFormat

# Double quotes are escaped, because every value is written in double quotes.
_ENTITIES = {'"': "&quot;"}
# XML cannot represent these.
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _quote(value: Value) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return quoteattr(NOT_IN_XML.sub("\ufffd", text), _ENTITIES)


def _write_attributes(record: Mapping[str, Value]) -> str:
    return "".join(f" {name}={_quote(value)}" for name, value in record.items() if value is not None)


def _write_comment(metadata: Mapping[str, str]) -> str:
    """Return the metadata as a comment, which must not contain two hyphens in a row."""
    lines = "".join(f"  {name}: {NOT_IN_XML.sub(' ', value)}\n" for name, value in metadata.items())
    return f"<!--\n{re.sub('-(?=-)', '- ', lines)}-->\n"


def _write_head(sheet: Sheet) -> str:
    comment = _write_comment({"title": sheet.title, **sheet.metadata})
    root = f"<{sheet.plural}{_write_attributes(sheet.envelope)}>"
    return f'<?xml version="1.0" encoding="utf-8"?>\n{comment}{root}\n'


def _line_writer(sheet: Sheet) -> Callable[[Row], str]:
    names, singular = [column.name for column in sheet.columns], sheet.singular
    return lambda row: f"  <{singular}{_write_attributes(dict(zip(names, row, strict=True)))}/>\n"


XML = TextFormat(
    head=_write_head,
    line=_line_writer,
    tail=lambda sheet: f"</{sheet.plural}>\n",
    # The root stays open, so that no parser accepts the file as complete.
    on_error=lambda words: f"<error message={_quote(words)}/>\n",
    has_whole_records=True,
)
