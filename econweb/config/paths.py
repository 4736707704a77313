"""Folders of the program: in a checkout, or beside the code where pip installed it."""

import tomllib
from pathlib import Path

PACKAGE_DIR = Path(__file__).resolve().parent.parent
# A wheel carries templates and static files inside the package (pyproject.toml).
IS_INSTALLED = (PACKAGE_DIR / "templates").is_dir()
BASE_DIR = PACKAGE_DIR if IS_INSTALLED else PACKAGE_DIR.parent
# An installed program reads .env, and by default writes to var/, where the command is called.
WORKING_DIR = Path.cwd() if IS_INSTALLED else BASE_DIR


def read_version() -> str:
    """Return the version of this program. Versions of libraries would help an attacker."""
    project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])
