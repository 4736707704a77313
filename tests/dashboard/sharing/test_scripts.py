"""The scripts of a pack fetch what they can, name what failed on standard error, and end with an error."""

import json
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import tree_sitter_julia
from django.test import Client
from pytest_django import Settings
from tree_sitter import Language, Parser

from econweb.dashboard.sharing.pack import CODE_FILES
from econweb.dashboard.sharing.scripts import scripts
from econweb.dashboard.sharing.snippets import PLACEHOLDER, ServiceRequest
from tests.builders import a_series
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.sharing.crate import read_crate
from tests.fake_service import FakeService
from tests.http_server import running
from tests.programs import program

KEY = "0123456789abcdef0123456789abcdef"
MISSING = "FEDFUND"
# What services and proxies answer a request that they refuse: the last ones echo the key, and write to the terminal.
WHY = "Bad Request.  The value for variable api_key is not registered."
REFUSALS = {
    MISSING: json.dumps({"error_code": 400, "error_message": WHY}, indent=1),
    "ECHO": json.dumps({"error_message": f"Stop \x1b[31m {KEY} http://127.0.0.1/?api_key={KEY}&x {'word ' * 999}"}),
    "PAGE": f"<html>No {KEY}",
    "LIST": f'["{KEY}"]',
    "NUMBER": '{"error_message": 7}',
    "EMPTY": "",
}


class _Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        series_id = parse_qs(urlsplit(self.path).query)["series_id"][0]
        self.send_response(400 if series_id in REFUSALS else 200)
        self.end_headers()
        self.wfile.write(REFUSALS.get(series_id, json.dumps({"seriess": [{"id": series_id}]})).encode())

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), _Answer)
    with running(server):
        yield server


def requests_of(service: HTTPServer, *ids: str) -> list[ServiceRequest]:
    return [ServiceRequest(f"http://127.0.0.1:{service.server_port}/econ/series", {"series_id": one}) for one in ids]


def run(language: str, requests: list[ServiceRequest], folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / CODE_FILES[language][0]
    file.write_text(scripts(requests)[language].replace(PLACEHOLDER, KEY))
    return run_file(file)


def run_file(file: Path) -> subprocess.CompletedProcess[str]:
    command = {".sh": "sh", ".py": sys.executable, ".R": program("Rscript") if file.suffix == ".R" else ""}[file.suffix]
    return subprocess.run([command, str(file)], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("language", ["curl", "Python", "R"])
def test_script_goes_on_after_a_failure_and_ends_with_an_error(
    service: HTTPServer, language: str, tmp_path: Path
) -> None:
    ended = run(language, requests_of(service, MISSING, "DGS10", "PAYEMS"), tmp_path)

    assert ended.returncode != 0
    assert "DGS10" in ended.stdout
    assert "PAYEMS" in ended.stdout
    assert f"series_id {MISSING}: " in ended.stderr
    assert KEY not in ended.stderr
    assert f"{WHY.replace('  ', ' ')}\n" in ended.stderr.replace("  ", " ")


@pytest.mark.parametrize("language", ["curl", "Python", "R"])
def test_script_names_the_request_where_nothing_answers(language: str, tmp_path: Path) -> None:
    ended = run(language, [ServiceRequest("http://127.0.0.1:9/econ/series", {"series_id": "DGS10"})], tmp_path)

    assert ended.returncode != 0
    assert "series_id DGS10: " in ended.stderr
    assert "Traceback" not in ended.stderr
    assert KEY not in ended.stderr


@pytest.mark.parametrize("language", ["curl", "Python", "R"])
def test_script_prints_no_key_and_no_control_of_a_refusal(service: HTTPServer, language: str, tmp_path: Path) -> None:
    ended = run(language, requests_of(service, *REFUSALS, "DGS10"), tmp_path)

    assert "DGS10" in ended.stdout
    assert all(f"series_id {one}: " in ended.stderr for one in REFUSALS)
    assert "Stop" in ended.stderr
    assert KEY not in ended.stdout + ended.stderr
    assert "api_key=" not in ended.stderr
    assert "\x1b" not in ended.stderr
    assert max(map(len, ended.stderr.splitlines())) < 400


@pytest.fixture
def address(service: HTTPServer, settings: Settings) -> str:
    """The address of the service that the code of a pack asks."""
    settings.ECON_BASE_URL = f"http://127.0.0.1:{service.server_port}"
    return str(settings.ECON_BASE_URL)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["fetch.sh", "fetch.py", "fetch.R"])
def test_code_of_a_pack_fetches_what_comes_after_a_missing_id(
    client: Client, stand_in: FakeService, address: str, tmp_path: Path, name: str
) -> None:
    """The service had it when the copy was made."""
    stand_in.seriess = {one: [a_series(id=one) | {"popularity": 39}] for one in (MISSING, "DGS10", "PAYEMS")}
    path = freeze(client, f"/series/?ids={MISSING},DGS10,PAYEMS")
    files, _ = read_crate(client.get(f"{path.rstrip('/')}.zip").getvalue())
    assert f"{address}/" in files["code/addresses.txt"].decode()
    (tmp_path / name).write_bytes(files[f"code/{name}"].replace(PLACEHOLDER.encode(), KEY.encode()))

    ended = run_file(tmp_path / name)
    assert ended.returncode != 0
    assert all(one in ended.stdout for one in ("DGS10", "PAYEMS"))
    assert f"series_id {MISSING}: " in ended.stderr


@pytest.mark.parametrize("language", ["curl", "Python", "R"])
def test_script_without_a_failure_ends_well(service: HTTPServer, language: str, tmp_path: Path) -> None:
    ended = run(language, requests_of(service, "DGS10", "PAYEMS"), tmp_path)

    assert (ended.returncode, ended.stderr) == (0, "")


def test_script_for_julia_is_valid_and_names_each_request(service: HTTPServer) -> None:
    code = scripts(requests_of(service, MISSING, "DGS10"))["Julia"]
    tree = Parser(Language(tree_sitter_julia.language())).parse(code.encode())

    assert not tree.root_node.has_error
    assert f'("series_id {MISSING}", "http' in code
    assert "catch" in code


def test_script_for_stata_goes_on_and_ends_with_an_error(service: HTTPServer) -> None:
    code = scripts(requests_of(service, MISSING, "DGS10"))["Stata"]

    assert code.count("capture copy ") == 2
    assert code.count("if _rc {") == 2
    assert code.endswith("if `failed' exit 1")
