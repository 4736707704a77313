"""manage.py migrate: Django's own, after the file of an SQLite database was made."""

from typing import Any

from django.core.management.commands import migrate

from econweb.startup.prepare_database import make_sqlite_file


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        make_sqlite_file()
        super().handle(*args, **options)
