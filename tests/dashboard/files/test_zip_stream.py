"""A zip file that is made while it is sent: bounded memory, fixed dates, equal bytes."""

import io
import tracemalloc
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

from econweb.dashboard.files.zip_stream import stream_zip

MOMENT = datetime(2026, 3, 1, 12, 30, 15, tzinfo=UTC)


def test_zip_has_each_file_with_its_date_and_mode() -> None:
    content = b"".join(stream_zip([("a.txt", [b"one ", b"two"]), ("code/b", [])], MOMENT))

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        first, last = archive.infolist()
        assert archive.read(first) == b"one two"
        assert (last.filename, archive.read(last)) == ("code/b", b"")
        # The format has even seconds.
        assert first.date_time == last.date_time == (2026, 3, 1, 12, 30, 14)
        assert first.external_attr >> 16 == 0o644


def test_zip_of_equal_content_has_equal_bytes() -> None:
    elsewhere = MOMENT.astimezone(timezone(timedelta(hours=9)))
    pieces = [
        b"".join(stream_zip([("a.txt", parts)], moment)) for parts, moment in (([b"ab"], MOMENT), ([b"ab"], elsewhere))
    ]

    assert pieces[0] == pieces[1]


@pytest.mark.parametrize("year", [1, 1979, 2108, 9999])
def test_zip_takes_any_date(year: int) -> None:
    content = b"".join(stream_zip([("a.txt", [b"a"])], MOMENT.replace(year=year)))

    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None


def test_zip_is_sent_before_it_is_whole() -> None:
    def parts() -> Iterator[bytes]:
        for number in range(200):
            yield bytes((number * position * 2654435761 >> 7) & 0xFF for position in range(1000)) * 50

    tracemalloc.start()
    sizes = [len(piece) for piece in stream_zip([("large", parts())], MOMENT)]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert sum(size > 0 for size in sizes) > 5
    assert most < 2_000_000
