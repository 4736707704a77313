"""What a worker holds after 10,000 requests over 1,000 views, and after as many again; one process, PSS."""

import random
from contextlib import ExitStack
from itertools import islice, product

from bench import service
from bench.measure import load, request
from bench.pages import ORDERS
from bench.servers import SERVER_CORES, econweb

VIEWS, REQUESTS, ROUNDS = 1000, 10_000, 3


def views() -> list[str]:
    pages = product((1000, 6000), (25, 50), range(0, 250, 10), ORDERS)
    return [f"/category/{n}/tags/?limit={rows}&offset={o}&{by}" for n, rows, o, by in islice(pages, VIEWS)]


def main() -> None:
    asked = [request(path) for path in random.Random(1).choices(views(), k=REQUESTS)]  # noqa: S311  no secret
    with ExitStack() as stack:
        upstream = stack.enter_context(service.service())
        server = stack.enter_context(econweb(upstream.settings(), cores=SERVER_CORES))
        print(f"at the start {server.memory_mb():.1f} MB")
        for number in range(1, ROUNDS + 1):
            with load(server, asked, 120, once=True) as seen:
                pass
            print(f"after {number * REQUESTS:,} requests {server.memory_mb():.1f} MB, {dict(seen.statuses)}")


if __name__ == "__main__":
    main()
