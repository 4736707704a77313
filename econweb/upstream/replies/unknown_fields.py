"""Unknown fields in a reply: ignored, and logged once each."""

from collections.abc import Collection

import structlog

from econweb.redaction import redact
from econweb.upstream.records import RECORDS

_ERROR_FIELDS = {"code", "message"}
_KNOWN = _ERROR_FIELDS.union(*(record.__struct_fields__ for record in RECORDS))
# A service that invents field names must not fill the memory or the log.
_MAX_LOGGED, _MAX_LENGTH = 100, 50
_logged: set[str] = set()
log = structlog.get_logger("econweb.upstream")


def log_unknown_once(names: Collection[str]) -> None:
    if _KNOWN.issuperset(names):
        return
    for name in names:
        if len(_logged) >= _MAX_LOGGED:
            return
        shown = redact(name)[:_MAX_LENGTH]
        if name not in _KNOWN and shown not in _logged:
            _logged.add(shown)
            log.warning("a field that the contract does not know", name=shown)
