#!/usr/bin/env python
"""Run a command of econweb: serve, migrate, load_catalogue, api_key and Django's own."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "econweb.settings")
    try:
        from django.core.management import execute_from_command_line
        from django.db import DatabaseError, ProgrammingError
    except ImportError:
        sys.exit("econweb's libraries are not here. After `make run`, call it as .venv/bin/python manage.py.")
    try:
        execute_from_command_line(sys.argv)
    except DatabaseError as error:
        # What drivers say may go over several lines; the first one says what happened.
        words = str(error).strip().partition("\n")[0].rstrip(".")
        lacks = isinstance(error, ProgrammingError) or words.startswith("no such ")
        advice = (
            "Call `manage.py migrate`" if lacks else "Look at DATABASE_URL, and whether the database runs"
        )
        sys.exit(f"The database cannot be used: {words}. {advice}.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        # What the shell says of a program that was interrupted.
        sys.exit(130)
