"""Measure a worker's memory (PSS) after 10,000 requests for 1,000 views of two sets, or as many as given."""

import random
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import islice, product

from bench import service
from bench.measure import load, request
from bench.pages import ORDERS
from bench.report import machine, print_machine
from bench.servers import SERVER_CORES, econweb

VIEWS, REQUESTS, ROUNDS = 1000, 10_000, 3


def views(sources: Sequence[int]) -> list[str]:
    """The first views of each source."""
    pages = product((25, 50), range(0, 250, 10), ORDERS, sources)
    return [f"/category/{n}/tags/?limit={rows}&offset={o}&{by}" for rows, o, by, n in islice(pages, VIEWS)]


def main() -> None:
    # A service of the bench has as many tags as the last four digits say.
    sources = [one * 10_000 + 1000 for one in range(int(sys.argv[1]))] if sys.argv[1:] else [1000, 6000]
    asked = [request(path) for path in random.Random(1).choices(views(sources), k=REQUESTS)]  # noqa: S311  no secret
    with ExitStack() as stack:
        upstream = stack.enter_context(service.service())
        server = stack.enter_context(econweb(upstream.settings(), cores=SERVER_CORES))
        print_machine(machine())
        print(f"| {len(sources)} sets, requests | PSS MB |\n|---|---:|\n| 0 | {server.memory_mb():.1f} |")
        for number in range(1, ROUNDS + 1):
            with load(server, asked, 120, once=True) as seen:
                pass
            if seen.statuses.keys() != {"200"}:
                print(f"The worker answered {dict(seen.statuses)}.", file=sys.stderr)
            print(f"| {number * REQUESTS:,} | {server.memory_mb():.1f} |")


if __name__ == "__main__":
    main()
