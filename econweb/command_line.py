"""The command `econweb` of an installed program; manage.py of a checkout calls the same."""

import errno
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from econweb.config.log_writer import is_journal, prioritize


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "econweb.settings")
    try:
        _run_command()
    except BrokenPipeError:
        # Such as `| head`, which has read enough.
        _write_no_more()
        sys.exit(1)
    except KeyboardInterrupt:
        # The exit code of an interrupted program.
        sys.exit(130)
    except SystemExit as end:
        if not isinstance(end.code, str) or sys.argv[1:2] != ["serve"]:
            raise
        # A collector that reads JSON gets the reason of a failed start as JSON too. The log may not be set up yet.
        line = _as_json(end.code) if os.environ.get("LOG_FORMAT") == "json" else end.code
        sys.exit(prioritize("error", line) if is_journal() else line)


def _write_no_more() -> None:
    """Close standard output: at its end Python would write the rest once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _as_json(event: str) -> str:
    now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    return json.dumps({"event": event, "logger": "econweb.serve", "level": "error", "timestamp": now})


def _run_command() -> None:
    try:
        _execute()
        sys.stdout.flush()
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            _write_no_more()
            sys.exit(f"{error.filename or 'Standard output or a file'} cannot be written: {error.strerror}.")
        first: BaseException = error
        # Without the library of a database Django tries another one, then raises an error of its own.
        while isinstance(first.__context__, ImportError):
            first = first.__context__
        library = ((isinstance(first, ImportError) and first.name) or "").partition(".")[0]
        if library in {"", "econweb"}:
            raise
        sys.exit(
            f"The library {library} is missing or damaged here. Delete .venv and run make again. "
            "In a shell, call .venv/bin/python manage.py."
        )


def _execute() -> None:
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    if sys.argv[1:] in (["--version"], ["version"]):
        from econweb.config.paths import read_version

        sys.stdout.write(f"econweb {read_version()}\n")
        return
    try:
        execute_from_command_line(sys.argv)
    except PermissionError as error:
        from econweb.config.file_access import describe_inaccessible

        if not error.filename:
            raise
        sys.exit(describe_inaccessible(Path(os.fsdecode(error.filename))))
    except DatabaseError as error:
        from econweb.startup.schema_version import describe_database_error

        sys.exit(describe_database_error(error))
