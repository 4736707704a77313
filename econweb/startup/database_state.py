"""The state of the database, and the migrations that a start would apply."""

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from econweb.catalogue.answers.snapshot import FormatMismatch, current_snapshot
from econweb.startup.schema_version import NewerSchema, check_not_newer

# The end of what is said where migrations wait.
WAITING = "to be applied"


def check_database() -> str:
    """Return `ok`, or what is wrong."""
    # An open connection may still use a file that was deleted.
    connection.close()
    try:
        waiting = waiting_migrations()
        if not waiting and not settings.ECON_BASE_URL:
            current_snapshot()
    except DatabaseError:
        return "cannot be read"
    except (NewerSchema, FormatMismatch) as problem:
        return str(problem)
    if len(waiting) == 1:
        return f"1 migration is {WAITING}"
    return f"{len(waiting)} migrations are {WAITING}" if waiting else "ok"


def waiting_migrations() -> list[str]:
    """Return the migrations that the next start applies; raise NewerSchema for a database of a newer version."""
    executor = MigrationExecutor(connection)
    check_not_newer(executor.loader)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]
