"""Two hosts behind a proxy, with one PostgreSQL and one Redis: one portal, also when one of them dies."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

from bench.drills.disks import redis
from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.drills.postgresql import postgresql
from bench.drills.proxy import proxy
from bench.measure import load, request
from bench.servers import ROOT, Reply, Server, econweb
from bench.service import Service, service

SECRET = {"SECRET_KEY": "one secret for all hosts of the drill, fifty characters long"}
# Takes turns for some seconds, by a time of day that is moved. Under libfaketime the server itself stumbles.
_TAKE = """
import sys, time
from django.conf import settings
settings.configure()
from econweb.config import cache_config
from econweb.upstream import clock
from econweb.upstream.limits.rate_limit import RateLimit
from econweb.upstream.errors import Busy
from econweb.upstream.cache.redis_backend import SharedCache
from econweb.upstream.cache.store import Store
address, ahead, seconds = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
clock.now = lambda: time.time() + ahead
cache = cache_config.build_cache_config(address)
options = cache["OPTIONS"] | {"serializer": "econweb.upstream.cache.redis_backend.PlainBytes"}
allowance = RateLimit(Store(SharedCache(address, {"OPTIONS": options}), None), 60)
got, end = 0, time.monotonic() + seconds
while time.monotonic() < end:
    try:
        allowance.acquire(0.5)
        got += 1
    except Busy:
        time.sleep(0.03)
print(got)
"""

ACCOUNT = {
    "DJANGO_SUPERUSER_USERNAME": "drill",
    "DJANGO_SUPERUSER_PASSWORD": "a word of the drill",
    "DJANGO_SUPERUSER_EMAIL": "drill@example.org",
}


@contextmanager
def two_hosts(settings: Mapping[str, str]) -> Iterator[tuple[dict[str, str], list[Server]]]:
    """Start two hosts at once, with an empty database."""
    with ExitStack() as stack, ThreadPoolExecutor(2) as pool:
        shared = {"DATABASE_URL": stack.enter_context(postgresql()).url}
        shared |= {"CACHE_URL": stack.enter_context(redis())[0], **SECRET, **settings}
        yield shared, list(pool.map(stack.enter_context, [econweb(shared) for _ in range(2)]))


def read_copy() -> Outcome:
    """A host whose database is a copy that can only be read: it answers, also when the first one is gone."""
    asked = "/econ/release/tags?release_id=53&file_type=json&api_key="
    with ExitStack() as stack:
        first = ExitStack()
        primary = stack.enter_context(first).enter_context(postgresql()).url
        shared = {"DATABASE_URL": primary, **SECRET}
        writer = first.enter_context(econweb(shared))
        copy = stack.enter_context(postgresql(primary)).url
        reader = stack.enter_context(econweb({**shared, "DATABASE_URL": copy}))
        key = _manage(shared, "api_key", "create", "drill").split()[-1]
        behind = seconds_until(lambda: reader.get(asked + key).status == 200, 5)
        lost = [] if behind <= 5 else ["the key"]
        if writer.get(asked + key).body != reader.get(asked + key).body:
            lost.append("one catalogue")
        sign_in = reader.get("/admin/", {"Cookie": _session(shared, writer)})
        if (sign_in.status, reader.get("/readyz").status) != (200, 200):
            lost.append(f"the session ({sign_in.status})")
        with load(reader, [request("/category/125/tags/"), request(asked + key)], 4, 16) as seen:
            time.sleep(1)
            first.close()
        lost.append(not_in(seen, {"200"}))
        noted = f"{seen.requests} answered by the copy; a new key is there after {behind:.1f} s"
        said = ", ".join(filter(None, lost))
        return Outcome("a copy to read", "its first database is stopped", said, secrets_in(reader), noted=noted)


def one_portal() -> Outcome:
    """One catalogue and one key, one label book, one session, whichever host answers."""
    with two_hosts({}) as (shared, (first, second)):
        key = _manage(shared, "api_key", "create", "drill").split()[-1]
        asked = f"/econ/release/tags?release_id=53&api_key={key}&file_type=json"
        lost = []
        if first.get(asked).body != second.get(asked).body or first.get(asked).status != 200:
            lost.append("one catalogue")
        second.get("/category/125/tags/")
        book = first.folder / "labels.csv"
        book.write_text("kind,id,name,note\ncategory,125,A name of the drill,\n")
        _manage(shared, "labels", "import", str(book))
        if seconds_until(lambda: b"A name of the drill" in second.get("/category/125/tags/").body, 3) > 3:
            lost.append("the label")
        if second.get("/admin/", {"Cookie": _session(shared, first)}).status != 200:
            lost.append("the session")
        leaked = secrets_in(first) or secrets_in(second)
        return Outcome("two hosts", "catalogue, key, label, session", ", ".join(lost), leaked)


def one_allowance() -> Outcome:
    """Hosts behind a proxy send one request for a cold view and share one rate limit."""
    with service() as upstream:
        settings = {**upstream.settings(), "ECON_REQUESTS_PER_MINUTE": "60", "ECON_TIMEOUT": "2"}
        with two_hosts(settings) as (_, hosts), proxy(hosts) as front:
            upstream.mode = "slow"
            with load(front, [request("/category/900/tags/")] * 100, 20, 100, once=True) as seen:
                pass
            asked = sum(upstream.asked.values())
            lost = not_in(seen, {"200"}) + (f" asked {asked} times" if asked != 1 else "")
            over = _over_the_allowance(upstream, front)
            leaked = " ".join(filter(None, map(secrets_in, hosts)))
            return Outcome("one allowance", "100 readers, then 300 views, two hosts", lost + over, leaked)


def _over_the_allowance(upstream: Service, front: Server, seconds: float = 6.0) -> str:
    upstream.mode = "good"
    begun = time.monotonic()
    views = [request(f"/category/{source}0900/tags/") for source in range(1, 300)]
    with load(front, views, seconds, 16, once=True) as seen:
        pass
    asked = sum(moment >= begun for moment in upstream.moments)
    # A second's worth each second, and a burst of five at the beginning.
    most = 5 + (time.monotonic() - begun) + 1
    return not_in(seen, {"200", "503"}) + (f" {asked} asked where {most:.0f} may be" if asked > most else "")


def clocks_apart(seconds: int = 300, period: float = 10.0) -> Outcome:
    """A8: two processes with different clocks, like two hosts, share one rate limit in Redis."""
    with redis() as (address, _):
        begun = time.monotonic()
        hosts = [
            subprocess.Popen(
                [sys.executable, "-c", _TAKE, address, str(ahead), str(period)],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                text=True,
            )
            for ahead in (0, -seconds)
        ]
        got = [int(host.communicate(timeout=60)[0]) for host in hosts]
        # A burst of five, and the steady rate of 56 a minute.
        most = 5 + (time.monotonic() - begun) * 56 / 60 + 1
    lost = [f"{sum(got)} let through where {most:.0f} may be"] if sum(got) > most else []
    lost += ["requests of the allowance"] if sum(got) < 5 + 0.8 * period * 56 / 60 else []
    lost += ["one host got nothing"] if min(got) < 2 else []
    noted = f"{got[0]} and {got[1]} requests let through"
    return Outcome("clocks of two hosts", f"{seconds} s apart", ", ".join(lost), noted=noted)


def host_killed() -> Outcome:
    """The proxy uses the other host, so that no client gets an error."""
    with two_hosts({}) as (_, hosts), proxy(hosts) as front:
        front.get("/category/125/tags/")
        with load(front, [request("/category/125/tags/"), request("/series/GNPCA/")], 6, 32) as seen:
            time.sleep(2)
            for pid in hosts[0].pids:
                os.kill(pid, signal.SIGKILL)
        lost, noted = not_in(seen, {"200"}), f"{seen.requests} answered, worst {seen.worst:.2f} s"
        return Outcome("host killed", "32 readers at the proxy", lost, secrets_in(hosts[1]), noted=noted)


def _manage(shared: Mapping[str, str], *arguments: str, **more: str) -> str:
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *arguments],
        env={**os.environ, **shared, **more, "DATA_DIR": tempfile.gettempdir()},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def _session(shared: Mapping[str, str], host: Server) -> str:
    _manage(shared, "createsuperuser", "--noinput", **ACCOUNT)
    return sign_in(host)


def sign_in(host: Server) -> str:
    """Sign in to ACCOUNT as a browser does, and return the cookies."""
    form = host.get("/sign-in/?next=/admin/")
    token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', form.body)
    csrf = (token or [b"", b""])[1].decode()
    fields = f"next=/admin/&username=drill&password=a+word+of+the+drill&csrfmiddlewaretoken={csrf}"
    headers = {"Cookie": _cookie(form), "Content-Type": "application/x-www-form-urlencoded"}
    return _cookie(host.get("/sign-in/", headers, body=fields))


def _cookie(reply: Reply) -> str:
    return "; ".join(re.findall(r"[\w-]*econweb_(?:csrf|session)=\w+", reply.headers.get("set-cookie", "")))
