"""Workers serve where processes are spawned and not forked, as on macOS and from Python 3.14 on."""

import sys
from pathlib import Path

import pytest
import requests

from tests.server import served
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow
SPAWN = (
    "import multiprocessing; multiprocessing.set_start_method('spawn'); from econweb.command_line import main; main()"
)


def test_spawned_worker_serves_pages(tmp_path: Path) -> None:
    with served(prepare(tmp_path), program=(sys.executable, "-c", SPAWN)) as (address, _):
        assert requests.get(f"{address}/series/GNPCA/", timeout=10).status_code == 200
