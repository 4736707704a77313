"""The state of the site at the moment of a scrape; serving/monitoring/worker_counts.py adds up the workers."""

import math

from django.conf import settings
from django.db import DatabaseError, connection
from prometheus_client import Gauge

from econweb.catalogue.answers.snapshot import FormatMismatch, current_snapshot
from econweb.config.file_access import describe_folders
from econweb.dashboard.rendering.etags import build_id
from econweb.search_index.models import ReaderState
from econweb.search_index.reading.reader import may_read
from econweb.search_index.tags import tag_index
from econweb.upstream import metrics, service
from econweb.watching.status import waits_since
from econweb.watching.weekly_mails import count_waiting

BREAKER_STATES = ("closed", "half_open", "open")

BUILD = Gauge(
    "econweb_build_info", "The version, and a digest of the code and of settings that pages show.", ["version", "build"]
)
DATABASE = Gauge("econweb_database_up", "1 if the database can be read.")
DATA_DIR = Gauge(
    "econweb_data_dir_writable", "1 if DATA_DIR, and the folder of an SQLite file, can be written and have space."
)
CACHE = Gauge("econweb_cache_up", "0 while a cache that failed or was slow is skipped.", ["backend"])
KEY = Gauge("econweb_upstream_key_accepted", "0 while the service refuses the API key.")
CATALOGUE = Gauge("econweb_catalogue_loaded_timestamp_seconds", "Load of the embedded catalogue; 0: there is none.")
INDEX_OWNERS = Gauge(
    "econweb_index_owners", "Categories and releases: known, and read into the index of tags.", ["state"]
)
INDEX_OLDEST = Gauge(
    "econweb_index_oldest_timestamp_seconds", "Oldest reading in the index of tags; 0: none, or it is not read."
)
INDEX_FAILING = Gauge("econweb_index_failing", "1 while the service fails for the index of tags.")
WATCHED_DUE = Gauge(
    "econweb_watched_oldest_due_timestamp_seconds",
    "When the longest waiting look at a followed source was due; 0: none.",
)

MAILS_WAITING = Gauge("econweb_mails_waiting", "Weekly mails that are due, on all hosts together.")


def update_gauges() -> None:
    """Set every gauge that is not counted while the site runs."""
    BUILD.labels(settings.VERSION, build_id()).set(1)
    DATA_DIR.set(describe_folders() == "ok")
    _update_upstream()
    try:
        # An open connection may still use a file that was deleted.
        connection.close()
        _update_from_tables()
    except DatabaseError:
        DATABASE.set(0)
    else:
        DATABASE.set(1)


def _update_upstream() -> None:
    state = service.state()
    for name in BREAKER_STATES:
        metrics.BREAKER.labels(name).set(state["breaker"].replace(" ", "_") == name)
    left = state["allowance_left"]
    metrics.ALLOWANCE_LEFT.set(math.inf if left is None else left)
    KEY.set(state["key"] == "ok")
    CACHE.labels("redis" if settings.CACHE_URL else "memory").set(not service.upstream().store.is_backing_off())


def _update_from_tables() -> None:
    if not settings.ECON_BASE_URL:
        try:
            CATALOGUE.set(current_snapshot().loaded.timestamp())
        except FormatMismatch:
            CATALOGUE.set(0)
    if settings.ECON_MAY_STORE:
        found = tag_index.coverage()
        INDEX_OWNERS.labels("known").set(found.known)
        INDEX_OWNERS.labels("read").set(found.read)
        INDEX_OLDEST.set(found.oldest.timestamp() if found.oldest and may_read() else 0)
    oldest = waits_since()
    WATCHED_DUE.set(oldest.timestamp() if oldest else 0)
    MAILS_WAITING.set(count_waiting())
    # A query in each case, so that the gauge of the database is true.
    INDEX_FAILING.set(ReaderState.objects.filter(failing_since__isnull=False).exists() and may_read())
