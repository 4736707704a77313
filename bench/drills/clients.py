"""Readers that are slow, hostile, or too many."""

import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from random import Random

from bench.client import Load
from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.drills.upstream import PAGE, asking
from bench.measure import load, request
from bench.pages import cold
from bench.servers import Server
from econweb.serving.admission import MAX_CONCURRENT, MAX_QUEUED

TAGS = "/category/900/tags/"
_FORM = (
    b"POST /admin/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: econweb_csrf=%s\r\nContent-Length: 60000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nusername=" % (b"a" * 32)
)
_LARGE = request("/category/6000/tags/?limit=1000").encode()
HALF_REQUESTS = {
    "nothing": b"",
    "half a line": b"GET /",
    "half a header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    "a form that is refused": b"POST /go HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\nq=",
    "half a form": _FORM,
    "a reader that takes nothing": _LARGE * 40,
}
# What only a proxy ends (docs/choices.md); and forms hold at most eight threads.
LEFT_TO_THE_PROXY = {"half a form", "a reader that takes nothing"}
# L5: seconds that a connection may stay half open.
LONGEST_SILENCE = 30.0
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


@contextmanager
def half_open(server: Server, number: int) -> Iterator[list[tuple[str, socket.socket]]]:
    """Connections that begin something and do not go on."""
    kinds = [*HALF_REQUESTS]
    with ExitStack() as stack:
        clients = []
        for position in range(number):
            client = stack.enter_context(socket.socket())
            # So that what it does not take stays with the server.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", server.port))
            kind = kinds[position % len(kinds)]
            client.sendall(HALF_REQUESTS[kind])
            clients.append((kind, client))
        yield clients


def opened_by(clients: list[tuple[str, socket.socket]]) -> set[str]:
    """The kinds of which the server has not closed every connection (proc_net(5): its end is established)."""
    ports = {f"{client.getsockname()[1]:04X}": kind for kind, client in clients}
    rows = (row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return {ports[row[2][-4:]] for row in rows if row[3] == "01" and row[2][-4:] in ports}


def slow(number: int = 500, seconds: float = 5.0) -> Outcome:
    """L5: half-open connections, and readers that take nothing, do not keep others waiting."""
    with asking() as (_, server):
        server.get("/category/6000/tags/?limit=1000")
        with load(server, [PAGE], seconds, 16) as before:
            pass
        with half_open(server, number) as clients:
            # What can be answered is answered first.
            seconds_until(lambda: "a form that is refused" not in opened_by(clients))
            with load(server, [PAGE], seconds, 16) as seen:
                pass
        with load(server, [PAGE], seconds, 16) as after:
            pass
        usual = max(before.p99, after.p99)
        times = " / ".join(f"{each.p99 * 1e3:.1f}" for each in (before, seen, after))
        lost = not_in(seen, {"200"}) or ("p99 more than doubled" if seen.p99 > 2 * usual else "")
        tried = f"{number} half-open connections"
        noted = f"p99 {times} ms before, meanwhile, after"
        return Outcome("slow clients", tried, lost, secrets_in(server), noted=noted)


def silent(number: int = 100) -> Outcome:
    """L5: a connection that does not say a whole head is closed; without a proxy, half a form is not."""
    with asking() as (_, server):
        server.get("/category/6000/tags/?limit=1000")
        with half_open(server, number) as clients:
            closed = seconds_until(lambda: opened_by(clients) <= LEFT_TO_THE_PROXY, LONGEST_SILENCE)
            left = opened_by(clients)
        lost = ", ".join(left - LEFT_TO_THE_PROXY)
        noted = f"closed after {closed:.0f} s; left to the proxy: {', '.join(sorted(left)) or 'none'}"
        tried = f"{number} half-open connections"
        return Outcome("silent clients", tried, lost, secrets_in(server), noted=noted)


def hostile(number: int = 10_000) -> Outcome:
    """B8 to B20: every odd request gets a response of the program, and no secret."""
    random = Random(7)  # noqa: S311  the same requests each time
    requests = [_odd(random) for _ in range(number)]
    with asking() as (_, server):
        server.get(TAGS)
        # Each thread opens what it needs once, and each of the requests of its kind.
        with load(server, [request(f"/readyz?{number}") for number in range(2000)], 20, 64, once=True):
            pass
        _spoken(server, requests[:500])
        files = server.open_files()
        counted, bodies = _spoken(server, requests)
        alive = seconds_until(lambda: server.get(TAGS).status == 200)
        broken = {status: count for status, count in counted.items() if status >= 500 and status not in {502, 503}}
        lost = ", ".join(f"{count} answers of status {status}" for status, count in broken.items())
        leaked = secrets_in(server, bodies)
        if seconds_until(lambda: server.open_files() <= files, 5) > 5:
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
        tried = f"{users} users for {seconds:g} s"
        return Outcome("crowd", tried, lost, secrets_in(server), noted=_answered(seen))


def overload(seconds: float = 60.0) -> Outcome:
    """L8: twice as many users as a worker admits; the rest get 503 at once."""
    most = 0.1
    with asking() as (_, server):
        server.get("/category/1000/tags/?limit=1000")
        pages = [request(path) for path in cold(50)]
        with load(server, pages, seconds, 2 * (MAX_CONCURRENT + MAX_QUEUED), patient=True) as seen:
            pass
        recovery = seconds_until(lambda: server.get("/category/1000/tags/?limit=7", seconds=1).status == 200)
        lost = [not_in(seen, {"200", "503"})]
        if not seen.statuses.get("503"):
            lost.append("nobody was turned away")
        if seen.shed_in_silence:
            lost.append(f"{seen.shed_in_silence} were not told when to come back")
        if seen.shed_p99 > most:
            lost.append("turned away too late")
        noted = f"{_answered(seen)}; {seen.statuses.get('503', 0)} turned away, p99 {seen.shed_p99 * 1e3:.0f} ms"
        turned_away = f"{seen.statuses.get('503', 0)} turned away, p99 {seen.shed_p99 * 1e3:.0f} ms"
        tried = f"{2 * (MAX_CONCURRENT + MAX_QUEUED)} readers of pages never asked for, {seconds:g} s"
        said = ", ".join(filter(None, lost))
        noted = f"{_answered(seen)}; {turned_away}"
        return Outcome("overload", tried, said, secrets_in(server), recovery, noted, longest=5.0)


def _answered(seen: Load) -> str:
    return f"{seen.requests / seen.seconds:.0f}/s, p50 {seen.p50 * 1e3:.0f} ms, p99 {seen.p99 * 1e3:.0f} ms"


def views(number: int = 100_000) -> Outcome:
    """L4: views that are requested once do not fill the memory."""
    with asking() as (_, server):
        for source in range(1, 9):
            server.get(f"/category/{source}0900/tags/?limit=1000")
        paths = [
            f"/category/{source}0900/tags/?limit={limit}&offset={offset}"
            for offset, limit, source in product(range(800), range(10, 42, 2), range(1, 9))
        ]
        with load(server, [request(path) for path in paths[:2000]], 120, 16, once=True):
            pass
        before = server.memory_mb()
        with load(server, [request(path) for path in paths[2000:number]], 600, 16, once=True) as seen:
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
