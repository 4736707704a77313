"""Environments of the peers: made on demand in DATA_DIR, never a part of the project."""

import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from bench.servers import ROOT

PLACE = Path(os.environ.get("DATA_DIR", ROOT / "var")) / "bench" / "peers"


def python_of(name: str, packages: Sequence[str]) -> str:
    """The interpreter of an environment that holds the packages; it is kept for the next time."""
    folder = PLACE / name
    python, stamp = folder / "bin" / "python", folder / "packages"
    if not stamp.is_file() or stamp.read_text() != "\n".join(packages):
        print(f"Installing {' '.join(packages)} ...", file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        stamp.write_text("\n".join(packages))
    return str(python)
