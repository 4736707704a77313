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

from tests.latex import text_set_by

Rows = list[tuple[Any, ...]]
Reader = Callable[[bytes], Rows]
NUMBERS = ("popularity", "series_count")


def read_csv(body: bytes) -> Rows:
    lines = list(csv.reader(io.StringIO(body.decode(), newline="")))
    header, *rows = [line for line in lines if not line[0].startswith("#")]
    return [_typed(header, [cell.removeprefix("'") for cell in row]) for row in rows]


def read_xlsx(body: bytes) -> Rows:
    book = load_workbook(io.BytesIO(body), read_only=True)
    header, *rows = book["tags"].iter_rows()
    assert {cell.data_type for row in rows for cell in row} <= {"s", "n", "inlineStr"}
    width = len(header)
    return [
        tuple(unescape(c.value) if isinstance(c.value, str) else c.value for c in row)[:width] for row in rows
    ]


def read_about(body: bytes) -> str:
    return str([[cell.value for cell in row] for row in load_workbook(io.BytesIO(body))["about"].iter_rows()])


def read_json(body: bytes) -> Rows:
    return [tuple(tag.values()) for tag in msgspec.json.decode(body)["tags"]]


def read_xml(body: bytes) -> Rows:
    names = ("name", "group_id", "notes", "created", "popularity", "series_count")
    return [_typed(names, [tag.get(name) for name in names]) for tag in etree.fromstring(body).iter("tag")]


def read_md(body: bytes) -> Rows:
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(body.decode())
    cells = [tokens[i + 1] for i, token in enumerate(tokens) if token.type in {"th_open", "td_open"}]
    words = ["".join(_plain(child) for child in cell.children or ()) for cell in cells]
    return _in_rows(words)


def read_tex(body: bytes) -> Rows:
    table = body.decode().split("\\endfoot\n")[1].removesuffix("\\end{longtable}\n")
    header = body.decode().split("\\toprule\n")[1].split("\\midrule")[0]
    cells = [
        text_set_by(cell)
        for line in (header + table).splitlines()
        for cell in re.split(r"(?<!\\) & ", line.removesuffix(" \\\\"))
    ]
    return _in_rows(cells)


def _plain(token: Any) -> str:
    return "\n" if token.type == "html_inline" and token.content == "<br>" else str(token.content)


def _in_rows(words: Sequence[str]) -> Rows:
    header, body = words[:6], words[6:]
    return [_typed(header, body[i : i + 6]) for i in range(0, len(body), 6)]


def _typed(names: Sequence[str], words: Sequence[str | None]) -> tuple[Any, ...]:
    return tuple(
        int(word) if name in NUMBERS and word else word for name, word in zip(names, words, strict=True)
    )


READERS: dict[str, Reader] = {
    "csv": read_csv,
    "xlsx": read_xlsx,
    "json": read_json,
    "xml": read_xml,
    "md": read_md,
    "tex": read_tex,
}
