"""Sheets of tags with texts that are hard to write in one format or another."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from econweb.dashboard.files.sheet import Column, Row, Sheet
from econweb.upstream.errors import Unavailable

# The fields of the contract's `Tag`.
COLUMNS = (
    Column("name"),
    Column("group_id"),
    Column("notes", "long"),
    Column("created"),
    Column("popularity", "number"),
    Column("series_count", "number"),
)
HOSTILE = (
    "=1+1",
    '=HYPERLINK("http://evil.example","x")',
    "+1",
    "-1",
    "@SUM(A1)",
    "'=1",
    "''",
    "# not a fact",
    'say "a, b"; c',
    "<script>alert(1)</script>",
    "a & b &amp; c &#65;",
    "]]> --> -- ---",
    "two\nlines",
    "two\r\nlines",
    " blank at both ends ",
    "tab\tinside",
    r"back\slash \end{longtable} \\",
    "100 % of $5 #1 a_b {c} ~d ^e",
    " [x] after a blank",
    "\t*starred after a tab",
    "\n=1+1",
    "_x0041_ _x000D_",
    "a \\| b \\\\| c \\",
    "trailing # #",
    "1. one\n- two\n> three",
    "[x] *y* _z_ `code` | pipe ![a](b) http://a.example ~~s~~",
    "*[starred]",
    "naïve é ñ ü ß",
    "`quotes' ``double''",
    "007",
    "1e5",
    "2026-11-20",
    "",
)
WIDE = ("日本語", "emoji 🙂", "right \u202eto left", "zero\u200bwidth", "＝1+1")


def tag_rows(texts: Sequence[str], count: int) -> list[Row]:
    """Return `count` rows; the texts take turns in every text field."""
    return [
        (
            f"{texts[i % len(texts)]}{i}" if i % 2 else texts[i % len(texts)],
            texts[(i // 2) % len(texts)],
            None if i % 7 == 3 else texts[(i * 5) % len(texts)],
            "2012-02-27 10:18:19-06",
            i - 31,
            i * 2,
        )
        for i in range(count)
    ]


def tag_sheet(rows: Iterable[Row]) -> Sheet:
    return Sheet(
        name="category-125-tags-2026-11-20",
        title="Tags of category 125, Trade Balance",
        metadata={"source": "https://econweb.example/category/125/tags/", "filters": "=none -- at <all>"},
        columns=COLUMNS,
        rows=rows,
        fetched=(datetime(2026, 11, 20, 12, tzinfo=UTC),),
        plural="tags",
        singular="tag",
        envelope={"realtime_start": "2026-11-20", "realtime_end": "2026-11-20", "count": 188},
    )


def breaking(rows: Iterable[Row]) -> Iterator[Row]:
    yield from rows
    raise Unavailable("The data provider did not answer in time.")
