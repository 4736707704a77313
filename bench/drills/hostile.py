"""Odd requests by the thousand: each gets a response, and none leaks anything."""

import socket
import time
from collections import Counter
from random import Random

from bench.drills.outcome import Outcome, seconds_until, secrets_in
from bench.drills.upstream import asking
from bench.measure import load, request
from bench.servers import Server

TAGS = "/category/900/tags/"
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
    "/static/../econweb/settings.py", "/static/%2e%2e/%2e%2e/manage.py", "//evil.example",
    "/admin/", "/sign-in/", "/sign-in/MQ/x/", "/me/", "/me/password/", "/me/names/", "/me/names/category/125/",
    "/me/changes/1/undo/", "/changes/", "/changes/record.csv",
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
        # The threads in the background begin two seconds after the start.
        time.sleep(3)
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
        answer = answer_to(server, each)
        status = answer[9:12]
        counted[int(status) if status.isdigit() else 0] += 1
        bodies.append(answer[:5000])
    return counted, b"".join(bodies)


def answer_to(server: Server, asked: bytes, source: str = "127.0.0.1") -> bytes:
    """Send the bytes on a connection of their own; a server that closes it without a word sends none."""
    with socket.create_connection(("127.0.0.1", server.port), 10, (source, 0)) as client:
        client.sendall(asked)
        return _all_of(client)


def _all_of(client: socket.socket) -> bytes:
    pieces = []
    try:
        while piece := client.recv(65536):
            pieces.append(piece)
    except OSError:
        return b"".join(pieces)
    return b"".join(pieces)
