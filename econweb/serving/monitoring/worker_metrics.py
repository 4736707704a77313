"""Metrics of the admission queue and of background threads, in a module that each process can import."""

import time
from collections.abc import Callable

from prometheus_client import Counter, Gauge

AT_WORK = Gauge("econweb_http_requests_in_progress", "Requests that hold a slot.")
WAITING = Gauge("econweb_http_requests_waiting", "Requests that wait for a slot.")
SLOTS = Gauge("econweb_http_slots", "Requests that may run at once.")
TURNED_AWAY = Counter("econweb_http_requests_turned_away", "Requests refused because the queue was full.")
THREAD_SUCCESS = Gauge(
    "econweb_thread_last_success_timestamp_seconds",
    "Last step of a background thread without an error; its start before the first one.",
    ["thread"],
)


def watch_queue(at_work: Callable[[], int], waiting: Callable[[], int], slots: int) -> None:
    """Let the gauges read the admission queue when they are shown, so that a request pays nothing."""
    AT_WORK.set_function(at_work)
    WAITING.set_function(waiting)
    SLOTS.set(slots)


def note_success(thread: str) -> None:
    THREAD_SUCCESS.labels(thread).set(time.time())
