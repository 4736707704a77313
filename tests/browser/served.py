"""The program as it is served: a process of two workers, in front of a stand-in service on this machine."""

import atexit
import csv
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import requests

from tests.browser import stand_in
from tests.browser.hostile_texts import ALL, HOSTILE
from tests.browser.stand_in import StandInService
from tests.builders import a_series
from tests.fake_service import a_tag, tags_of
from tests.server import ROOT, environment, free_port
from tests.startup.prepared import ELSEWHERE, prepare

KEY = "0123456789abcdef0123456789abcdef"
USERNAME, PASSWORD = "editor", "a long pass phrase of an editor"
# A category for the tests that count 120 tags, and one with a label that no model would take.
OTHER_CATEGORY, HOSTILE_CATEGORY = 126, 6
LONG = "Averyveryverylongwordwithoutanyblankinit" * 3
LABELS: list[tuple[str, int, str, str, str]] = [
    ("category", 125, "Trade Balance", "", ""),
    ("category", 127, "Balance of Payments", "", ""),
    *(
        ("category", number, f"Prices {number} {LONG}", "Why", parent)
        for number, parent in ((8, ""), (9, "8"), (10, "9"))
    ),
    ("category", HOSTILE_CATEGORY, "x", "", "8"),
]
# New connections go to either worker: one of the two misses this number of them once in 2,048 times.
CONNECTIONS = 12
# A failure is cached for two seconds (upstream/cache/recent_failures.py), a label for one.
FAILURE_MS, LABEL_MS = 2_100, 1_100


@dataclass(frozen=True)
class Portal:
    """The address of the program, and the service behind it."""

    url: str
    service: StandInService
    # The caches of the workers outlive a test, so each test takes numbers of its own.
    numbers: Iterator[int] = field(default_factory=lambda: count(1000))

    def add_tags(self, tags: Iterable[dict[str, Any]], kind: str = "category") -> str:
        """Return the path of a new category or release that has these tags."""
        number = next(self.numbers)
        self.service.has(kind, number, tags)
        return f"/{kind}/{number}/tags/"

    def add_series(self, *versions: dict[str, Any]) -> str:
        """Return the id of a new series."""
        series_id = f"NEW{next(self.numbers)}"
        self.service.seriess[series_id] = [each | {"id": series_id, "popularity": 39} for each in versions]
        return series_id

    def visit_with_each_worker(self, path: str) -> list[int]:
        """Return the statuses of requests over new connections."""
        return [requests.get(self.url + path, timeout=30).status_code for _ in range(CONNECTIONS)]

    def recover(self) -> None:
        """Let the service work again, until each worker has seen it: a worker counts failures, and waits when told."""
        self.service.error, self.service.seconds = None, 0.0
        for _ in range(100):
            if {*self.visit_with_each_worker(f"/series/{self.add_series(a_series())}/")} == {200}:
                return
            time.sleep(0.2)
        raise AssertionError("The program does not ask the service again.")


def number_of(path: str) -> str:
    """Return the number in the path of a category or release."""
    return path.split("/")[2]


def fill(service: StandInService) -> None:
    """Add what many tests look at and no test changes."""
    service.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    service.seriess["UNRATE"] = [{**a_series(id="UNRATE", title=f"Unemployment {LONG}", notes=LONG), "popularity": 1}]
    service.has("category", 125, [*tags_of(120), a_tag("rent & lease", group_id="gen", notes="Housing")])
    service.has("category", OTHER_CATEGORY, tags_of(120))
    service.has("category", 127, service.tags["category", "125"])
    versions = [
        a_series(id="VERSIONS", realtime_end="2014-12-31", units=LONG),
        a_series(id="VERSIONS", realtime_start="2015-01-01", realtime_end="2015-12-31", title=f"{LONG} (DISCONTINUED)"),
    ]
    service.seriess["VERSIONS"] = [{**version, "popularity": 39} for version in versions]
    absurd = {"id": "ABSURD", "units": "u" * 300, "frequency": "f" * 300, "popularity": 39}
    service.seriess["ABSURD"] = [{**versions[1], **absurd}]
    service.has("category", 16, tags_of(16))
    service.has("release", 16, tags_of(16))
    service.has("category", 9, [])
    service.has("category", 8, [a_tag(LONG, group_id=LONG, notes="word " * 800, popularity=-31), a_tag("x")])


@contextmanager
def portal(has_labels: bool = True, **settings: str) -> Iterator[Portal]:
    folder, port, service = Path(tempfile.mkdtemp(prefix="econweb-served-")), free_port(), StandInService()
    fill(service)
    with stand_in.run(service) as address, (folder / "log").open("w") as log:
        upstream = {"ECON_BASE_URL": address, "ECON_API_KEY": KEY, "ECON_REQUESTS_PER_MINUTE": "10000"}
        variables = {**environment(folder), **upstream, **settings}
        shutil.copytree(_labelled(), folder, dirs_exist_ok=True) if has_labels else prepare(folder, has_sample=False)
        process = subprocess.Popen(
            _command("serve", "--port", str(port), "--workers", "2"),
            cwd=ROOT,
            env=variables,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            found = Portal(f"http://127.0.0.1:{port}", service)
            _wait_for(found, process)
            yield found
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            shutil.rmtree(folder, ignore_errors=True)


@cache
def _labelled() -> Path:
    """Return a prepared folder with labels and an account, to be copied."""
    folder = prepare(Path(tempfile.mkdtemp(prefix="econweb-labelled-")), has_sample=False)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["kind", "id", "name", "note", "parent_id"], *LABELS])
    account = ["--noinput", "--username", USERNAME, "--email", "editor@portal.example"]
    for arguments in (
        ["labels", "import", str(folder / "labels.csv")],
        ["createsuperuser", *account],
    ):
        password = {"DJANGO_SUPERUSER_PASSWORD": PASSWORD}
        variables = environment(folder) | ELSEWHERE | password
        subprocess.run(_command(*arguments), cwd=ROOT, env=variables, check=True, capture_output=True)
    # The model refuses such a name; a page that meets one shows it as text all the same.
    with closing(sqlite3.connect(folder / "econweb.sqlite3")) as database, database:
        name, note = "".join(HOSTILE.values())[:200], ALL
        database.execute("UPDATE shelf_label SET name = ?, note = ? WHERE number = ?", (name, note, HOSTILE_CATEGORY))
    return folder


def _command(*arguments: str) -> Sequence[str]:
    return [sys.executable, "manage.py", *arguments]


def _wait_for(portal: Portal, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        assert process.poll() is None
        with suppress(requests.ConnectionError):
            assert requests.get(f"{portal.url}/readyz", timeout=30).status_code == 200
            return
        time.sleep(0.1)
    raise AssertionError("The program did not come up.")
