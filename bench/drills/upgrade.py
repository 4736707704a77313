"""An older program makes data; the program of today serves from the same folder or database."""

import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from bench.drills.hosts import ACCOUNT, sign_in
from bench.drills.outcome import Outcome, secrets_in
from bench.drills.postgresql import postgresql
from bench.servers import ROOT, Server, econweb, serving

# The first revision with migrations, and version 0.1.0.
FIRST, VERSION_0_1 = "941f0a5", "5479a6d"
NAME = "A name of the drill"
QUESTIONS = (
    "series?series_id=S0000001",
    "release/tags?release_id=1",
    "category/tags?category_id=3&realtime_start=2000-01-01&realtime_end=2010-01-01",
    "release/tags?release_id=2&realtime_start=1990-01-01&realtime_end=1990-01-01",
)


def upgrade(revision: str, database: str) -> Outcome:
    """A13: nothing has to be loaded again, and no label is lost."""
    name, tried = f"upgrade, {database}", f"from {revision}: an account, a key, a label, 2,000 series"
    with ExitStack() as opened:
        folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="econweb-upgrade-"))
        old, data = Path(folder) / "old", {"DATA_DIR": f"{folder}/data"}
        if database == "PostgreSQL":
            data["DATABASE_URL"] = opened.enter_context(postgresql()).url
        if not check_out(revision, old):
            return Outcome(name, tried, noted=f"not run: {revision} is not in this clone")
        key = _make_data(old, data)
        serve = [sys.executable, str(old / "manage.py"), "serve", "--port", "{port}"]
        with serving(serve, {**data, "PYTHONPATH": str(old)}) as server:
            before = _answers(server, key)
        with econweb(data) as server:
            lost = _lost(server)
            if _answers(server, key) != before:
                lost.append("the answers of the embedded service")
            leaked = secrets_in(server)
    return Outcome(name, tried, ", ".join(lost), leaked)


def check_out(revision: str, folder: Path) -> bool:
    """Return whether the revision exists; a shallow clone lacks it."""
    archive = ["git", "archive", "--format=tar", f"--prefix={folder.name}/", revision]
    packed = subprocess.run(archive, cwd=ROOT, capture_output=True, check=False)
    if packed.returncode:
        return False
    subprocess.run(["tar", "-x", "-C", folder.parent], input=packed.stdout, check=True)
    return True


def _make_data(old: Path, data: dict[str, str]) -> str:
    """The key of the embedded service."""
    environment = {**os.environ, **data, **ACCOUNT, "PYTHONPATH": str(old)}

    def manage(*arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, cwd=old, env=environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    manage("migrate", "--verbosity=0")
    manage("createsuperuser", "--noinput")
    manage("make_catalogue", "--series", "2000", "catalogue")
    manage("load_catalogue", "catalogue")
    (old / "labels.csv").write_text(f"kind,id,name,note\ncategory,3,{NAME},\n")
    manage("labels", "import", "labels.csv")
    return manage("api_key", "create", "drill").split()[-1]


def _answers(server: Server, key: str) -> list[object]:
    replies = [server.get(f"/econ/{question}&file_type=json&api_key={key}") for question in QUESTIONS]
    return [json.loads(reply.body) if reply.status == 200 else reply.status for reply in replies]


def _lost(server: Server) -> list[str]:
    statuses = {page: server.get(page).status for page in ("/readyz", "/series/S0000001/")}
    lost = [f"{page} answers {status}" for page, status in statuses.items() if status != 200]
    if NAME.encode() not in server.get("/category/3/tags/").body:
        lost.append("the label")
    if server.get("/admin/", {"Cookie": sign_in(server)}).status != 200:
        lost.append("the account")
    return lost
