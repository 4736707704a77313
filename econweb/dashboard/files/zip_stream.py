"""A zip file that is sent while it is made, with fixed dates, so that equal content gives equal bytes."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

# The format has no others.
FIRST_YEAR, LAST_YEAR = 1980, 2107
# A file that everybody may read, made on a system where that means something.
MODE, UNIX = 0o644 << 16, 3


class _Pieces(io.RawIOBase):
    """A file that keeps what is written to it until it is taken away."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


def stream_zip(members: Iterable[tuple[str, Iterable[bytes]]], moment: datetime) -> Iterator[bytes]:
    """Yield a zip with these files, of which each is a name and its content in pieces; all have the same date."""
    pieces, utc = _Pieces(), moment.astimezone(UTC)
    date_time = (min(max(utc.year, FIRST_YEAR), LAST_YEAR), utc.month, utc.day, utc.hour, utc.minute, utc.second)
    with zipfile.ZipFile(pieces, "w") as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name, date_time)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, MODE, UNIX
            with archive.open(info, "w") as member:
                for part in content:
                    member.write(part)
                    yield pieces.take()
    yield pieces.take()
