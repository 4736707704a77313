"""The `serve` command prepares everything and serves."""

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests
from pytest_django import Settings

from econweb.management.commands import serve as serve_command
from econweb.startup import static_files
from tests.server import ROOT, environment, manage, serve, served, workers_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


def test_serve_starts_page_sample_and_service_on_a_bare_machine(data: Path) -> None:
    created = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=ROOT, env=environment(data), check=True
    )
    key = subprocess.run(
        [sys.executable, "manage.py", "api_key", "create", "test"],
        cwd=ROOT,
        env=environment(data),
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()

    with served(data) as (address, _):
        page = requests.get(f"{address}/series/GNPCA/", timeout=5)
        reply = requests.get(f"{address}/econ/series?series_id=GNPCA&api_key={key}&file_type=json", timeout=5)

    assert created.returncode == 0
    assert "Real Gross National Product" in page.text
    assert reply.json()["seriess"][0]["id"] == "GNPCA"


def test_serve_names_the_address_that_people_open(data: Path) -> None:
    with served(data, BEHIND_PROXY="true", ALLOWED_HOSTS="portal.example.org") as (_, process):
        said = next(line for line in process.stdout or () if line.startswith("econweb is at"))

    assert said == "econweb is at https://portal.example.org\n"


def test_serve_warns_of_a_misspelt_setting(data: Path) -> None:
    """O22"""
    with served(data, ECON_TIMOUT="5") as (_, process):
        process.terminate()
        said = process.communicate(timeout=60)[0]

    assert "ECON_TIMOUT in the environment is no setting: is ECON_TIMEOUT meant?" in said


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_serve_ends_cleanly_and_quickly(data: Path, ending: signal.Signals) -> None:
    """O1: how long it took to start is the baseline."""
    begun = time.monotonic()
    with served(data) as (address, process):
        started = time.monotonic() - begun
        style = requests.get(address, timeout=5).text.partition('rel="stylesheet" href="')[2].partition('"')[0]
        sheet = requests.get(address + style, timeout=5)
        begun = time.monotonic()
        process.send_signal(ending)
        output = process.communicate(timeout=60)[0]
        took = time.monotonic() - begun

    assert "immutable" in sheet.headers["Cache-Control"]
    assert process.returncode == 0
    assert took < started
    assert "Traceback" not in output
    # Places of the sample are not those of another catalogue.
    assert f"econweb is at {address}\n" in output
    assert "GNPCA" not in output


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_serve_ends_cleanly_on_ctrl_c(data: Path, ending: signal.Signals) -> None:
    """A terminal sends it to the whole group."""
    with served(data) as (_, process):
        workers = workers_of(process.pid)
        os.kill(process.pid, signal.SIGSTOP)
        wait_for_state("T", str(process.pid))
        os.killpg(process.pid, ending)
        wait_for_state("Z", *map(str, workers))
        os.kill(process.pid, signal.SIGCONT)
        output = process.communicate(timeout=60)[0]

    assert workers
    assert process.returncode == 0
    assert "Traceback" not in output


def wait_for_state(letter: str, *pids: str) -> None:
    """T is stopped; Z has ended, and its parent has not yet asked how (proc(5))."""
    for pid in pids:
        while f") {letter} " not in Path(f"/proc/{pid}/stat").read_text():
            time.sleep(0.01)


def test_serve_reports_a_taken_port_in_one_sentence(data: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        output, _ = serve(data, taken.getsockname()[1]).communicate(timeout=20)

    assert "cannot be used" in output
    assert "--port 8001 (make run PORT=8001)" in output
    assert output.count("\n") == 1


def test_serve_says_that_an_address_is_of_another_machine(data: Path) -> None:
    ran = manage(data, "serve", "--host", "192.0.2.99")

    assert ran.stderr.startswith("Port 8000 of 192.0.2.99 cannot be used (")
    assert ran.stderr.endswith("Name another: --host 127.0.0.1 (make run HOST=127.0.0.1).\n")


@pytest.mark.parametrize(
    "request_bytes",
    [b"hello\r\n\r\n", b"GET / HTTP/1.1\r\nA B: x\r\n\r\n", b"GET /%s HTTP/1.1\r\n\r\n" % (70_000 * b"a")],
    ids=["no HTTP", "bad header", "long address"],
)
def test_server_error_responses_have_no_body(data: Path, request_bytes: bytes) -> None:
    with (
        served(data) as (address, _),
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=10) as client,
    ):
        client.sendall(request_bytes)
        head, _, body = client.makefile("rb").read().partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 4")
    assert body == b""


def test_static_files_are_collected_after_a_change_only(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    monkeypatch.setattr(static_files, "call_command", lambda name, **options: calls.append(name))
    settings.STATIC_ROOT = tmp_path

    static_files.collectstatic_if_changed()
    static_files.collectstatic_if_changed()
    monkeypatch.setattr(static_files, "_fingerprint", lambda: "another")
    static_files.collectstatic_if_changed()

    assert calls == ["collectstatic", "collectstatic"]


@pytest.mark.parametrize("files", [512, 1024, 8192])
def test_connections_are_limited_below_open_file_limit(monkeypatch: pytest.MonkeyPatch, files: int) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (files, files))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: None)

    assert 8 <= serve_command._max_connections() <= files / 2 - 128
