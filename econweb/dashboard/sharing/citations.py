"""Citations of a view as of one day: plain text, BibTeX, RIS and CSL-JSON."""

import json
import re
from dataclasses import dataclass
from datetime import date

from django.http import HttpResponse

from econweb.dashboard.files.latex_format import escape_latex
from econweb.dashboard.page_links import with_query
from econweb.dashboard.rendering.response_head import add_links

# By the suffix of a file; a page shows the text of the first.
MEDIA_TYPES = {
    "txt": "text/plain",
    "bib": "application/x-bibtex",
    "ris": "application/x-research-info-systems",
    "csl": "application/vnd.citationstyles.csl+json",
}
# The files; the text is copied from the page.
LABELS = {"bib": "BibTeX", "ris": "RIS (Zotero, EndNote)", "csl": "CSL-JSON", "txt": "Plain text"}

# For documents that load neither `url` nor `hyperref`.
# A `%` in a link begins no comment there.
_URL = (
    '@preamble{"\\providecommand{\\url}{\\begingroup\\catcode`\\%=12\\relax\\plainurl}'
    '\\providecommand{\\plainurl}[1]{\\texttt{\\detokenize{#1}}\\endgroup}"}\n\n'
)


@dataclass(frozen=True)
class Citation:
    """Something to cite, with a link to it; title and note have one line each."""

    # The id of what is cited.
    name: str
    title: str
    note: str
    version: str
    issued: date
    link: str
    # None for what never changes.
    accessed: date | None = None
    publisher: str = ""
    # An agency, where it is known.
    author: str = ""
    # What users of a file have to know; no style prints it.
    caveat: str = ""

    @property
    def key(self) -> str:
        return f"{self.name}_{self.issued}"

    def text(self) -> str:
        author = f"{self.author}. " if self.author else ""
        publisher = f" {self.publisher}." if self.publisher else ""
        accessed = f" (accessed {self.accessed})." if self.accessed else ""
        return f"{author}{self.title}. {self.note}.{publisher} {self.link}{accessed}\n"

    def _plain_file(self) -> str:
        return f"{self.text()}{self.caveat}\n" if self.caveat else self.text()

    def bibtex(self) -> str:
        author, publisher = (escape_latex(one) for one in (self.author, self.publisher))
        accessed = f" (accessed {self.accessed})" if self.accessed else ""
        fields = {
            # The second pair of braces keeps an agency in one piece, and the capital letters.
            "author": f"{{{author}}}" if author else "",
            "title": f"{{{escape_latex(self.title)}}}",
            "note": escape_latex(self.note),
            "year": str(self.issued.year),
            # Where there is no author, styles sort by `key`, and those of author and year cite by it.
            # The second pair of braces hides parentheses from natbib, which takes their content for the year.
            "key": f"{{{publisher or escape_latex(self.name)}}}",
            # Every style prints this; some print no `url`, and others would print the address twice.
            "howpublished": f"{publisher + ', ' if publisher else ''}\\url{{{self.link}}}{accessed}",
            "annote": escape_latex(self.caveat),
        }
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
        return f"{_URL}@misc{{{self.key},\n{lines}\n}}\n"

    def ris(self) -> str:
        fields = {
            "TY": "DATA",
            "ID": self.key,
            **({"AU": self.author} if self.author else {}),
            "TI": self.title,
            "PY": f"{self.issued.year}",
            "DA": f"{self.issued:%Y/%m/%d}",
            **({"PB": self.publisher} if self.publisher else {}),
            "N1": self.note,
            **({"RN": self.caveat} if self.caveat else {}),
            "UR": self.link,
            **({"Y2": f"{self.accessed:%Y/%m/%d}"} if self.accessed else {}),
            "ER": "",
        }
        return "".join(f"{tag}  - {value}\r\n" for tag, value in fields.items())

    def csl(self) -> str:
        item = {
            "id": self.key,
            "type": "dataset",
            **({"author": [{"literal": self.author}]} if self.author else {}),
            "title": self.title,
            "version": self.version,
            "note": self.note,
            **({"publisher": self.publisher} if self.publisher else {}),
            "issued": _to_date_parts(self.issued),
            **({"accessed": _to_date_parts(self.accessed)} if self.accessed else {}),
            "URL": self.link,
            **({"annote": self.caveat} if self.caveat else {}),
        }
        return json.dumps([item], indent=2, ensure_ascii=False) + "\n"

    def render(self, suffix: str) -> str:
        return {"txt": self._plain_file, "bib": self.bibtex, "ris": self.ris, "csl": self.csl}[suffix]()


def citation_files(path: str, query_string: str = "") -> dict[str, str]:
    """Return the links to the files by their labels; `path` has no suffix."""
    return {label: with_query(f"{path}.{suffix}", query_string) for suffix, label in LABELS.items()}


def citation_response(citation: Citation, suffix: str) -> HttpResponse:
    response = HttpResponse(citation.render(suffix), content_type=f"{MEDIA_TYPES[suffix]}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{citation.name}-{citation.issued}.{suffix}"'
    add_links(response, [f'<{citation.link}>; rel="describes"; type="text/html"'])
    return response


def join_lines(text: str) -> str:
    """Join the lines: in RIS a line break would begin a new field."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text).split())


def _to_date_parts(day: date) -> dict[str, list[list[int]]]:
    return {"date-parts": [[day.year, day.month, day.day]]}
