"""Settings as a start reads them, under the variables of a test alone."""

import os
import runpy
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from econweb.config import log_config
from tests.server import ROOT

KEY = "0123456789abcdefghijklmnopqrstuv"


def read_settings(folder: Path, **given: str) -> dict[str, Any]:
    """Return the settings under these environment variables alone."""
    ours = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder / "var")} | given
    # Settings read in this process leave its log lines and secrets as they are.
    with (
        patch.dict(os.environ, ours, clear=True),
        patch.object(log_config, "build_log_config", lambda *_: {}),
    ):
        return runpy.run_path(str(ROOT / "econweb" / "settings.py"))


def refusal(folder: Path, **given: str) -> str:
    """Return the line with which a start ends."""
    with pytest.raises(SystemExit) as refused:
        read_settings(folder, **given)
    return str(refused.value)
