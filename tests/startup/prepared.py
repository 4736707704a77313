"""Data folders as a first start leaves them: prepared once for all tests of a process, and copied."""

import atexit
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from tests.server import ROOT, environment

# What `serve` does before it serves.
PREPARE = """
import django; django.setup()
from econweb.startup.prepare_database import prepare_database
from econweb.startup.static_files import collectstatic_if_changed
prepare_database()
collectstatic_if_changed()
"""
# With an address of another service, nothing is loaded.
ELSEWHERE = {"ECON_BASE_URL": "http://127.0.0.1:9", "ECON_API_KEY": "0123456789abcdef" * 2}


def prepare(data: Path, has_sample: bool = True) -> Path:
    """Fill the folder, so that a start takes half of the processor time of a first one."""
    return Path(shutil.copytree(_prepared(has_sample), data, dirs_exist_ok=True))


@cache
def _prepared(has_sample: bool) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="econweb-prepared-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    settings = environment(folder) | ({} if has_sample else ELSEWHERE) | {"DJANGO_SETTINGS_MODULE": "econweb.settings"}
    subprocess.run([sys.executable, "-c", PREPARE], cwd=ROOT, env=settings, check=True)
    return folder
