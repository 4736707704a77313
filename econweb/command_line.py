"""The command `econweb` of an installed program; manage.py of a checkout calls the same."""

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "econweb.settings")
    try:
        _run_command()
    except KeyboardInterrupt:
        # The exit code of an interrupted program.
        sys.exit(130)
    except SystemExit as end:
        # A collector that reads JSON gets the reason of a failed start as JSON too. The log may not be set up yet.
        if not isinstance(end.code, str) or sys.argv[1:2] != ["serve"] or os.environ.get("LOG_FORMAT") != "json":
            raise
        now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        line = {"event": end.code, "logger": "econweb.serve", "level": "error", "timestamp": now}
        sys.exit(json.dumps(line))


def _run_command() -> None:
    try:
        from django.core.management import execute_from_command_line
        from django.db import DatabaseError
    except ImportError:
        sys.exit("econweb's libraries are not installed here. After `make run`, call it as .venv/bin/python manage.py.")
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
