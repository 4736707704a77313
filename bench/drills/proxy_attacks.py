"""Attacks of one client through the proxy of docs/nginx.conf: their effect on others, and on its logs."""

import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from threading import Event, Thread
from urllib.parse import quote

from bench.drills.outcome import Outcome, not_in, secrets_in
from bench.drills.proxy import VIEW, proxy
from bench.drills.upstream import PAGE, asking
from bench.measure import load, request
from bench.servers import Server, econweb

PLANTED = "abcdefghijklmnopqrstuvwxyz012345"
EMOJI = quote("😀" * 200)
LONG_HEADS = (
    f"/category/900/tags/?search_text={quote('я' * 200)}",
    f"/category/900/tags/?search_text={EMOJI}",
    f"/go?q=/series/GDP%3Fx={'x' * 5000}",
    f"/?api_key=1&x={'x' * 5000}",
    f"/series/GDP?x={'x' * 5000}",
)
# All of 127.0.0.0/8 is this machine.
ATTACKER = "127.0.0.2"


def long_heads(seconds: float = 10.0) -> Outcome:
    """A1: three requests a second whose response heads are as long as they get; the others see no 502."""
    with asking() as (upstream, first), econweb(upstream.settings()) as second:
        others = [PAGE, request("/series/GNPCA/")]
        with (
            proxy([first, second]) as front,
            repeated(front, 3) as seen_by_attacker,
            load(front, others, seconds, 4) as seen,
        ):
            pass
        counted = " ".join(f"{status}: {count}" for status, count in sorted(seen_by_attacker.items()))
        lost = not_in(seen, {"200"})
        if {0, 502} & seen_by_attacker.keys() or not seen_by_attacker:
            lost += f" the long requests: {counted}"
        tried = f"3 long requests a second for {seconds:g} s, 4 other readers, two hosts"
        leaked = secrets_in(first) or secrets_in(second)
        return Outcome("long heads", tried, lost, leaked, noted=f"the long requests: {counted}")


@contextmanager
def repeated(front: Server, per_second: int) -> Iterator[Counter[int]]:
    """Ask for the long heads in turn for as long as the block runs; the statuses are counted."""
    ended, statuses = Event(), Counter[int]()

    def run() -> None:
        for path in cycle(LONG_HEADS):
            if ended.wait(1 / per_second):
                return
            statuses[front.get(path, seconds=5).status] += 1

    thread = Thread(target=run)
    thread.start()
    try:
        yield statuses
    finally:
        ended.set()
        thread.join()


def trickle(number: int = 700, rounds: int = 4) -> Outcome:
    """A4: one client holds more forms open than nginx lets in at once; the others are answered."""
    with asking() as (_, host), proxy([host], per_client=True) as front, ExitStack() as stack:
        front.get(VIEW)
        clients = [stack.enter_context(_form(front, is_personal=number % 7 != 0)) for number in range(number)]
        statuses: Counter[int] = Counter()
        for _ in range(rounds):
            for client in clients:
                _send_one_byte(client)
            time.sleep(2)
            statuses.update(front.get(VIEW, seconds=5).status for _ in range(10))
        lost = "" if {*statuses} == {200} else f"other readers saw {dict(statuses)}"
        tried = f"{number} forms of one client, a byte each two seconds"
        noted = f"other readers: {dict(statuses)}"
        return Outcome("trickling forms", tried, lost, secrets_in(host), noted=noted)


def headers() -> Outcome:
    """A22, A32: what nginx itself answers is protected, and a client cannot speak as the proxy."""
    with asking(BEHIND_PROXY="true") as (_, host), proxy([host]) as front:
        said = {"X_Forwarded_Proto": "https", "X-Forwarded-Proto": "https"}
        # A file names its own address, with the scheme.
        is_believed = b"https://127.0.0.1" in front.get("/category/900/tags.json", said).body
        leaked = "the client's scheme counts" if is_believed else ""
        refused = {path: front.get(path, body=body) for path, body in (("/metrics", ""), ("/", "a=b"))}
        wanted = {"referrer-policy", "x-content-type-options", "content-security-policy", "x-request-id"}
        lost = [path for path, reply in refused.items() if not wanted <= reply.headers.keys()]
        lost += [path for path, reply in refused.items() if "charset=utf-8" not in reply.headers["content-type"]]
        if "/1." in refused["/"].headers["server"]:
            lost.append("the version of nginx")
        noted = ", ".join(f"{path}: {reply.status}" for path, reply in refused.items())
        return Outcome("headers of the proxy", "refusals", ", ".join(lost), leaked, noted=noted)


def _form(front: Server, is_personal: bool) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", front.port), 5, (ATTACKER, 0))
    path = "/me/names/" if is_personal else "/go"
    client.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n".encode())
    return client


def _send_one_byte(client: socket.socket) -> None:
    try:
        client.send(b"a")
    except OSError:
        # The proxy has closed it, as it should.
        return


def logs() -> Outcome:
    """A7: neither a key nor any other query nor an invitation is in the logs of nginx, whatever the answer was."""
    asked = f"/econ/series?series_id=PLANTED&api_key={PLANTED}"
    with asking() as (_, host), proxy([host], per_client=True) as front:
        front.get(f"/sign-in/MQ/{PLANTED}/")
        statuses = {front.get(asked).status, front.get(f"/go?q=https%3A%2F%2Fx.example%2F{asked}").status}
        statuses |= {front.get(asked, body="a=b").status, front.get(f"/metrics?api_key={PLANTED}").status}
        with load(front, [request(asked)], 1, 40) as many:
            pass
        host.stop()
        statuses.add(front.get(asked).status)
        log = front.log()
        found = [word for word in (PLANTED, "api_key", "series_id", "x.example") if word in log]
        lost = "" if "GET /econ/series" in log else "the access log is empty"
        statuses |= set(map(int, many.statuses))
        if missing := {302, 403, 405, 429, 502} - statuses:
            lost += f" no answer was {sorted(missing)}"
        noted = f"{log.count(chr(10))} lines; answers {sorted(statuses)}"
        return Outcome(
            "logs of the proxy", "a key in queries that fail, an invitation", lost, ", ".join(found), noted=noted
        )


def greedy(seconds: int = 12, connections: int = 30) -> Outcome:
    """A11: a client with many connections leaves the service's rate limit to one that asks once a second."""
    with asking(ECON_REQUESTS_PER_MINUTE="120", BEHIND_PROXY="true") as (_, server):
        views = [request(f"/series/A{number}/", {"X-Forwarded-For": "192.0.2.1"}) for number in range(90000)]
        statuses: Counter[int] = Counter()
        with load(server, views, seconds + 2, connections, once=True):
            time.sleep(2)
            for number in range(seconds):
                begun = time.monotonic()
                path = f"/series/B{number}/"
                statuses[server.get(path, {"X-Forwarded-For": "192.0.2.2"}).status] += 1
                time.sleep(max(0.0, begun + 1 - time.monotonic()))
        lost = "" if {*statuses} == {200} else f"the other client saw {dict(statuses)}"
        tried = f"{connections} connections of one client, 120 requests a minute"
        return Outcome("greedy client", tried, lost, secrets_in(server), noted=f"the other: {dict(statuses)}")
