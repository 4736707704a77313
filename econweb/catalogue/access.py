"""API keys of the embedded service."""

import hashlib
import re
import secrets
import string
import time
from contextlib import suppress
from datetime import datetime
from hmac import compare_digest
from threading import Thread
from typing import ClassVar

import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from econweb.catalogue.models import ApiKey
from econweb.catalogue.parameters import BadRequest, QueryParameters

log = structlog.get_logger("econweb.catalogue")
SECONDS_BETWEEN_WRITES = 60
# Errors about keys say where to read on.
MORE = f"Read {settings.CATALOGUE_PATH}openapi.yaml for more information."
ALPHABET = string.ascii_lowercase + string.digits


class _Memory:
    digests: frozenset[str] = frozenset()
    # A monotonic time; until then a key created or revoked by another process is not seen.
    good_until = 0.0
    used: ClassVar[dict[str, datetime]] = {}
    write_after = 0.0


def create_key(label: str) -> str:
    """Create and return a key; only its digest is stored."""
    key = "".join(secrets.choice(ALPHABET) for _ in range(32))
    ApiKey.objects.create(label=label, digest=_digest(key))
    return key


def require_key(values: QueryParameters) -> str:
    """Return the digest of the request's key, or raise `BadRequest`."""
    key = values.get("api_key")
    if key is None:
        raise BadRequest(f"Variable api_key is not set.  {MORE}")
    if not re.fullmatch(r"[0-9a-z]{32}", key):
        raise BadRequest(
            f"The value for variable api_key is not a 32 character alpha-numeric lower-case string.  {MORE}"
        )
    digest = _digest(key)
    if not any(compare_digest(digest, known) for known in _known_digests()):
        raise BadRequest(f"The value for variable api_key is not registered.  {MORE}")
    _record_use(digest)
    return digest


def is_accepted(digest: str) -> bool:
    """Return whether the key is still known; a cached answer counts as a use of it."""
    if digest not in _known_digests():
        return False
    _record_use(digest)
    return True


def _known_digests() -> frozenset[str]:
    if time.monotonic() >= _Memory.good_until:
        stored = ApiKey.objects.values_list("digest", flat=True)
        _Memory.digests = frozenset([*stored, _digest(settings.CATALOGUE_OWN_KEY)])
        _Memory.good_until = time.monotonic() + settings.CATALOGUE_RECHECK_SECONDS
    return _Memory.digests


def _record_use(digest: str) -> None:
    """Note the use; a background thread writes the notes once a minute, so that no request waits."""
    _Memory.used[digest] = timezone.now()
    if time.monotonic() >= _Memory.write_after:
        _Memory.write_after = time.monotonic() + SECONDS_BETWEEN_WRITES
        # Where no thread can start, the notes stay, and a use in a minute tries again.
        with suppress(RuntimeError):
            Thread(target=_write_uses, daemon=True).start()


def _write_uses() -> None:
    used, _Memory.used = _Memory.used, {}
    try:
        # Another thread may still add to the old dict, hence the copy.
        for digest, moment in list(used.items()):
            ApiKey.objects.filter(digest=digest).update(last_used=moment)
    except DatabaseError:
        # No request depends on it, and the next use is written again.
        log.warning("the last uses of keys could not be written")
    finally:
        connection.close()


def _digest(key: str) -> str:
    # A key has 165 random bits, so a slow hash would add nothing.
    return hashlib.sha256(key.encode()).hexdigest()
