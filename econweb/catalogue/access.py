"""Who may ask the embedded service (spec 5)."""

import hashlib
import re
import secrets
import string
import time
from datetime import datetime
from hmac import compare_digest
from threading import Thread
from typing import ClassVar

import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from econweb.catalogue.models import ApiKey
from econweb.catalogue.parameters import BadRequest, Values

log = structlog.get_logger("econweb.catalogue")
SECONDS_BETWEEN_WRITES = 60
ALPHABET = string.ascii_lowercase + string.digits


class _Memory:
    digests: frozenset[str] = frozenset()
    # A monotonic time; until then a key that is made or revoked elsewhere is not seen.
    good_until = 0.0
    used: ClassVar[dict[str, datetime]] = {}
    write_after = 0.0
    writer: Thread | None = None


def create_key(label: str) -> str:
    """The only moment at which the key can be seen."""
    key = "".join(secrets.choice(ALPHABET) for _ in range(32))
    ApiKey.objects.create(label=label, digest=_digest(key))
    return key


def require_key(values: Values) -> str:
    """The digest of the request's key."""
    key = values.needed("api_key")
    if not re.fullmatch(r"[0-9a-z]{32}", key):
        raise BadRequest(
            "The value for variable api_key is not a 32 character alpha-numeric lower-case string."
        )
    digest = _digest(key)
    if not any(compare_digest(digest, known) for known in _known()):
        raise BadRequest("The value for variable api_key is not registered.")
    _note_use(digest)
    return digest


def admits(digest: str) -> bool:
    """Whether an answer that was made for this key may be given once more."""
    if digest not in _known():
        return False
    _note_use(digest)
    return True


def _known() -> frozenset[str]:
    if time.monotonic() >= _Memory.good_until:
        stored = ApiKey.objects.values_list("digest", flat=True)
        _Memory.digests = frozenset([*stored, _digest(settings.CATALOGUE_OWN_KEY)])
        _Memory.good_until = time.monotonic() + settings.CATALOGUE_RECHECK_SECONDS
    return _Memory.digests


def _note_use(digest: str) -> None:
    """Written once a minute, beside the answers: a database that is busy holds up none of them."""
    _Memory.used[digest] = timezone.now()
    if time.monotonic() >= _Memory.write_after:
        _Memory.write_after = time.monotonic() + SECONDS_BETWEEN_WRITES
        _Memory.writer = Thread(target=_write_uses, daemon=True)
        _Memory.writer.start()


def _write_uses() -> None:
    used, _Memory.used = _Memory.used, {}
    try:
        # Another thread may still note a use in the old one.
        for digest, moment in list(used.items()):
            ApiKey.objects.filter(digest=digest).update(last_used=moment)
    except DatabaseError:
        # Nobody waits for it, and the next use is written all the same.
        log.warning("the last uses of keys could not be written")
    finally:
        connection.close()


def _digest(key: str) -> str:
    # A key has 165 bits of its own chance: a slow hash would add nothing.
    return hashlib.sha256(key.encode()).hexdigest()
