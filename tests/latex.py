"""LaTeX read by a program that did not write it."""

from pylatexenc.latex2text import LatexNodes2Text

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
