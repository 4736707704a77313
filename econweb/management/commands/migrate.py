"""manage.py migrate: Django's own, after creating the file of an SQLite database."""

from typing import Any

from django.core.management.commands import migrate

from econweb.startup.prepare_database import create_sqlite_file


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        create_sqlite_file()
        super().handle(*args, **options)
