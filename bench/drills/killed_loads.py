"""A load of the catalogue is killed again and again: readers get the old one or the new one, whole."""

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from threading import Event, Thread

from bench.drills.disks import database_of
from bench.drills.outcome import Outcome, seconds_until, secrets_in
from bench.servers import ROOT, Server, econweb

QUESTIONS = (
    "release/tags?release_id=1",
    "release/tags?release_id=2&realtime_start=2000-01-01&realtime_end=2010-01-01",
    "category/tags?category_id=3&order_by=name",
    "series?series_id=S0000001&realtime_start=1990-01-01",
)
Answers = tuple[bytes, ...]


def killed_loads(kills: int = 100, series: int = 8000) -> Outcome:
    """P1: kill -9 at random moments of a load, the same shares of its length in each run."""
    random = Random(7)  # noqa: S311  the same moments each time
    with econweb() as server:
        environment = {**os.environ, "DATA_DIR": str(server.folder / "data")}
        key = _manage(environment, "api_key", "create", "drill").split()[-1]
        folders = [server.folder / name for name in ("one", "other")]
        given: list[Answers] = []
        for seed, folder in enumerate(folders):
            _manage(environment, "make_catalogue", "--series", str(series), "--seed", str(seed), str(folder))
            begun = time.monotonic()
            _manage(environment, "load_catalogue", str(folder))
            length = time.monotonic() - begun
            time.sleep(1.1)
            given.append(_answers(server, key))
        files = _files(server)
        with _Readers(server, key, given) as readers:
            under_way, mixed, held = 0, 0, 1
            for _ in range(kills):
                begun = time.monotonic()
                # Always the one that is not there: a load of the same one has nothing to do.
                if _killed(environment, folders[1 - held], random.uniform(0.2, 1) * length):
                    under_way += 1
                else:
                    # The machine was busier when it was measured.
                    length = time.monotonic() - begun
                    time.sleep(1.1)
                mixed += seconds_until(lambda: _answers(server, key) in given, 3) > 3
                held = int(_answers(server, key) == given[1])
        begun = time.monotonic()
        _manage(environment, "load_catalogue", str(folders[0]))
        recovery = time.monotonic() - begun
        left = _files(server) - files
        lost = [f"{readers.wrong} answers of neither"] if readers.wrong else []
        lost += [f"{mixed} times a mixture"] if mixed else []
        lost += [] if seconds_until(lambda: _answers(server, key) == given[0], 3) <= 3 else ["the next load"]
        lost += [] if under_way > kills / 4 else [f"only {under_way} loads were under way"]
        leaked = ", ".join(sorted(left)) or secrets_in(server)
        noted = f"{under_way} were under way, {readers.count} answers meanwhile; recovery is a load"
        tried = f"kill -9 at {kills} moments of a load"
        return Outcome("load killed", tried, ", ".join(lost), leaked, recovery, noted)


def _killed(environment: dict[str, str], folder: Path, seconds: float) -> bool:
    """Start a load, kill it after these seconds, and return True if it was still running."""
    command = [sys.executable, str(ROOT / "manage.py"), "load_catalogue", str(folder)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as load:
        try:
            load.wait(seconds)
        except subprocess.TimeoutExpired:
            load.kill()
            return True
        return False


class _Readers:
    """Ask all the time, and count the answers that neither catalogue gives."""

    def __init__(self, server: Server, key: str, given: list[Answers]) -> None:
        self.count = self.wrong = 0
        self._end = Event()
        self._thread = Thread(target=self._read, args=(server, key, given))

    def __enter__(self) -> "_Readers":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._thread.join()

    def _read(self, server: Server, key: str, given: list[Answers]) -> None:
        good = [set(answers) for answers in zip(*given, strict=True)]
        while not self._end.is_set():
            for known, answer in zip(good, _answers(server, key), strict=True):
                self.count += 1
                self.wrong += answer not in known


def _answers(server: Server, key: str) -> Answers:
    replies = (server.get(f"/econ/{question}&api_key={key}&file_type=json") for question in QUESTIONS)
    return tuple(b"%d %s" % (reply.status, reply.body) for reply in replies)


def _files(server: Server) -> set[str]:
    """Return the files of DATA_DIR, without those that the database needs during a load."""
    folder = database_of(server).parent
    return {path.name for path in folder.iterdir() if not path.name.endswith(("-wal", "-shm"))}


def _manage(environment: dict[str, str], *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *arguments],
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ).stdout
