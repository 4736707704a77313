"""Measure pages: uncached, repeated, known to the browser; beside a bare view of the same bytes."""

import gzip
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from bench import service
from bench.bounds import Bound, report_bounds
from bench.measure import Figures, Subject, compare
from bench.report import machine, report
from bench.servers import GRANIAN, NONE, SERVER_CORES, Server, econweb, serving
from bench.tags import tags
from bench.visit import first_visit

PAGE = "/category/1000/tags/"
FILTERED = f"{PAGE}?tag_group_id=geo&order_by=name&sort_order=asc"
VIEWS = {
    "50 rows": PAGE,
    "50 rows, filtered": FILTERED,
    "100 rows": f"{PAGE}?limit=100",
    "1000 rows": f"{PAGE}?limit=1000",
}
HTMX = {"HX-Request": "true", "HX-Target": "results"}
CODINGS = {"gzip": {"Accept-Encoding": "gzip"}, "brotli": {"Accept-Encoding": "br"}}
ORDERS = [
    f"order_by={order_by}&sort_order={sort_order}"
    for order_by in ("series_count", "popularity", "created", "name", "group_id")
    for sort_order in ("asc", "desc")
]
NAMES = (1, 2, 20, 40)
# The site refuses a link whose names are longer.
MAX_NAMES_CHARACTERS = 500
SIZES = (10, 100, 1000, 6000)
USERS = (1, 8, 64, 256)


def cold(limit: int, number: int = 1000) -> list[str]:
    """Return uncached full pages of a cached set."""
    offsets = range(1, number - limit, 3)
    return [f"/category/{number}/tags/?limit={limit}&offset={o}&{by}" for o, by in product(offsets, ORDERS)]


def cold_filters() -> list[str]:
    """First pages of views of which nothing is there yet but the set."""
    return [
        f"{PAGE}?limit={limit}&tag_group_id={group}&{by}"
        for limit, group, by in product(range(30, 70), ("gen", "geo", "src", "rls"), ORDERS)
    ]


def cold_names(number: int) -> list[str]:
    """Return views of that many short names, each with other names than the view before."""
    names = sorted((row["name"] for row in tags(1000)), key=len)
    chosen = [";".join(names[start : start + number]) for start in range(0, 1000 - number, min(number, 4))]
    return [f"{PAGE}?{urlencode({'tag_names': those})}" for those in chosen if len(those) <= MAX_NAMES_CHARACTERS]


def cold_whole() -> list[str]:
    """There are only ten views of all 1000 rows, so some have a few rows less."""
    return [f"{PAGE}?limit={limit}&{by}" for limit, by in product(range(961, 1001), ORDERS)]


def of_econweb(server: Server) -> dict[str, Subject]:
    etag = server.get(PAGE).headers["etag"]
    return {
        **{f"page, {rows}, repeated": Subject(server, [path]) for rows, path in VIEWS.items()},
        **{f"fragment, {rows}, repeated": Subject(server, [path], HTMX) for rows, path in VIEWS.items()},
        "page, 50 rows, repeated, gzip": Subject(server, [PAGE], CODINGS["gzip"]),
        "page, 50 rows, known to the browser": Subject(server, [PAGE], {"If-None-Match": etag}),
        "page of a series, repeated": Subject(server, ["/series/GNPCA/"]),
        **{f"page, {rows}, never asked before": new(server, paths) for rows, paths in unseen().items()},
        **{f"fragment, {rows}, never asked before": new(server, paths, HTMX) for rows, paths in unseen().items()},
        **{name: new(server, paths, headers) for name, paths, headers in packed()},
        **{
            f"fragment, {number} names, of a view, never asked before": new(server, cold_names(number), HTMX)
            for number in NAMES
        },
    }


def packed() -> list[tuple[str, list[str], Mapping[str, str]]]:
    return [
        (f"{what}, {rows}, never asked before, {coding}", unseen()[rows], {**headers, **CODINGS[coding]})
        for what, headers in (("page", NONE), ("fragment", HTMX))
        for rows in ("50 rows", "30 to 69 rows, of a view")
        for coding in CODINGS
    ]


def new(server: Server, paths: list[str], headers: Mapping[str, str] = NONE) -> Subject:
    return Subject(server, paths, headers, once=True)


def unseen() -> dict[str, list[str]]:
    return {
        "50 rows": cold(50),
        "30 to 69 rows, of a view": cold_filters(),
        "100 rows": cold(100),
        "1000 rows": cold_whole(),
    }


def growth(server: Server) -> dict[str, Subject]:
    sizes = {
        f"fragment, 10 rows of {number} tags, never asked before": new(
            server, cold(10 if number > 10 else 5, number), HTMX
        )
        for number in SIZES
    }
    users = {
        f"page, repeated, {connections} users": Subject(server, [PAGE], connections=connections)
        for connections in USERS
    }
    return sizes | users


def bare(stack: ExitStack, bodies: Mapping[str, bytes]) -> dict[str, Subject]:
    """The floor, with the bytes of a few pages of the program."""
    folder = Path(stack.enter_context(TemporaryDirectory()))
    for name, body in bodies.items():
        (folder / name).write_bytes(body)
    command = [sys.executable, *GRANIAN, "bench.bare:application"]
    server = stack.enter_context(serving(command, {"BODIES": str(folder)}, cores=SERVER_CORES))
    return {f"bare view, {name} bytes": Subject(server, [f"/body/{name}"]) for name in bodies}


def main() -> None:
    before, rounds = machine(), int(sys.argv[1]) if sys.argv[1:] else 5
    with ExitStack() as stack:
        upstream = stack.enter_context(service.service())
        server = stack.enter_context(econweb(upstream.settings(), cores=SERVER_CORES))
        for number in SIZES:
            server.get(f"/category/{number}/tags/?limit=1000")
        page, whole = server.get(PAGE).body, server.get(f"{PAGE}?limit=1000").body
        floor = bare(stack, {"page": page, "page-of-1000": whole, "gzipped": gzip.compress(page)})
        figures = compare(floor | of_econweb(server) | growth(server), rounds)
        visit = first_visit(server, PAGE)
        report("pages", figures, before, visit=visit, memory_mb=server.memory_mb())
    report_bounds("pages", before, bounds(figures, visit))


def bounds(figures: Mapping[str, Figures], visit: Mapping[str, int]) -> list[Bound]:
    cpu = {name: row.cpu_us for name, row in figures.items()}
    again = cpu["page, 50 rows, repeated"] / cpu["bare view, page bytes"]
    large, small = (cpu[f"fragment, 10 rows of {number} tags, never asked before"] for number in (6000, 100))
    crowd = figures["page, repeated, 256 users"]
    known, page = cpu["page, 50 rows, known to the browser"], cpu["page, 50 rows, never asked before"]
    return [
        Bound("a repeated page, against a bare view of the same bytes", again, 1.5, "times"),
        Bound("a page that the browser knows (304), processor time", known, 150, "µs"),
        Bound("a page of 50 rows that nobody has opened, processor time", page, 1300, "µs"),
        Bound("a fragment of 50 rows that nobody has opened", cpu["fragment, 50 rows, never asked before"], 1250, "µs"),
        Bound("10 rows of 6,000 tags, against 10 rows of 100 tags", large / small, 1.5, "times"),
        Bound("99th percentile with 256 users, against the median", crowd.p99_ms / crowd.p50_ms, 10, "times"),
        Bound("a page of 50 rows, HTML", figures["page, 50 rows, repeated"].size, 30_000, "bytes"),
        Bound("first visit with style sheets and scripts, requests", visit["requests"], 4, ""),
        Bound("first visit with style sheets and scripts, bytes sent", visit["sent"], 40_960, "bytes"),
    ]


if __name__ == "__main__":
    main()
