"""Several requests at once: two people change one thing, or a person adds things in two windows."""

from datetime import datetime
from typing import TypeVar

from django.db import connection

from econweb import advisory_lock
from econweb.library.models import FrozenCopy, SavedView

# As long as a writer of SQLite waits (config/database_config.py).
MAX_CONTENT_WAIT = "5s"
Thing = TypeVar("Thing", FrozenCopy, SavedView)


class ChangedMeanwhile(Exception):
    """Somebody else changed a view or copy since the form was opened."""


def lock_seen(model: type[Thing], key: str, seen: datetime | None) -> Thing:
    """Return the locked row that a person saw as changed at `seen`, or raise ChangedMeanwhile."""
    thing = model.objects.select_for_update().get(pk=key)
    if thing.changed != seen:
        raise ChangedMeanwhile
    return thing


def take_turns(model: type[Thing], person: str) -> None:
    """Let the additions of one person follow each other, so that none of them counts too few.

    Each waits for the oldest row of the person. Those without a row are far from any bound.
    """
    model.objects.select_for_update().filter(person=person).order_by("created", "pk").first()


def take_turns_of_all() -> None:
    """Let additions of content follow each other until the transaction ends, so that none counts too few bytes."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [MAX_CONTENT_WAIT])
    advisory_lock.take_turns(advisory_lock.CONTENT)
