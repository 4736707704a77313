"""The whole program is killed while people freeze, edit and withdraw: each copy is whole or absent, and recorded."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread
from urllib.parse import urlencode

from bench.drills.outcome import Outcome, secrets_in
from bench.servers import ROOT, Reply, Server, econweb
from bench.service import service

PEOPLE, VIEWS = 16, 6
PROXY = {"SIGN_IN": "proxy", "BEHIND_PROXY": "true", "PROXY_ADDRESSES": "127.0.0.1"}
FORM = "application/x-www-form-urlencoded"


@dataclass
class _Site:
    """The server of now; None between a kill and the next start. `frozen` are the copies whose person got an answer."""

    server: Server | None = None
    frozen: set[str] = field(default_factory=set)
    answers: int = 0
    ended: Event = field(default_factory=Event)


def killed_library(kills: int = 20) -> Outcome:
    """P14: kill -9 of every process at random moments, the same shares of time in each run."""
    random, site, wrong = Random(11), _Site(), list[str]()  # noqa: S311  the same moments each time
    with tempfile.TemporaryDirectory(prefix="econweb-library-") as folder, service() as upstream:
        settings = {**PROXY, **upstream.settings(), "ECON_MAY_STORE": "true", "DATA_DIR": folder}
        threads = [Thread(target=_act, args=(site, number)) for number in range(PEOPLE)]
        for thread in threads:
            thread.start()
        leaked = ""
        for _ in range(kills):
            with econweb(settings) as server:
                site.server = server
                time.sleep(random.uniform(0.2, 2.5))
                for pid in server.pids:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                site.server, leaked = None, leaked or secrets_in(server)
            wrong += _verify(folder)
        with econweb(settings) as server:
            # What was killed half-way does not hinder the next ones.
            site.server, before = server, len(site.frozen)
            time.sleep(2)
            wrong += [] if len(site.frozen) > before else ["nothing was frozen after the last kill"]
            site.ended.set()
            for thread in threads:
                thread.join()
        counts, disagreeing = _compare(Path(folder, "econweb.sqlite3"), site.frozen)
        wrong += _verify(folder) + disagreeing
    noted = f"{site.answers} answers, {len(site.frozen)} of them a new copy; {counts}"
    return Outcome(
        "library killed", f"kill -9 at {kills} moments of {PEOPLE} people", ", ".join(wrong), leaked, None, noted
    )


def _act(site: _Site, number: int) -> None:
    """Freeze, edit and withdraw as one person that a proxy names."""
    random, own = Random(number), list[str]()  # noqa: S311
    while not site.ended.is_set():
        if (server := site.server) is None:
            time.sleep(0.02)
            continue
        if not own or random.random() < 0.5:
            target = f"/category/{900 + random.randrange(VIEWS)}/tags/"
            given = {"title": f"Title {random.random()}", "reason": "", "audience": "everyone", "days": "0"}
            reply = fill_in(server, number, f"/me/freeze/?{urlencode({'target': target})}", given)
            if found := re.search(r"/frozen/(\w{13})/", reply.headers.get("location", "")):
                site.frozen.add(found[1])
                own.append(found[1])
        elif random.random() < 0.5:
            given = {"title": f"Title {random.random()}", "reason": "Changed", "audience": "everyone"}
            reply = fill_in(server, number, f"/me/frozen/{random.choice(own)}/edit/", given)
        else:
            reply = fill_in(server, number, f"/me/frozen/{own.pop()}/withdraw/", {"reason": "Not needed"})
        site.answers += reply.status == 302


def fill_in(server: Server, number: int, path: str, fields: dict[str, str]) -> Reply:
    """Fill in a form; the hidden fields come with it."""
    named = {"EconwebUser": f"person{number}"}
    form = server.get(path, named, seconds=10)
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form.body.decode()))
    if "csrfmiddlewaretoken" not in hidden:
        return form
    cookie = form.headers["set-cookie"].partition(";")[0]
    return server.get(path, {**named, "Cookie": cookie, "Content-Type": FORM}, 10, urlencode({**hidden, **fields}))


def _verify(folder: str) -> list[str]:
    """Return what `manage.py library verify` finds wrong."""
    plain = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    ran = subprocess.run(
        [sys.executable, ROOT / "manage.py", "library", "verify"],
        env={**plain, "DATA_DIR": folder},
        check=False,
        capture_output=True,
        text=True,
    )
    return [ran.stdout + ran.stderr] if ran.returncode else []


def _compare(database: Path, frozen: set[str]) -> tuple[str, list[str]]:
    """Compare the copies with the record of changes and with the answers that people got."""
    with closing(sqlite3.connect(database)) as opened:
        copies = opened.execute("SELECT id, title, withdrawn, body_id, sha256 FROM library_frozencopy").fetchall()
        bodies = {sha256 for (sha256,) in opened.execute("SELECT sha256 FROM library_body")}
        said = opened.execute("SELECT key, verb, after_json FROM accounts_change ORDER BY id").fetchall()
    record = defaultdict[str, list[tuple[str, str]]](list)
    for key, verb, after in said:
        record[key].append((verb, json.loads(after)["title"]))
    wrong = [f"{copy_id} has no copy" for copy_id in {*frozen, *record} - {copy[0] for copy in copies}]
    for copy_id, title, withdrawn, body, sha256 in copies:
        verbs = [verb for verb, _ in record[copy_id]]
        expected = ["frozen", *["changed"] * verbs.count("changed"), *["withdrawn"] * bool(withdrawn)]
        if verbs != expected or record[copy_id][-1][1] != title or body != (None if withdrawn else sha256):
            wrong.append(f"{copy_id} is not as recorded")
    if bodies != {body for *_, body, _ in copies if body}:
        wrong.append("content without a copy, or the reverse")
    gone = sum(bool(copy[2]) for copy in copies)
    return f"{len(copies)} copies, {gone} withdrawn, {len(said)} changes recorded", wrong
