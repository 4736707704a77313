"""Commands run as root, as a user without rights, or beside files of another user: one sentence, and nothing left."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import product
from pathlib import Path

from bench.drills.outcome import Outcome
from bench.servers import ROOT, econweb, free_port

# A stranger who owns nothing, and root without its power over files of others.
SERVICE_USER = 65534
POWERLESS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner")
COMMANDS = (
    "api_key create drill",
    "clearsessions",
    "connect ada 1001",
    "createsuperuser --noinput",
    "index --once",
    "invite ada --url https://econ.example.org",
    "labels import --sample",
    "library verify",
    "load_catalogue econweb/catalogue/sample",
    "migrate",
    "role ada admin",
    "series import titles.csv",
    "serve --port {port}",
    "sign_out ada",
    "watch --once",
)
Content = dict[str, tuple[int, int, int, str]]


def wrong_user() -> Outcome:
    """A15: what happens where `deploy.md` is not followed. Only root can give files to another user."""
    tried = f"{len(COMMANDS)} commands as root, as a stranger, beside files of another user"
    if os.getuid():
        return Outcome("wrong user", tried, noted="not run: only root can give files away")
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="econweb-owners-") as folder, ThreadPoolExecutor(2) as pool:
        data = Path(folder, "data")
        with econweb({"DATA_DIR": str(data)}):
            pass
        Path(folder).chmod(0o755)
        _give(data, *data.rglob("*"))
        data.chmod(0o755)
        ways: list[tuple[str, Sequence[str]]] = [("root", ()), ("a stranger", POWERLESS)]
        wrong += _try_all(pool, data, ways)
        # A command of an earlier day left its files.
        os.chown(data, 0, 0)
        wrong += _try_all(pool, data, [("files of another", POWERLESS)])
    return Outcome("wrong user", tried, ", ".join(wrong))


def _give(*paths: Path) -> None:
    for path in paths:
        os.chown(path, SERVICE_USER, SERVICE_USER)


def _try_all(pool: ThreadPoolExecutor, data: Path, ways: list[tuple[str, Sequence[str]]]) -> Iterator[str]:
    before = _content(data)
    tried = [*product(ways, COMMANDS)]
    runs = pool.map(lambda each: _run(data, each[0][1], each[1]), tried)
    for ((who, _), command), ran in zip(tried, runs, strict=True):
        if ran.returncode != 1 or ran.stdout or ran.stderr.count("\n") != 1 or str(data) not in ran.stderr:
            yield f"{who}, `{command}` ends with {ran.returncode} and says {ran.stdout[-300:]}{ran.stderr[-300:]!r}"
    after = _content(data)
    if before != after:
        yield f"something is left or changed: {sorted(name for name, _ in before.items() ^ after.items())}"


def _run(data: Path, before: Sequence[str], command: str) -> "subprocess.CompletedProcess[str]":
    arguments = command.format(port=free_port()).split()
    named = {f"DJANGO_SUPERUSER_{name}": "a-word-of-the-drill" for name in ("USERNAME", "PASSWORD")}
    named |= {"DJANGO_SUPERUSER_EMAIL": "a@example.org", "SIGN_IN": "password"}
    plain = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return subprocess.run(
        # A server that starts after all is ended.
        ["timeout", "30", *before, sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=plain | named | {"DATA_DIR": str(data), "HOME": str(data)},
        check=False,
        capture_output=True,
        text=True,
    )


def _content(data: Path) -> Content:
    """Return owner, mode, time of change and digest of each file."""
    found: Content = {}
    for path in (data, *data.rglob("*")):
        status = path.lstat()
        digest = sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(data))] = (status.st_uid, status.st_mode, status.st_mtime_ns, digest)
    return found
