"""A file that takes the place of an earlier one when it is whole."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any


@contextmanager
def open_whole(path: Path, mode: str = "wb", **options: Any) -> Iterator[IO[Any]]:
    """Open a new file that takes the place of an earlier one when it is whole; its owner alone may read it."""
    if path.exists() and not path.is_file():
        # A device or a pipe has no place to take.
        with path.open(mode, **options) as opened:
            yield opened
        return
    path = path.resolve()
    with NamedTemporaryFile(mode, dir=path.parent, prefix=f"{path.name}.", delete=False, **options) as opened:
        try:
            yield opened
            opened.flush()
            os.fsync(opened.fileno())
            Path(opened.name).replace(path)
        except BaseException:
            Path(opened.name).unlink()
            raise
