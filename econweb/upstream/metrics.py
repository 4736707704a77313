"""Metrics of the requests to the service; serving/monitoring/worker_counts.py adds up those of all workers."""

import re

from prometheus_client import Counter, Gauge, Histogram

_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
REQUESTS = Counter("econweb_upstream_requests", "Requests to the service.", ["endpoint", "outcome"])
DURATION = Histogram(
    "econweb_upstream_request_duration_seconds",
    "Seconds that the service took.",
    ["endpoint"],
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
CACHE_RESULTS = Counter(
    "econweb_answers", "Answers for pages: fresh, fetched, stale or failed, which includes not found.", ["source"]
)
for kind in ("fresh", "fetched", "stale", "failed"):
    # An alert has to see the first one as an increase.
    CACHE_RESULTS.labels(kind)
COALESCED = Counter("econweb_upstream_coalesced", "Callers that shared the request of another caller.")
WAITING = Gauge("econweb_upstream_waiting", "Callers that wait for a request to the service.")
BREAKER = Gauge("econweb_upstream_breaker", "1 for the current state of the circuit breaker.", ["state"])
ALLOWANCE_LEFT = Gauge(
    "econweb_upstream_allowance_left", "Requests that the rate limit allows at once; +Inf without a limit."
)


def count_cache_result(source: str) -> None:
    CACHE_RESULTS.labels(source).inc()


def count_request(endpoint: str, outcome: object, seconds: float) -> None:
    name = "ok" if isinstance(outcome, bytes) else _CAPITAL.sub("_", type(outcome).__name__).lower()
    REQUESTS.labels(endpoint, name).inc()
    DURATION.labels(endpoint).observe(seconds)
