"""Readers that are slow, hostile, or too many."""

import socket
import time
from collections import Counter
from contextlib import ExitStack
from itertools import product
from random import Random

from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.drills.upstream import PAGE, asking
from bench.measure import load, request
from bench.pages import cold
from bench.servers import Server

TAGS = "/category/900/tags/"
HALF_REQUESTS = (
    b"",
    b"GET /",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    b"POST /go HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\nq=",
    PAGE.encode().replace(b"?", b"?limit=1000&"),
)
WORDS = (
    "", "-1", "0", "1001", "1e3", "5_0", "٣", "9" * 5000, "%ff", "%00", "%c0%af", "%ed%a0%80", "a" * 8000,
    "<script>alert(1)</script>", "' OR 1=1 --", "*", "NEAR(", "%25%25", "../../etc/passwd", "%0d%0aX-Evil: 1",
    ";" * 3000, "{{7*7}}", "http://evil.example/", "javascript:alert(1)", "\u202e".encode().decode("latin-1"),
)  # fmt: skip
NAMES = (
    "tag_names", "tag_group_id", "search_text", "order_by", "sort_order", "limit", "offset", "realtime_start",
    "realtime_end", "q", "api_key", "limit[]", "%00", "form", "notice",
)  # fmt: skip
PATHS = (
    "/", "/go", "/suggest", TAGS, "/release/900/tags/", "/series/GNPCA/", "/healthz", "/readyz", "/metrics",
    "/econ/series", "/econ/category/tags", "/category/-1/tags/", f"/category/{'9' * 400}/tags/", "/.env",
    "/static/../econweb/settings.py", "/static/%2e%2e/%2e%2e/manage.py", "/admin/", "//evil.example",
    "/release/1/tags/x.css", "/series/" + "A" * 6000, "/category/1e3/tags/", "/series/%2e%2e/", "/%ff%fe",
)  # fmt: skip
METHODS = ("GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW")
HEADERS = (
    "", "Host: evil.example", "HX-Request: true", "HX-Current-URL: //evil.example", "Range: bytes=0-1",
    "If-None-Match: " + '"x",' * 2000, "Accept-Encoding: gzip;q=x, *;q=9", "X-Forwarded-Host: evil.example",
    "X-Forwarded-Proto: gopher", "X-Request-ID: a b", "Cookie: sessionid=" + "x" * 3000, "Content-Length: 5",
    "Authorization: Basic %%%", "Accept: " + "text/html;q=0.1," * 300, "X-Original-URL: /admin/",
    "Content-Type: \\", "Expect: 100-continue",
)  # fmt: skip


def slow(number: int = 500, seconds: float = 6.0) -> Outcome:
    """L5: half-open connections, and readers that take nothing, do not keep others waiting."""
    with asking() as (_, server), ExitStack() as stack:
        server.get(TAGS)
        with load(server, [PAGE], seconds / 2, 16) as before:
            pass
        for position in range(number):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=5))
            client.sendall(HALF_REQUESTS[position % len(HALF_REQUESTS)])
        with load(server, [PAGE], seconds, 16) as seen:
            pass
        noted = f"p99 {before.p99 * 1e3:.1f} ms before, {seen.p99 * 1e3:.1f} ms meanwhile"
        # The machine may be busy with other things: a twentieth of a second is nothing.
        slower = seen.p99 > max(2 * before.p99, 0.05)
        lost = not_in(seen, {"200"}) or ("p99 more than doubled" if slower else "")
        return Outcome(
            "slow clients", f"{number} half-open connections", lost, secrets_in(server), noted=noted
        )


def hostile(number: int = 10_000) -> Outcome:
    """B8 to B20: whatever is asked, the answer is one of ours, and nothing is given away."""
    random = Random(7)  # noqa: S311  the same requests each time
    requests = [_odd(random) for _ in range(number)]
    with asking() as (_, server):
        server.get(TAGS)
        # Each thread opens what it needs once.
        _spoken(server, requests[:500])
        files = server.open_files()
        counted, bodies = _spoken(server, requests)
        alive = seconds_until(lambda: server.get(TAGS).status == 200)
        broken = {
            status: count for status, count in counted.items() if status >= 500 and status not in {502, 503}
        }
        lost = ", ".join(f"{count} answers of status {status}" for status, count in broken.items())
        leaked = secrets_in(server, bodies)
        if server.open_files() > files + 20:
            leaked += f" {server.open_files() - files} files"
        noted = " ".join(f"{status}: {count}" for status, count in sorted(counted.items()))
        return Outcome("hostile", f"{number} odd requests", lost, leaked, alive, noted)


def _odd(random: Random) -> bytes:
    pairs = [f"{random.choice(NAMES)}={random.choice(WORDS)}" for _ in range(random.randint(0, 4))]
    path = random.choice(PATHS) + ("?" + "&".join(pairs) if pairs else "")
    headers = "".join(f"{random.choice(HEADERS)}\r\n" for _ in range(random.randint(0, 3)))
    head = f"{random.choice(METHODS)} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{headers}"
    body = "hello" if "Content-Length" in headers else ""
    lines = head.replace("\r\n\r\n", "\r\n")
    return f"{lines}\r\n{body}".encode()


def _spoken(server: Server, requests: list[bytes]) -> tuple[Counter[int], bytes]:
    """A connection for each; status 0 is one that the server closed without a word, which is its right."""
    counted: Counter[int] = Counter()
    bodies = []
    for each in requests:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
            client.sendall(each)
            answer = _all_of(client)
        status = answer[9:12]
        counted[int(status) if status.isdigit() else 0] += 1
        bodies.append(answer[:5000])
    return counted, b"".join(bodies)


def _all_of(client: socket.socket) -> bytes:
    pieces = []
    try:
        while piece := client.recv(65536):
            pieces.append(piece)
    except OSError:
        return b"".join(pieces)
    return b"".join(pieces)


def crowd(users: int = 256, seconds: float = 60.0) -> Outcome:
    """L1: many readers of many views on two cores."""
    with asking(workers=2) as (_, server):
        server.get("/category/1000/tags/?limit=1000")
        views = [request(path) for path in cold(50)[:1000]]
        with load(server, [PAGE, *views], seconds, users) as seen:
            pass
        lost = not_in(seen, {"200"})
        ratio = seen.p99 / max(seen.p50, 1e-9)
        if ratio > 10:
            lost += f" p99 is {ratio:.1f} times p50"
        noted = (
            f"{seen.requests / seen.seconds:.0f}/s, p50 {seen.p50 * 1e3:.0f} ms, p99 {seen.p99 * 1e3:.0f} ms"
        )
        return Outcome("crowd", f"{users} users for {seconds:g} s", lost, secrets_in(server), noted=noted)


def overload(seconds: float = 20.0) -> Outcome:
    """L8: twice as many connections as a worker takes; afterwards all is as before."""
    with asking(limits="ulimit -n 512") as (_, server):
        server.get(TAGS)
        with load(server, [PAGE], seconds, 400) as seen:
            pass
        recovery = seconds_until(lambda: server.get(TAGS, seconds=1).status == 200)
        lost = not_in(seen, {"200", "503"})
        noted = f"{seen.requests / seen.seconds:.0f}/s, p50 {seen.p50 * 1e3:.0f} ms, worst {seen.worst:.1f} s"
        tried = f"400 users at a worker that takes 192, {seconds:g} s"
        return Outcome("overload", tried, lost, secrets_in(server), recovery, noted)


def views(number: int = 20_000) -> Outcome:
    """L4: views that nobody asks for twice do not fill the memory."""
    with asking() as (_, server):
        for source in range(1, 9):
            server.get(f"/category/{source}0900/tags/?limit=1000")
        paths = [
            f"/category/{source}0900/tags/?limit={limit}&offset={offset}"
            for offset, limit, source in product(range(800), (10, 20, 30, 40), range(1, 9))
        ]
        with load(server, [request(path) for path in paths[:2000]], 120, 16, once=True):
            pass
        before = server.memory_mb()
        with load(server, [request(path) for path in paths[2000:number]], 200, 16, once=True) as seen:
            pass
        after = server.memory_mb()
        lost = not_in(seen, {"200"})
        leaked = secrets_in(server) or (f"{after - before:.0f} MB" if after - before > 10 else "")
        noted = f"{before:.0f} MB after 2000 views, {after:.0f} MB after {number}"
        return Outcome("views", f"{number} different views", lost, leaked, noted=noted)


def soak(seconds: float = 120.0) -> Outcome:
    """L7: hours of steady reading leave neither memory nor files behind; here a part of one."""
    with asking(ECON_FRESH_SECONDS="5") as (_, server):
        requests = [PAGE, *(request(path) for path in cold(50)[:500])]
        with load(server, requests, seconds / 4, 8):
            pass
        memory, files = server.memory_mb(), server.open_files()
        with load(server, requests, seconds, 8) as seen:
            time.sleep(seconds)
            files_then = server.open_files() - 8
        grown = server.memory_mb() - memory
        leaked = secrets_in(server) or (f"{grown:.1f} MB" if grown > 2 + seconds / 600 else "")
        leaked += f" {files_then - files} files" if files_then > files + 4 else ""
        noted = f"{memory:.0f} MB, {grown:+.1f} MB"
        return Outcome("soak", f"8 readers for {seconds:g} s", not_in(seen, {"200"}), leaked, noted=noted)
