"""The database is locked, gone or spoilt, the disk is full, the cache goes away in mid-flight."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bench.drills.outcome import LONGEST_RECOVERY, Outcome, not_in, seconds_until, secrets_in
from bench.drills.upstream import PAGE, asking
from bench.measure import load, request
from bench.servers import ROOT, Server, econweb, free_port

SERIES = request("/series/GNPCA/")
# A writer of SQLite waits for five seconds.
LONGEST_PAGE = 4.0
FILL = """
import django, time
django.setup()
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.conf import settings
from django.utils import timezone
from econweb.accounts.models import Session
from econweb.accounts.sessions import SessionStore
from econweb.library.models import SavedView
user, now, session = User.objects.create_user("ada", password="a word of the drill"), timezone.now(), SessionStore()
view = {"kind": "tags", "target": "/release/53/tags/", "person": "ada", "audience": "everyone"}
SavedView.objects.create(slug="drill", title="Drill", created=now, changed=now, **view)
session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session.create()
aged = session.encode({**dict(session.items()), "saved": int(time.time()) - 600})
Session.objects.update(session_data=aged)
print(session.session_key)
"""


def database_of(server: Server) -> Path:
    return server.folder / "data" / "econweb.sqlite3"


def locked(seconds: float = 6.0) -> Outcome:
    """P3: a long write does not delay readers, whose session and saved view are written beside the page."""
    settings = {"SIGN_IN": "password", "READ": "signed-in"}
    with econweb(settings) as server, sqlite3.connect(database_of(server), isolation_level=None) as writer:
        reader = {"Cookie": f"econweb_session={_fill(server, settings)}"}
        writer.execute("BEGIN EXCLUSIVE")
        pages = ["/series/GNPCA/", "/release/53/tags/", "/saved/drill/", "/me/saved/drill/", "/me/"]
        with load(server, [request(page, reader) for page in pages], seconds, 16) as seen:
            pass
        writer.execute("ROLLBACK")
        lost = [not_in(seen, {"200"})]
        if seen.worst > LONGEST_PAGE:
            lost.append(f"a page took {seen.worst:.1f} s")
        said, noted = ", ".join(filter(None, lost)), f"the slowest page took {seen.worst:.1f} s"
        tried = f"a writer for {seconds:g} s, 16 readers"
        return Outcome("database locked", tried, said, secrets_in(server), noted=noted)


def _fill(server: Server, settings: Mapping[str, str]) -> str:
    """Store a saved view, and return the key of a session that the next page extends."""
    plain = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    more = {"DATA_DIR": str(server.folder / "data"), "DJANGO_SETTINGS_MODULE": "econweb.settings", **settings}
    command = [sys.executable, "-c", FILL]
    ran = subprocess.run(command, cwd=ROOT, env={**plain, **more}, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def spoilt(content: bytes) -> Outcome:
    """P4: the file holds something else for a while; what needs it says so, what is kept can be read."""
    with econweb() as server:
        server.get("/series/GNPCA/")
        database, copy = database_of(server), server.folder / "copy"
        shutil.copy(database, copy)
        with load(server, [SERIES], 4, 16) as seen:
            time.sleep(1)
            database.write_bytes(content)
            missing = seconds_until(lambda: server.get("/readyz").status == 503)
            ready, page = server.get("/readyz"), server.get("/release/53/tags/")
            service = server.get(f"/econ/series?series_id=GNPCA&api_key={'a' * 32}&file_type=json")
            shutil.copy(copy, database)
        recovery = seconds_until(lambda: server.get("/release/53/tags/").status == 200)
        lost = [not_in(seen, {"200"})]
        if missing > LONGEST_RECOVERY or ready.status != 503 or b"database" not in ready.body:
            lost.append(f"/readyz answered {ready.status}")
        if page.status != 503 or b'role="alert"' not in page.body:
            lost.append(f"a page that is not kept answered {page.status}")
        if service.status != 503 or b"error_message" not in service.body:
            lost.append(f"the embedded service answered {service.status}")
        leaked = secrets_in(server, ready.body, page.body, service.body)
        said = ", ".join(filter(None, lost))
        return Outcome("database spoilt", f"{content[:8]!r} in its file", said, leaked, recovery)


def full() -> Outcome:
    """P2: not a byte more can be written to any file; the program runs already, and reads its database."""
    with econweb() as server:
        server.get("/release/53/tags/")
        subprocess.run(["prlimit", f"--pid={server.worker}", "--fsize=0:unlimited"], check=True)
        with load(server, [SERIES, request("/release/53/tags/")], 4, 16) as seen:
            pass
        subprocess.run(["prlimit", f"--pid={server.worker}", "--fsize=unlimited"], check=True)
        recovery = seconds_until(lambda: server.get("/readyz").status == 200)
        lost = not_in(seen, {"200"})
        return Outcome("disk full", "no byte can be written, 16 readers", lost, secrets_in(server), recovery)


@contextmanager
def redis() -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    port = free_port()
    command = ["redis-server", "--port", str(port), "--save", "", "--bind", "127.0.0.1"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        yield f"redis://127.0.0.1:{port}/0", process
        process.kill()


def cache_gone() -> Outcome:
    """P6: the shared cache dies under load; what is missing is asked for again."""
    # One client may hold 14 of the 16 slots, and all these readers are one.
    with redis() as (url, process), asking(CACHE_URL=url) as (upstream, server):
        server.get("/category/900/tags/")
        others = [request(f"/category/{source}0900/tags/") for source in range(1, 40)]
        with load(server, [PAGE, *others], 6, 12) as seen:
            time.sleep(2)
            process.kill()
        recovery = seconds_until(lambda: server.get("/category/410900/tags/").status == 200)
        lost = not_in(seen, {"200"})
        noted = f"the service was asked {sum(upstream.asked.values())} times for 40 views"
        return Outcome("cache gone", "Redis killed under 12 readers", lost, secrets_in(server), recovery, noted)
