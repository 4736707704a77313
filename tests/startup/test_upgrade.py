"""An upgrade host by host: earlier static files stay for a week, and systemd hears when a host serves."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

from econweb.startup.static_files import MAX_RETIRED_SECONDS
from tests.server import ROOT, environment, served
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow
# Another version has fewer style sheets.
COLLECT = """
import django
django.setup()
from econweb.startup import bundles, static_files
bundles.STYLES = bundles.STYLES[:-{fewer}]
static_files.collectstatic_if_changed()
"""


def collect(data: Path, fewer: int) -> str:
    """Collect the files of another version, and return the name of its style sheet."""
    named = {"DJANGO_SETTINGS_MODULE": "econweb.settings"}
    command = [sys.executable, "-c", COLLECT.format(fewer=fewer)]
    subprocess.run(command, cwd=ROOT, env=environment(data) | named, check=True)
    return str(json.loads((data / "static/staticfiles.json").read_text())["paths"]["econweb.css"])


def test_static_files_of_earlier_versions_stay_for_a_week(tmp_path: Path) -> None:
    data = prepare(tmp_path / "data")
    static = data / "static"
    first, second = collect(data, 1), collect(data, 2)
    both = [name for name in (first, second) for name in (name, f"{name}.br", f"{name}.gz")]

    assert first != second
    assert [name for name in both if not (static / name).is_file()] == []

    for name in both[:3]:
        os.utime(static / name, (0, time.time() - MAX_RETIRED_SECONDS - 60))
    third = collect(data, 3)

    assert [(static / name).is_file() for name in both] == [False] * 3 + [True] * 3
    with served(data) as (address, _):
        answers = [requests.get(f"{address}/static/{name}", timeout=10).status_code for name in (first, second)]
    assert third != second
    assert answers == [404, 200]


@pytest.mark.parametrize("is_abstract", [False, True])
def test_service_manager_hears_when_the_host_serves(tmp_path: Path, is_abstract: bool) -> None:
    data = prepare(tmp_path / "data")
    name = f"@econweb-{os.getpid()}" if is_abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name.replace("@", "\0"))
        manager.settimeout(60)
        with served(data, NOTIFY_SOCKET=name) as (address, _):
            assert manager.recv(100) == b"READY=1"
            assert requests.get(f"{address}/healthz", timeout=10).status_code == 200
