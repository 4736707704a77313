"""JSON: the envelope and the records of the contract, with the metadata under `about`."""

from collections.abc import Callable

import msgspec

from econweb.dashboard.files.sheet import Row, Sheet
from econweb.dashboard.files.streaming import TextFormat

_encode = msgspec.json.encode


def _write_head(sheet: Sheet) -> str:
    around = _encode({**sheet.envelope, "about": {"title": sheet.title, **sheet.metadata}}).decode()
    return f'{around[:-1]},"{sheet.plural}":[\n'


def _line_writer(sheet: Sheet) -> Callable[[Row], str]:
    names, optional = [column.name for column in sheet.columns], sheet.optional

    def line(row: Row) -> str:
        record = dict(zip(names, row, strict=True))
        for name in optional:
            if record[name] is None:
                del record[name]
        return _encode(record).decode()

    return line


JSON = TextFormat(
    head=_write_head,
    line=_line_writer,
    between=",\n",
    tail=lambda _sheet: "\n]}\n",
    on_error=lambda words: f"\n{_encode(words).decode()}\n",
    has_whole_records=True,
)
