"""Citations of a series as of one day: plain text, BibTeX, RIS and CSL-JSON."""

import json
import re
from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest
from django.utils import timezone

from econweb.dashboard.files.latex_format import escape_latex
from econweb.dashboard.page_links import provider_name, series_link
from econweb.dashboard.realtime import pin
from econweb.dashboard.sharing.pins import is_pinnable
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import Series, SeriesPage

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
_URL = '@preamble{"\\providecommand{\\url}[1]{\\texttt{\\detokenize{#1}}}"}\n\n'


@dataclass(frozen=True)
class Citation:
    """One version of a description, with a link that keeps showing it."""

    series: Series
    as_of: date
    accessed: date
    link: str
    publisher: str = ""

    @property
    def title(self) -> str:
        return _join_lines(f"{self.series.title} [{self.series.id}]")

    @property
    def note(self) -> str:
        series = self.series
        described = f"{series.frequency}, {series.units}, {series.seasonal_adjustment}"
        return _join_lines(f"{described}. As of {self.as_of}, last updated {series.last_updated}")

    def text(self) -> str:
        publisher = f" {self.publisher}." if self.publisher else ""
        return f"{self.title}. {self.note}.{publisher} {self.link} (accessed {self.accessed}).\n"

    def bibtex(self) -> str:
        publisher = escape_latex(self.publisher)
        fields = {
            # The second pair of braces keeps the capital letters.
            "title": f"{{{escape_latex(self.title)}}}",
            "note": escape_latex(self.note),
            "year": str(self.as_of.year),
            # Old styles such as `plain` sort by `key`, and print no `url`.
            "key": escape_latex(self.series.id),
            "publisher": publisher,
            # Old styles print this, and no `publisher` of a `@misc`.
            "howpublished": f"{publisher}{', ' if publisher else ''}\\url{{{self.link}}}",
            "url": self.link,
            "urldate": str(self.accessed),
        }
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
        return f"{_URL}@misc{{{self.series.id}_{self.as_of},\n{lines}\n}}\n"

    def ris(self) -> str:
        fields = {
            "TY": "DATA",
            "ID": f"{self.series.id}_{self.as_of}",
            "TI": self.title,
            "PY": f"{self.as_of.year}",
            "DA": f"{self.as_of:%Y/%m/%d}",
            **({"PB": self.publisher} if self.publisher else {}),
            "N1": self.note,
            "UR": self.link,
            "Y2": f"{self.accessed:%Y/%m/%d}",
            "ER": "",
        }
        return "".join(f"{tag}  - {value}\r\n" for tag, value in fields.items())

    def csl(self) -> str:
        item = {
            "id": f"{self.series.id}_{self.as_of}",
            "type": "dataset",
            "title": self.title,
            "version": f"as of {self.as_of}",
            "note": self.note,
            **({"publisher": self.publisher} if self.publisher else {}),
            "issued": _to_date_parts(self.as_of),
            "accessed": _to_date_parts(self.accessed),
            "URL": self.link,
        }
        return json.dumps([item], indent=2, ensure_ascii=False) + "\n"

    def render(self, suffix: str) -> str:
        return {"txt": self.text, "bib": self.bibtex, "ris": self.ris, "csl": self.csl}[suffix]()


def build_citation(request: HttpRequest, query: SeriesQuery, page: SeriesPage) -> Citation:
    """Cite the newest description by its pinned link, or by the link without dates where pinning is impossible."""
    reply = page.reply
    fixed = pin(query, reply.realtime_start, reply.realtime_end)
    lasting = fixed if is_pinnable(query) else SeriesQuery(query.series_id)
    link = request.build_absolute_uri(series_link(lasting))
    today = timezone.localdate()
    return Citation(reply.seriess[-1], fixed.realtime_end or today, today, link, provider_name())


def _join_lines(text: str) -> str:
    """Join the lines: in RIS a line break would begin a new field."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text).split())


def _to_date_parts(day: date) -> dict[str, list[list[int]]]:
    return {"date-parts": [[day.year, day.month, day.day]]}
