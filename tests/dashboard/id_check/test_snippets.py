"""The steps for continuous integration, run as the page shows them: they pass, fail, wait and give up as they say."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
import requests
from django.contrib.auth.models import User
from django.core.wsgi import get_wsgi_application
from lxml import html
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from econweb.accounts.tokens import renew_token
from econweb.dashboard.id_check import snippets
from econweb.upstream.errors import Busy, Unavailable
from tests.dashboard.id_check.records import SINCE, versions
from tests.fake_service import FakeService
from tests.http_server import running
from tests.programs import program

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
LANGUAGES = ["Shell", "Python"]
IDS = "A,B"


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture(autouse=True)
def two_series(stand_in: FakeService) -> None:
    stand_in.seriess = {name: versions(name, {}) for name in "AB"}


def run(live_server: LiveServer, folder: Path, language: str, ids: str = IDS, **changes: str) -> Any:
    """Run the code that the page of these ids shows, as a file; shells of runners stop at the first error."""
    page = html.fromstring(requests.get(f"{live_server.url}/check/?ids={ids}&since={SINCE}", timeout=60).text)
    code = str(page.xpath("string(//section[@class='snippet'][h2=$language]/pre)", language=language))
    for old, new in changes.items():
        code = code.replace(old, new)
    (folder / "step").write_text(code)
    return run_file(folder, language)


def run_file(folder: Path, language: str) -> Any:
    command = [program("sh"), "-e"] if language == "Shell" else [sys.executable]
    if language == "Shell":
        program("curl")
    return subprocess.run([*command, "step"], cwd=folder, capture_output=True, text=True, timeout=100, check=False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_step_passes_in_silence_when_every_id_is_fine(live_server: LiveServer, tmp_path: Path, language: str) -> None:
    done = run(live_server, tmp_path, language)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_step_fails_and_names_what_is_not_fine(
    live_server: LiveServer, stand_in: FakeService, tmp_path: Path, language: str
) -> None:
    title = 'Says "fine":true and "verdict":"fine" \\ $(exit 0) `id` \' % %s'
    stand_in.seriess["B"] = versions("B", {"units": "Percent"}, title=title)
    done = run(live_server, tmp_path, language, "A,B,NONE")

    assert (done.returncode, done.stderr) == (1, "")
    named = [re.split("[^A-Z]+", line.removeprefix('{"id":"'))[0] for line in done.stdout.splitlines()]
    assert named == ["NONE", "B"]
    assert "units changed" in done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_step_waits_until_every_id_is_checked(
    live_server: LiveServer, stand_in: FakeService, tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    get, left = stand_in.get, [Busy("The service is busy.", 1), Busy("The service is busy.", 1)]

    def be_busy(endpoint: str, parameters: dict[str, str]) -> bytes:
        if parameters["series_id"] == "B" and left:
            raise left.pop()
        return get(endpoint, parameters)

    monkeypatch.setattr(stand_in, "get", be_busy)
    done = run(live_server, tmp_path, language)

    assert (done.returncode, done.stdout, done.stderr, left) == (0, "", "", [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_step_gives_up_after_its_patience(
    live_server: LiveServer, stand_in: FakeService, tmp_path: Path, language: str
) -> None:
    """A failing service is no verdict: the status is neither that of success nor that of a finding."""
    stand_in.error = Unavailable("The service failed.")
    done = run(live_server, tmp_path, language, **{str(snippets.PATIENCE): "3"})

    assert (done.returncode, done.stdout) == (2, "")
    assert "503" in done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_step_says_that_its_ids_are_wrong(live_server: LiveServer, tmp_path: Path, language: str) -> None:
    done = run(live_server, tmp_path, language, **{IDS: "F-1"})

    assert (done.returncode, done.stdout) == (2, "")
    assert "400" in done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_step_fails_when_the_site_is_away(live_server: LiveServer, tmp_path: Path, language: str) -> None:
    done = run(live_server, tmp_path, language, **{live_server.url: "http://127.0.0.1:9"})

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_step_sends_its_token(
    tmp_path: Path, language: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.READ, settings.SIGN_IN = "signed-in", "password"
    User.objects.create_user("ada")
    statuses = []
    # A server that began with these settings.
    with running(make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)) as site:
        code = snippets.check_snippets(f"{site}/check.json", {"ids": IDS}, needs_token=True)[language]
        (tmp_path / "step").write_text(code)
        for token in ("", "wrong", renew_token("ada")):
            monkeypatch.setenv("ECONWEB_TOKEN", token)
            statuses.append(run_file(tmp_path, language).returncode)
        monkeypatch.delenv("ECONWEB_TOKEN")
        statuses.append(run_file(tmp_path, language).returncode)

    assert statuses == [2, 2, 0, 2]


def test_token_is_no_argument_of_a_program(tmp_path: Path) -> None:
    code = snippets.check_snippets("http://x/check.json", {"ids": IDS}, needs_token=True)["Shell"]
    (tmp_path / "step").write_text(code)
    (tmp_path / "curl").write_text('#!/bin/sh\necho "$@" > arguments\ncat > sent\n')
    (tmp_path / "curl").chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "ECONWEB_TOKEN": "planted"}
    subprocess.run([program("sh"), "step"], cwd=tmp_path, env=environment, check=False)

    assert "planted" not in (tmp_path / "arguments").read_text()
    assert (tmp_path / "sent").read_text() == "Authorization: Bearer planted\n"


@pytest.mark.parametrize("code", snippets.check_snippets("http://x/'$(id)\"`", {"ids": "'; exit 0; '"}).values())
def test_hostile_address_stays_a_text(code: str, tmp_path: Path) -> None:
    """A host name with quotes never arrives, and would be no code."""
    (tmp_path / "step").write_text(code)
    checked = [program("sh"), "-n", "step"] if code.startswith("#!") else [sys.executable, "-m", "py_compile", "step"]

    assert subprocess.run(checked, cwd=tmp_path, capture_output=True, check=False).returncode == 0
