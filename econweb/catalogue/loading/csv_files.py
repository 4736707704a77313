"""Read the files of a catalogue: UTF-8 CSV, plain or gzipped, in batches of checked rows."""

import codecs
import csv
import gzip
import hashlib
import io
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from econweb.catalogue.loading.csv_rows import BATCH_ROWS, Batch, read_full_rows, read_rows
from econweb.catalogue.loading.field_checks import Check
from econweb.catalogue.loading.problems import Problem, Problems, Unreadable, add_value, describe_header
from econweb.catalogue.loading.progress import Progress

BLOCK_BYTES = 1 << 20
# In bytes; notes have 131,072 characters at most.
MAX_LINE = BLOCK_BYTES
# A gzipped catalogue unpacks to about ten times its size; this many bytes are allowed at any ratio.
MAX_RATIO, MAX_BYTES_AT_ANY_RATIO = 200, 64 << 20
NOT_UTF_8_BUT_16 = "is not UTF-8 but UTF-16: save the file as UTF-8"
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class CsvFile:
    """`name.csv` in a folder, or `name.csv.gz`."""

    def __init__(self, folder: Path, name: str, progress: Progress) -> None:
        plain, packed = folder / f"{name}.csv", folder / f"{name}.csv.gz"
        self.name = name
        self.path = packed if packed.exists() and not plain.exists() else plain
        self._is_twice = packed.exists() and plain.exists()
        self._progress = progress
        self.size = 0
        # Known once the digest is computed.
        self.first_line = ""
        # A later reading with another digest means that the file was changed in between.
        self._digest = ""

    def digest(self) -> str:
        """Return the digest of the uncompressed content."""
        digest, line = hashlib.sha256(), 1
        with self._open() as stream:
            while block := self._read(stream, line):
                self.first_line = self.first_line or block.partition(b"\n")[0].decode(errors="replace").strip()
                digest.update(block)
                self.size += len(block)
                line += block.count(b"\n")
                self._check_ratio(line)
        self._digest = digest.hexdigest()
        return self._digest

    def checked(self, columns: Mapping[str, Check], problems: Problems) -> Iterator[Batch]:
        """Yield the batches without problems; none of a file whose digest failed, which is a problem already."""
        if not self._digest:
            return
        try:
            for batch in self.batches(columns):
                if _is_valid(self.path.name, batch, columns, problems):
                    yield batch
        except Unreadable as error:
            problems.add(Problem(self.path.name, error.line, "the line", str(error)))

    def batches(self, header: Iterable[str]) -> Iterator[Batch]:
        header = list(header)
        with self._open() as stream:
            reader = csv.reader(chain.from_iterable(self._texts(stream)), strict=True)
            if (found := read_rows(reader, 1)) != [header]:
                raise Unreadable(1, describe_header(found[0] if found else [], header))
            first_line = reader.line_num + 1
            while rows := read_full_rows(reader, BATCH_ROWS, len(header)):
                yield Batch(first_line, rows)
                first_line = reader.line_num + 1

    def _open(self) -> io.BufferedIOBase:
        if self._is_twice:
            raise Unreadable(0, f"is in the folder together with {self.path.name}.gz: delete one of them")
        try:
            return gzip.open(self.path) if self.path.suffix == ".gz" else self.path.open("rb")
        except OSError as error:
            advice = ": add it, if need be with its first line alone" if isinstance(error, FileNotFoundError) else ""
            raise Unreadable(0, f"cannot be opened ({error.strerror}){advice}") from None

    def _texts(self, stream: io.BufferedIOBase) -> Iterator[io.StringIO]:
        """Yield blocks of whole lines."""
        digest, line = hashlib.sha256(), 1
        while block := self._read(stream, line):
            digest.update(block)
            yield io.StringIO(_text(block, line).removeprefix("\ufeff" if line == 1 else ""))
            line += block.count(b"\n")
            self._progress.advance(len(block))
        if self._digest != digest.hexdigest():
            raise Unreadable(line, "was changed during the load")

    def _check_ratio(self, line: int) -> None:
        """Reject gzip bombs: zeros compress to a thousandth of their size."""
        if self.path.suffix == ".gz" and self.size > MAX_BYTES_AT_ANY_RATIO + MAX_RATIO * self.path.stat().st_size:
            raise Unreadable(line, f"unpacks to more than {MAX_RATIO} times its size: unpack it and load that")

    def _read(self, stream: io.BufferedIOBase, line: int) -> bytes:
        """Read a block that ends with a whole line."""
        block = b""
        try:
            while len(block) < BLOCK_BYTES and (piece := stream.read1(BLOCK_BYTES - len(block))):
                block += piece
            if not block.endswith(b"\n"):
                block += stream.readline(BLOCK_BYTES)
        except (OSError, EOFError, zlib.error) as error:
            raise Unreadable(line + block.count(b"\n"), f"cannot be read ({error})") from None
        if len(block) - block.rfind(b"\n", 0, -1) - 1 > MAX_LINE:
            raise Unreadable(line + block.count(b"\n", 0, -1), _too_long(block, line))
        return block


def _too_long(beginning: bytes, line: int) -> str:
    """Return the problem with an overlong line; a UTF-16 file may have no line end at all."""
    if line == 1 and _is_utf_16(beginning):
        return NOT_UTF_8_BUT_16
    return f"has a line longer than {MAX_LINE:,} bytes"


def _is_utf_16(beginning: bytes) -> bool:
    return beginning.startswith(UTF_16) or 0 in beginning[:2]


def _text(block: bytes, line: int) -> str:
    if line == 1 and _is_utf_16(block):
        raise Unreadable(line, NOT_UTF_8_BUT_16)
    if not block.endswith(b"\n"):
        raise Unreadable(
            line + block.count(b"\n"), "has no line end: the file is cut off, or needs a line break at its end"
        )
    try:
        return block.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(line + block.count(b"\n", 0, error.start), "is not UTF-8: save the file as UTF-8") from None


def _is_valid(file: str, batch: Batch, columns: Mapping[str, Check], problems: Problems) -> bool:
    """Check each distinct value once; return whether the batch has no problems."""
    is_valid = True
    for index, (name, check) in enumerate(columns.items()):
        values = batch.column(index)
        reasons = {value: reason for value in set(values) if (reason := check(value))}
        if reasons:
            is_valid = False
            for line, value in zip(batch.lines(), values, strict=True):
                if value in reasons:
                    problems.add(Problem(file, line, name, add_value(value, reasons[value])))
    return is_valid
