"""A library as a file, as it was exported once, with other lines, and imported by the command."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from econweb.library.file_format import LineSum
from econweb.library.models import Body, FrozenCopy, SavedView

# Whole, withdrawn, expired and private copies, and saved views: the file never changes.
EXPORTED = Path(__file__).with_name("exported.jsonl")
Row = dict[str, object]


def export(folder: Path) -> bytes:
    path = folder / "library.jsonl"
    call_command("library", "export", str(path), stdout=io.StringIO())
    return path.read_bytes()


def import_(folder: Path, content: bytes) -> str:
    path, output = folder / "given.jsonl", io.StringIO()
    path.write_bytes(content)
    call_command("library", "import", str(path), stdout=output)
    return output.getvalue()


def rows() -> list[int]:
    return [model.objects.count() for model in (SavedView, Body, FrozenCopy)]


def changed(line: int, change: Callable[[Row], object]) -> bytes:
    """Return the file with another line, and with the sum of its lines."""
    lines = [json.loads(text) for text in EXPORTED.read_bytes().splitlines()]
    change(lines[line - 1])
    return whole([json.dumps(one).encode() for one in lines[:-1]])


def whole(lines: list[bytes]) -> bytes:
    sums = LineSum()
    text = b"".join(sums.add(line + b"\n") for line in lines)
    end = sums.end()
    return text + json.dumps({"type": "end", "lines": end.lines, "sha256": end.sha256}).encode() + b"\n"


def refusal(folder: Path, content: bytes) -> str:
    """Return the words of the refusal, after which nothing is there."""
    before = rows()
    with pytest.raises(CommandError) as refused:
        import_(folder, content)
    assert rows() == before
    return str(refused.value)
