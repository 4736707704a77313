"""Programs of the system that read what we write; an absent one skips a test, or fails it when required."""

import os
import shutil

import pytest

PACKAGES = {
    "pdflatex": "texlive-latex-base",
    "bibtex": "texlive-binaries",
    "Rscript": "r-base-core r-cran-jsonlite",
    "curl": "curl",
    "nginx": "nginx-light",
    "apache2": "apache2-bin",
}


def program(name: str) -> str:
    path = shutil.which(name)
    if path:
        return path
    how = f"no {name} on this machine (on Debian: apt install {PACKAGES[name]})"
    if os.environ.get("ECONWEB_PROGRAMS") == "required":
        pytest.fail(how)
    pytest.skip(how)
