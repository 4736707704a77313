"""Whether the tables are those of this version of the program."""

from django.db.migrations.loader import MigrationLoader


class NewerSchema(Exception):
    """A later version has changed the tables, and what this one would write could spoil them."""

    def __init__(self, migrations: list[str]) -> None:
        words = "The database is of a newer version of econweb"
        super().__init__(f"{words} ({', '.join(migrations)}): start that one, or restore an older copy.")


def check_not_newer(loader: MigrationLoader) -> None:
    """Migrations that were applied and that nobody here knows are those of a later version."""
    unknown = [
        f"{app}.{name}"
        for app, name in sorted(loader.applied_migrations)
        if app in loader.migrated_apps and (app, name) not in loader.disk_migrations
    ]
    if unknown:
        raise NewerSchema(unknown)
