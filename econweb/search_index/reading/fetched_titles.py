"""Series that the service sent: a thread of each worker writes their titles, so that no page waits."""

import structlog
from django.conf import settings
from django.db import DatabaseError, InternalError

from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import record_of
from econweb.upstream import service

SECONDS_BETWEEN_WRITES = 3.0
log = structlog.get_logger("econweb.search_index")


def may_write() -> bool:
    """Return whether titles are written as they come; the embedded catalogue is in the index as a whole."""
    return bool(settings.ECON_MAY_STORE and settings.ECON_BASE_URL)


def write_fetched() -> float:
    """Write the titles of the series that were fetched since the last call; return the seconds until the next one."""
    records = [record_of(series) for series in service.take_fetched_series()]
    try:
        title_index.add(records, title_index.FETCHED)
    except InternalError:
        # A read-only PostgreSQL refuses the next writes as well: the thread waits longer, and knows a replica.
        raise
    except DatabaseError:
        # They come again with the next request for them.
        log.warning("titles of series could not be written", count=len(records))
    return SECONDS_BETWEEN_WRITES
