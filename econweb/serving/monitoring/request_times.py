"""Requests by route and status, with the time until the head of the response.

A histogram of prometheus_client takes several times as long for each request. Its samples take far more bytes in the
file of a worker than these rows.
"""

import time
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from threading import Lock

from prometheus_client.core import HistogramMetricFamily
from prometheus_client.utils import floatToGoString

# Seconds. The first bounds tell responses from the cache from those of Django.
BOUNDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_LABELS = [*map(floatToGoString, BOUNDS), "+Inf"]
# Keys of the environ: when the request came in, before it waited for a slot, and the name of its route.
STARTED, ROUTE = "econweb.started", "econweb.route"
# Refused before Django looks for a route.
NO_ROUTE = "none"
# By route and status: requests in each bucket, and the sum of their seconds.
Rows = dict[str, list[float]]


class RequestTimes:
    """The counts of this process; the program chooses routes and statuses, so they are few."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, int], list[float]] = {}
        self._lock = Lock()

    def add(self, route: str, status: int, started: float) -> None:
        """Count a request that came in at this time of `perf_counter`."""
        seconds = time.perf_counter() - started
        row = self._rows.get((route, status))
        with self._lock:
            if row is None:
                row = self._rows.setdefault((route, status), [0] * (len(BOUNDS) + 1) + [0.0])
            row[bisect_left(BOUNDS, seconds)] += 1
            row[-1] += seconds

    def rows(self) -> Rows:
        with self._lock:
            return {f"{route} {status}": [*row] for (route, status), row in self._rows.items()}


TIMES = RequestTimes()


def sum_rows(parts: Iterable[Mapping[str, list[float]]]) -> Rows:
    totals: Rows = {}
    for part in parts:
        for name, row in part.items():
            totals[name] = (
                [one + other for one, other in zip(totals[name], row, strict=True)] if name in totals else row
            )
    return totals


def build_histogram(rows: Rows) -> HistogramMetricFamily:
    words = "Seconds from a request to the head of its response, with the wait for a slot."
    family = HistogramMetricFamily("econweb_http_request_duration_seconds", words, labels=["route", "status"])
    for name, row in sorted(rows.items()):
        route, _, status = name.rpartition(" ")
        counts, total = row[:-1], 0.0
        buckets: list[tuple[str, float]] = []
        for label, count in zip(_LABELS, counts, strict=True):
            total += count
            buckets.append((label, total))
        family.add_metric([route, status], buckets=buckets, sum_value=row[-1])
    return family
