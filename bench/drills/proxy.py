"""The proxy of docs/nginx.conf in front of hosts: what it keeps, and whom it cuts off."""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.drills.stalled import LONGEST_SILENCE, half_open, opened_by
from bench.drills.upstream import PAGE, asking
from bench.measure import load, request
from bench.servers import ROOT, Server, serving

MOST_UNDER_WAY = 512
VIEW = "/category/900/tags/"
FRAGMENT = {"HX-Request": "true", "HX-Target": "results"}
# The file that includes the documented one: where this machine lets nginx write, and that it stays in the foreground.
MAIN = """{user}daemon off; pid {folder}/pid; worker_processes auto; error_log {folder}/log crit;
events {{ worker_connections 4096; }}
http {{
  include conf.d/*.conf;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
}}
"""


@contextmanager
def proxy(hosts: Sequence[Server], most: int = MOST_UNDER_WAY, per_client: bool = False) -> Iterator[Server]:
    """All clients of a drill have one address, so most drills go without the limits for each client."""
    with tempfile.TemporaryDirectory(prefix="econweb-bench-") as folder:
        draft = (ROOT / "docs" / "nginx.conf").read_text()
        rules = ("max_fails=20 fail_timeout=2s;", "max_fails=0;")
        changes = {
            f"server web:8000 {rule}": " ".join(f"server 127.0.0.1:{host.port} {rule}" for host in hosts)
            for rule in rules
        }
        changes |= {
            "/var/cache/nginx": folder,
            "listen 80;": "listen 127.0.0.1:the-port;",
            f"limit_conn readers {MOST_UNDER_WAY};": f"limit_conn readers {most};",
            "error_log /var/log/nginx/error.log": f"error_log {folder}/log",
            "access_log /var/log/nginx/access.log": f"access_log {folder}/log",
        }
        if not per_client:
            changes |= {"limit_conn clients 32;": "", "rate=20r/s": "rate=100000r/s"}
        for old, new in changes.items():
            if draft.count(old) != 1:
                raise SystemExit(f"docs/nginx.conf does not say once: {old}")
            draft = draft.replace(old, new)
        Path(folder, "draft").write_text(draft)
        Path(folder, "nginx.conf").write_text(MAIN.format(folder=folder, user="" if os.getuid() else "user root; "))
        Path(folder, "conf.d").mkdir()
        start = "sed s/the-port/{port}/ draft > conf.d/econweb.conf; exec nginx -p . -c nginx.conf"
        with serving(["sh", "-c", start], limits=f"cd {folder}") as server:
            # Its own logs lie there.
            yield replace(server, folder=Path(folder))


def kept_pages() -> Outcome:
    """A public page is kept and asked for by its ETag; nothing else is kept."""
    with asking() as (_, host), proxy([host]) as front:
        first = front.get(VIEW)
        again = [_kept(front, VIEW)]
        # It is asked for again after a second.
        end = time.monotonic() + 5
        while "REVALIDATED" not in again and time.monotonic() < end:
            again.append(_kept(front, VIEW))
        part = front.get(VIEW, FRAGMENT)
        personal = [_kept(front, path) for path in ("/sign-in/", "/me/", "/changes/", "/admin/") * 2]
        lost = []
        if not {"HIT", "REVALIDATED"} <= {*again}:
            lost.append(f"a page was {', '.join({*again})}")
        if b"<body" in part.body or b"<body" not in front.get(VIEW).body or part.status != 200:
            lost.append("page and fragment are mixed up")
        if front.get(VIEW).body != first.body or front.get(VIEW, {"Host": "localhost"}).status != 200:
            lost.append("the page has changed")
        leaked = "a personal page is kept" if any(personal) else secrets_in(host)
        for path in ("/metrics", "/readyz"):
            if (status := front.get(path).status) != 403:
                leaked = f"{path} is open to readers ({status})"
        noted = f"{', '.join(dict.fromkeys(again))}; personal pages {personal[-1] or 'passed on'}"
        return Outcome("kept by the proxy", "a page, a fragment, personal pages", ", ".join(lost), leaked, noted=noted)


def crowded(most: int = 8) -> Outcome:
    """Requests beyond the limit of concurrent ones get 503 with Retry-After."""
    with asking() as (upstream, host), proxy([host], most) as front:
        upstream.mode = "slow"
        with load(front, [request(VIEW)], 4, 32) as seen:
            pass
        lost = not_in(seen, {"200", "503"})
        if not seen.statuses.get("503") or not seen.statuses.get("200"):
            lost += f" nobody was turned away or nobody was let in: {dict(seen.statuses)}"
        if seen.shed_in_silence:
            lost += f" {seen.shed_in_silence} were not told when to come back"
        noted = f"{seen.statuses.get('503', 0)} turned away, p99 {seen.shed_p99 * 1000:.0f} ms"
        tried = f"32 readers where {most} may be under way, the service is slow"
        return Outcome("crowd at the proxy", tried, lost, secrets_in(host), noted=noted)


def _kept(front: Server, path: str) -> str:
    return front.get(path).headers.get("x-kept", "")


def cut_off(number: int = 100) -> Outcome:
    """L5: the proxy closes every connection that is half open or takes nothing."""
    with asking() as (_, host), proxy([host]) as front:
        host.get("/category/6000/tags/?limit=1000")
        with half_open(front, number) as clients:
            with load(front, [PAGE], 5, 16) as seen:
                pass
            closed = seconds_until(lambda: not opened_by(clients), LONGEST_SILENCE)
            lost = not_in(seen, {"200"})
            if left := opened_by(clients):
                lost += f" {', '.join(left)} still open"
        tried = f"{number} half-open connections and readers that take nothing, at the proxy"
        noted = f"all closed {closed + 5:.0f} s after they were opened"
        return Outcome("cut off by the proxy", tried, lost, secrets_in(host), noted=noted)
