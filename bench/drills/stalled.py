"""Clients that stall: half-open connections, and readers that take nothing."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.drills.upstream import PAGE, asking
from bench.measure import load, request
from bench.servers import Server

_FORM = (
    b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: econweb_csrf=%s\r\nContent-Length: 60000\r\n"
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
# Only a proxy ends these (docs/choices.md); and forms hold at most eight threads.
LEFT_TO_THE_PROXY = {"half a form", "a reader that takes nothing"}
# L5: seconds that a connection may stay half open.
LONGEST_SILENCE = 30.0


@contextmanager
def half_open(server: Server, number: int) -> Iterator[list[tuple[str, socket.socket]]]:
    """Connections that begin something and do not go on."""
    kinds = [*HALF_REQUESTS]
    with ExitStack() as stack:
        clients = []
        for position in range(number):
            client = stack.enter_context(socket.socket())
            # The server keeps what the client does not take.
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
            # Requests that can be answered come first.
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
