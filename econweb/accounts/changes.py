"""The record of changes: who changed what, and when."""

import getpass
import json
import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from econweb.accounts.models import MAX_PERSON, MAX_REASON, MAX_TITLE, Change
from econweb.accounts.names import AT_COMMAND_LINE
from econweb.accounts.people import SEE_ACCOUNTS, Person

MAX_STATE_BYTES = 8 * 1024
# The kinds of changes of accounts, with mail addresses and roles, which administrators alone see.
KINDS_OF_ACCOUNTS = ("account", "role", "identity", "sessions")
# In the place of a title that others may not see.
PRIVATE = "(private)"
# In the place of a value that is too large to be stored.
TOO_LONG = "(too long to be recorded)"
# Values under names that have one of these words are never stored; `tokens` is a number of them.
_SECRETS = re.compile(r"(?:^|_)(?:password|secret|token|digest|api_key)(?:_|$)", re.IGNORECASE)

State = Mapping[str, Any]


def changes_for(person: Person) -> QuerySet[Change]:
    """Return those changes that a person with the right to see changes may see, the newest first."""
    found = Change.objects.all()
    return found if person.may(SEE_ACCOUNTS) else found.exclude(kind__in=KINDS_OF_ACCOUNTS)


def at_command_line() -> str:
    """Return how the record names a person that calls a command."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container may run under a number that has no name
        name = "somebody"
    return f"{name} {AT_COMMAND_LINE}"


class Edit(NamedTuple):
    """One thing before and after; None where it is not there."""

    kind: str
    key: str
    title: str
    before: State | None
    after: State | None


def record_changes(person: str, verb: str, edits: Iterable[Edit], reason: str = "") -> int:
    """Store those edits that changed something; the caller does so in the transaction of the edits themselves."""
    now = timezone.now()
    request_id = str(structlog.contextvars.get_contextvars().get("request_id", ""))
    Change.objects.filter(moment__lt=now - timedelta(days=settings.CHANGES_DAYS)).delete()
    stored = Change.objects.bulk_create(
        (
            Change(
                moment=now,
                person=person[:MAX_PERSON],
                request_id=request_id,
                verb=verb,
                kind=edit.kind,
                key=edit.key,
                title=edit.title[:MAX_TITLE],
                before_json=_bound(edit.before),
                after_json=_bound(edit.after),
                reason=reason[:MAX_REASON],
            )
            for edit in edits
            if edit.before != edit.after
        ),
        batch_size=500,
    )
    return len(stored)


def _bound(state: State | None) -> str | None:
    """Return the state as JSON without secrets; of one that is too large, what fits of its values."""
    if state is None:
        return None
    kept: dict[str, Any] = {}
    for name, value in state.items():
        kept[name] = "(not recorded)" if _SECRETS.search(name) else value
        if len(json.dumps(kept, ensure_ascii=False).encode()) > MAX_STATE_BYTES:
            kept[name] = TOO_LONG
    return json.dumps(kept, ensure_ascii=False)
