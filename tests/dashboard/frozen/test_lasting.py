"""A frozen copy gives the same bytes after a restart, with other data, in another database, and without its service."""

import re
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
import requests

from tests.server import ROOT, environment, served

pytestmark = pytest.mark.slow
VIEWS = ("/category/125/tags/", "/release/53/tags/?tag_group_id=freq", "/series/GNPCA/", "/series/?ids=GNPCA,UNRATE")
# Nothing listens there.
GONE = "http://127.0.0.1:1"


def ask_database(data: Path, statement: str) -> list[tuple[int]]:
    with closing(sqlite3.connect(data / "econweb.sqlite3", timeout=10)) as database, database:
        return database.execute(statement).fetchall()


def manage(data: Path, *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment(data), check=True, capture_output=True, text=True).stdout


def freeze(address: str, target: str) -> str:
    """Return the path of the copy."""
    with requests.Session() as browser:
        # A list is loaded by its page.
        browser.get(address + target, timeout=30)
        form = browser.get(f"{address}/me/freeze/", params={"target": target}, timeout=30)
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', form.text)[0]
        fields = {"csrfmiddlewaretoken": token, "title": "A title", "reason": "", "audience": "everyone", "days": "0"}
        answer = browser.post(form.url, fields, headers={"Referer": form.url}, timeout=30, allow_redirects=False)
    assert answer.status_code == 302, answer.text
    return answer.headers["Location"].partition("?")[0]


def read(address: str, paths: list[str]) -> list[bytes]:
    """Return the files and the digests of the copies; without the address of the site."""
    found = []
    for path in paths:
        for suffix in ("json", "csv"):
            answer = requests.get(f"{address}{path.rstrip('/')}.{suffix}", timeout=30)
            assert answer.status_code == 200, answer.text
            found.append(answer.content.replace(address.encode(), b""))
        page = requests.get(address + path, timeout=30)
        found.append(b" ".join(sorted(re.findall(rb"\b[0-9a-f]{64}\b", page.content))))
    return found


def test_copy_gives_the_same_bytes_whatever_happens_around_it(tmp_path: Path) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    with served(here) as (address, _):
        paths = [freeze(address, view) for view in VIEWS]
        frozen = read(address, paths)
    assert all(frozen)

    with served(here) as (address, _):
        assert read(address, paths) == frozen, "after a restart"
        manage(here, "make_catalogue", "--series", "50", str(tmp_path / "other"))
        manage(here, "load_catalogue", str(tmp_path / "other"))
        names = tmp_path / "names.csv"
        names.write_text("kind,id,name,note,parent_id\ncategory,125,Other,,\nrelease,53,Another,,\n", encoding="utf-8")
        manage(here, "labels", "import", str(names))
        assert read(address, paths) == frozen, "with another catalogue and other names"

    manage(here, "library", "export", str(tmp_path / "library.jsonl"))
    manage(elsewhere, "migrate", "--verbosity=0")
    manage(elsewhere, "library", "import", str(tmp_path / "library.jsonl"))
    with served(elsewhere, ECON_BASE_URL=GONE, ECON_API_KEY="0123456789abcdef" * 2) as (address, _):
        assert read(address, paths) == frozen, "in another database, without a service"
    assert manage(elsewhere, "library", "verify").startswith("0 saved views and 4 frozen copies were read; 0 of")


def test_expired_content_goes_while_nobody_freezes(tmp_path: Path) -> None:
    with served(tmp_path) as (address, _):
        path = freeze(address, VIEWS[0])
    ask_database(tmp_path, "UPDATE library_frozencopy SET expires = '2026-01-01 00:00:00'")

    with served(tmp_path) as (address, _):
        for _ in range(100):
            if ask_database(tmp_path, "SELECT count(*) FROM library_body") == [(0,)]:
                break
            time.sleep(0.1)
        assert requests.get(address + path, timeout=30).status_code == 410
    assert ask_database(tmp_path, "SELECT count(*) FROM library_body") == [(0,)]
    assert ask_database(tmp_path, "SELECT count(*) FROM library_frozencopy") == [(1,)]
