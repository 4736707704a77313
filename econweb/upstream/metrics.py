"""Metrics of the requests to the service; serving/worker_counts.py adds up those of all workers."""

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

# The times at which the workers created their counters have no meaningful sum.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library gives it no types

REQUESTS = Counter("econweb_upstream_requests", "Requests to the service.", ["endpoint", "outcome"])
SECONDS = Histogram(
    "econweb_upstream_seconds",
    "How long the service took.",
    ["endpoint"],
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
CACHE_RESULTS = Counter("econweb_upstream_kept", "Where an answer came from.", ["source"])
COALESCED = Counter("econweb_upstream_coalesced", "Callers that shared the request of another caller.")
WAITING = Gauge("econweb_upstream_waiting", "Callers that wait for a request to the service.")
BREAKER = Gauge("econweb_upstream_breaker", "1 for the current state of the circuit breaker.", ["state"])
ALLOWANCE_LEFT = Gauge("econweb_upstream_allowance_left", "Requests that the rate limit allows at once.")


def count_cache_result(source: str) -> None:
    CACHE_RESULTS.labels(source).inc()


def count_request(endpoint: str, outcome: object, seconds: float) -> None:
    name = "ok" if isinstance(outcome, bytes) else type(outcome).__name__
    REQUESTS.labels(endpoint, name).inc()
    SECONDS.labels(endpoint).observe(seconds)
