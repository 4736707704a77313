"""The commands of the backup in docs/deploy.md, run as they stand there, on both databases."""

import grp
import os
import pwd
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

from bench.drills.killed_library import PROXY, fill_in
from bench.drills.outcome import Outcome, secrets_in
from bench.drills.postgresql import postgresql
from bench.servers import ROOT, Server, econweb

VIEW = "/category/125/tags/"
PAGES = ("/readyz", "/series/GNPCA/", VIEW, "/frozen/")


def restore(database: str) -> Outcome:
    """P15: what was backed up is there again, what came later is not, and a restore over other data changes nothing."""
    with ExitStack() as opened:
        folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="econweb-restore-"))
        settings = {**PROXY, "DATA_DIR": f"{folder}/data"}
        if database == "PostgreSQL":
            settings["DATABASE_URL"] = opened.enter_context(postgresql()).url
        with econweb(settings) as server:
            first = _freeze(server, "before the backup")
            before = _read(server, first)
            _run(_documented(database, "back up"), folder, settings)
            later = _freeze(server, "after the backup")
        wrong = _refuse_second_restore(folder, settings) if database == "PostgreSQL" else []
        _forget(database, folder, settings)
        _run(_documented(database, "restore"), folder, settings)
        wrong += _verify(settings)
        with econweb(settings) as server:
            wrong += [] if _read(server, first) == before else ["the pages of before"]
            wrong += ["a copy that came after the backup is there"] if server.get(later).status == 200 else []
            leaked = secrets_in(server)
        dump = Path(folder, "econweb.dump" if database == "PostgreSQL" else "copy.sqlite3")
        wrong += ["others can read the backup"] if dump.stat().st_mode & 0o077 else []
    return Outcome(f"restore, {database}", "a backup under way, a restore by the document", ", ".join(wrong), leaked)


def _documented(database: str, what: str) -> str:
    """Return a block of commands of the section: first those of PostgreSQL, then those of SQLite."""
    section = (ROOT / "docs" / "deploy.md").read_text().partition("## Back up and restore")[2].partition("\n## ")[0]
    blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return str(blocks[2 * (database == "SQLite") + (what == "restore")])


def _run(commands: str, folder: str, settings: Mapping[str, str], check: bool = True) -> int:
    """Run commands in the folder; only the folder of the data, the settings and the account are those of the drill."""
    user, group = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name
    commands = commands.replace("/var/lib/econweb", f"{folder}/data").replace("set -a; . /etc/econweb.env\n", "")
    commands = commands.replace("-o econweb -g econweb", f"-o {user} -g {group}")
    ran = subprocess.run(
        ["sh", "-e", "-c", commands], cwd=folder, env={**os.environ, **settings}, check=check, capture_output=True
    )
    return ran.returncode


def _freeze(server: Server, title: str) -> str:
    """Freeze a view for everyone, and return the address of the copy."""
    fields = {"title": title, "reason": "", "audience": "everyone", "days": "0"}
    reply = fill_in(server, 1, f"/me/freeze/?{urlencode({'target': VIEW})}", fields)
    return reply.headers["location"]


def _read(server: Server, copy: str) -> list[tuple[int, bytes]]:
    """Return the answers that must be the same after a restore."""
    pages = [server.get(page) for page in PAGES]
    file = server.get(f"{copy.rstrip('/')}.json")
    # The file names the address of its copy, and each server has a port of its own.
    return [*((page.status, b"") for page in pages), (file.status, file.body.replace(str(server.port).encode(), b""))]


def _refuse_second_restore(folder: str, settings: Mapping[str, str]) -> list[str]:
    """Restore over what is there: it must fail and change nothing."""
    failed = _run(_documented("PostgreSQL", "restore"), folder, settings, check=False)
    return [] if failed else ["a restore over other data"]


def _forget(database: str, folder: str, settings: Mapping[str, str]) -> None:
    """Lose the data."""
    if database == "PostgreSQL":
        _run('psql -q "$DATABASE_URL" -c "DROP SCHEMA public CASCADE; CREATE SCHEMA public"', folder, settings)
    else:
        _run("echo spoilt > /var/lib/econweb/econweb.sqlite3", folder, settings)


def _verify(settings: Mapping[str, str]) -> list[str]:
    command = [sys.executable, str(ROOT / "manage.py"), "library", "verify"]
    ran = subprocess.run(command, env={**os.environ, **settings}, check=False, capture_output=True, text=True)
    return (
        []
        if ran.returncode == 0 and "1 frozen copy were read; 0 " in ran.stdout
        else [f"library verify says {ran.stdout} {ran.stderr}"]
    )
