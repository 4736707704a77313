"""Each format read back by a program that did not write it."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from lxml import etree
from markdown_it import MarkdownIt
from openpyxl import load_workbook
from openpyxl.utils.escape import unescape

from econweb.dashboard.files.sheet import Value
from econweb.formula_escape import unescape_formula
from tests.latex import text_set_by

Record = dict[str, Any]
Reader = Callable[[bytes], list[Record]]
NUMBERS = ("popularity", "series_count")


def read_csv(body: bytes) -> list[Record]:
    lines = list(csv.reader(io.StringIO(body.decode(), newline="")))
    header, *rows = [line for line in lines if not line[0].startswith("#")]
    return [_record(header, [unescape_formula(cell) for cell in row]) for row in rows]


def read_xlsx(body: bytes) -> list[Record]:
    book = load_workbook(io.BytesIO(body), read_only=True)
    header, *rows = book.worksheets[0].iter_rows()
    assert {cell.data_type for row in rows for cell in row} <= {"s", "n", "inlineStr"}
    names = [str(cell.value) for cell in header]
    values = [[unescape(c.value) if isinstance(c.value, str) else c.value for c in row] for row in rows]
    return [dict(zip(names, row[: len(names)], strict=True)) for row in values]


def read_about(body: bytes) -> str:
    return str([[cell.value for cell in row] for row in load_workbook(io.BytesIO(body))["about"].iter_rows()])


def read_json(body: bytes) -> list[Record]:
    """Return the records: the only list beside the metadata, under any name."""
    (records,) = (value for value in msgspec.json.decode(body).values() if isinstance(value, list))
    return list(records)


def read_xml(body: bytes) -> list[Record]:
    return [_record([*map(str, one.keys())], [*map(str, one.values())]) for one in etree.fromstring(body)]


def read_md(body: bytes) -> list[Record]:
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(body.decode())
    cells = [tokens[i + 1] for i, token in enumerate(tokens) if token.type in {"th_open", "td_open"}]
    words = ["".join(_plain(child) for child in cell.children or ()) for cell in cells]
    return _in_records(words, sum(token.type == "th_open" for token in tokens))


def read_tex(body: bytes) -> list[Record]:
    table = body.decode().split("\\endfoot\n")[1].split("\\end{longtable}")[0]
    header = body.decode().split("\\toprule\n")[1].split("\\midrule")[0]
    lines = [re.split(r"(?<!\\) & ", line.removesuffix(" \\\\")) for line in (header + table).splitlines()]
    headings, *rows = [[text_set_by(cell) for cell in line] for line in lines]
    # Headings for people: "Group id" is that of the column group_id, and "Series" that of id.
    names = ["id" if heading == "Series" else heading.lower().replace(" ", "_") for heading in headings]
    return [_record(names, row) for row in rows]


def _plain(token: Any) -> str:
    return "\n" if token.type == "html_inline" and token.content == "<br>" else str(token.content)


def _in_records(words: Sequence[str], width: int) -> list[Record]:
    header, *rows = [words[i : i + width] for i in range(0, len(words), width)]
    return [_record(header, row) for row in rows]


def _record(names: Sequence[str], words: Sequence[str]) -> Record:
    """Formats of text do not tell a number from its digits."""
    return {name: int(word) if name in NUMBERS and word else word for name, word in zip(names, words, strict=True)}


def as_read(cell: Value, suffix: str) -> Value:
    """Return the rows without what the format cannot hold: a missing text beside an empty one, kinds of line breaks."""
    if cell is None:
        return "" if suffix in {"csv", "md", "tex"} else None
    if not isinstance(cell, str):
        return cell
    if suffix in {"md", "xlsx"}:
        return re.sub(r"\r\n|\r", "\n", cell)
    return re.sub(r"[\r\n]+", "\n", cell).replace("\t", " ") if suffix == "tex" else cell


READERS: dict[str, Reader] = {
    "csv": read_csv,
    "xlsx": read_xlsx,
    "json": read_json,
    "xml": read_xml,
    "md": read_md,
    "tex": read_tex,
}
