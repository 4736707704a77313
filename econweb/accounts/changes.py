"""The record of changes: who changed what, and when."""

import getpass
import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.utils import timezone

from econweb.accounts.models import MAX_PERSON, MAX_REASON, MAX_TITLE, Change

MAX_STATE_BYTES = 8 * 1024
# In the place of a title that others may not see.
PRIVATE = "(private)"
# In the place of a value that is too large to be stored.
TOO_LONG = "(too long to be recorded)"
# Values under these names are never stored.
_SECRETS = ("password", "secret", "token", "digest", "api_key")

State = Mapping[str, Any]


def at_command_line() -> str:
    """Return how the record names a person that calls a command."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container may run under a number that has no name
        name = "somebody"
    return f"{name} at the command line"


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
        kept[name] = "(not recorded)" if any(word in name.lower() for word in _SECRETS) else value
        if len(json.dumps(kept, ensure_ascii=False).encode()) > MAX_STATE_BYTES:
            kept[name] = TOO_LONG
    return json.dumps(kept, ensure_ascii=False)
