"""Programs of the system that read what we write; an absent one skips a test, or fails it when required."""

import os
import shutil
from pathlib import Path

import pytest

MELLON = "/usr/lib/apache2/modules/mod_auth_mellon.so"

PACKAGES = {
    "pdflatex": "texlive-latex-base",
    "bibtex": "texlive-binaries",
    "Rscript": "r-base-core r-cran-jsonlite",
    "curl": "curl",
    "systemd-analyze": "systemd",
    "unzip": "unzip",
    "sha256sum": "coreutils",
    "patch": "patch",
    "nginx": "nginx-light",
    "caddy": "caddy",
    "tinyproxy": "tinyproxy-bin",
    "apache2": "apache2-bin",
    MELLON: "libapache2-mod-auth-mellon",
    "xmlsec1": "xmlsec1",
    "promtool": "prometheus",
    "sqlite3": "sqlite3",
    "redis-server": "redis-server",
    "redis-cli": "redis-tools",
}


def program(name: str) -> str:
    """Return the path of a program, or of a library that is named by its path."""
    path = shutil.which(name) or (name if Path(name).is_file() else None)
    if path:
        return path
    how = f"no {name} on this machine (on Debian: apt install {PACKAGES[name]})"
    if os.environ.get("ECONWEB_PROGRAMS") == "required":
        pytest.fail(how)
    pytest.skip(how)
