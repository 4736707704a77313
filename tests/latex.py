"""LaTeX read and set by programs that did not write it."""

import subprocess
from pathlib import Path

from pylatexenc.latex2text import LatexNodes2Text

from tests.programs import program

_READER = LatexNodes2Text(strict_latex_spaces=True)
# Commands of LaTeX itself that the reader does not know, as it would give them.
_UNKNOWN = {
    r" \newline ": "\n",
    r"\char34{}": '{"}',
    r"\textquotesingle{}": "{'}",
    r"\textasciigrave{}": "{`}",
    r"\textasciicircum{}": "{^}",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textbraceleft{}": r"\{",
    r"\textbraceright{}": r"\}",
}


def text_set_by(latex: str) -> str:
    for command, known in _UNKNOWN.items():
        latex = latex.replace(command, known)
    return str(_READER.latex_to_text(latex))


def set_citation(bibtex: str, package: str, folder: Path, style: str = "plain") -> None:
    """Set a document that cites the entry, with at most one package."""
    (folder / "cited.bib").write_text(bibtex)
    (folder / "paper.tex").write_text(
        rf"\documentclass{{article}}{package}\begin{{document}}\nocite{{*}}"
        rf"\bibliographystyle{{{style}}}\bibliography{{cited}}\end{{document}}"
    )
    latex = [program("pdflatex"), "-halt-on-error", "-interaction=nonstopmode", "paper"]
    for command in (latex, [program("bibtex"), "paper"], latex):
        run = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
        assert run.returncode == 0, run.stdout[-2000:]
