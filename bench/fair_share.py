"""Waits of 49 readers, each of whom asks once in a minute, without and with another one who wants 500 sources.

The limit is 120 requests a minute.

python -m bench.fair_share
"""

import os
import random
import statistics
import threading
import time
from dataclasses import dataclass

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

import requests  # noqa: E402  these read the settings
from django.core.cache import caches  # noqa: E402

from econweb.upstream.cache.store import Store  # noqa: E402
from econweb.upstream.client import EconClient  # noqa: E402
from econweb.upstream.clock import Deadline  # noqa: E402
from econweb.upstream.errors import Busy  # noqa: E402
from econweb.upstream.limits.circuit_breaker import CircuitBreaker  # noqa: E402
from econweb.upstream.limits.key_status import KeyStatus  # noqa: E402
from econweb.upstream.limits.rate_limit import RateLimit  # noqa: E402
from econweb.upstream.visitor_limits import visitor  # noqa: E402

READERS, SECONDS, WANTED, AT_ONCE = 49, 70.0, 500, 6


@dataclass(frozen=True)
class QuickClient(EconClient):
    """A client whose service answers at once, so that all waiting is for a turn."""

    def _send(self, endpoint: str, parameters: dict[str, str], deadline: Deadline) -> bytes:
        return b"{}"


def build_client() -> QuickClient:
    caches["default"].clear()
    store = Store(caches["default"], 1_000_000)
    return QuickClient(
        "http://127.0.0.1",
        "econ",
        "k" * 32,
        "json",
        10.0,
        requests.Session(),
        CircuitBreaker(store, 10.0),
        KeyStatus(store, "k"),
        RateLimit(store, 120),
    )


def measure(is_greedy: bool) -> tuple[list[float], int]:
    """Return the wait of each reader, and how many sources the greedy one got."""
    client, waits, got = build_client(), list[float](), list[int]()
    moments = random.Random(1)  # noqa: S311  the same moments in both runs
    end = time.monotonic() + SECONDS

    def read(name: str, moment: float) -> None:
        visitor.set(name)
        time.sleep(moment)
        started = time.monotonic()
        while True:
            try:
                client.get("series", {}, Deadline(10.0))
                break
            except Busy as error:
                time.sleep(error.retry_after)
        waits.append(time.monotonic() - started)

    def read_greedily() -> None:
        visitor.set("greedy")
        while time.monotonic() < end and len(got) < WANTED:
            try:
                client.get("series", {}, Deadline(10.0))
                got.append(1)
            except Busy as error:
                time.sleep(min(error.retry_after, 0.2))

    threads = [
        threading.Thread(target=read, args=(f"reader {n}", moments.uniform(5, SECONDS - 5))) for n in range(READERS)
    ]
    threads += [threading.Thread(target=read_greedily) for _ in range(AT_ONCE if is_greedy else 0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(waits), len(got)


def main() -> None:
    (alone, _), (beside, got) = measure(is_greedy=False), measure(is_greedy=True)
    for title, waits in (("without", alone), ("with", beside)):
        print(f"{title:8} median {statistics.median(waits):.2f} s, longest {waits[-1]:.2f} s")
    print(
        f"longest difference {max(b - a for a, b in zip(alone, beside, strict=True)):.2f} s; the greedy one got {got}"
    )


if __name__ == "__main__":
    main()
