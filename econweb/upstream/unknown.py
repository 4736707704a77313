"""Fields that the contract does not know: passed over, and told once."""

from collections.abc import Collection

import structlog

from econweb.upstream.records import RECORDS
from econweb.upstream.redaction import redacted

_OF_AN_ERROR = {"code", "message"}
_KNOWN = _OF_AN_ERROR.union(*(record.__struct_fields__ for record in RECORDS))
# A service that makes names up must not fill the memory or the log.
_MOST_TOLD = 100
_told: set[str] = set()
log = structlog.get_logger("econweb.upstream")


def tell_once(names: Collection[str]) -> None:
    if _KNOWN.issuperset(names):
        return
    for name in names:
        if len(_told) >= _MOST_TOLD:
            return
        if name not in _KNOWN and name not in _told:
            _told.add(name)
            log.warning("a field that the contract does not know", name=redacted(name)[:50])
