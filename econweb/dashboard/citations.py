"""How a paper names a series as it stood on one day: in words, BibTeX, RIS and CSL-JSON."""

import json
import re
from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest

from econweb.dashboard.files.tex_file import escaped
from econweb.dashboard.provenance import pinned, series_link, today
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import Series, SeriesPage

# By the suffix of a file; a page shows the words of the first.
MEDIA_TYPES = {
    "txt": "text/plain",
    "bib": "application/x-bibtex",
    "ris": "application/x-research-info-systems",
    "csl": "application/vnd.citationstyles.csl+json",
}

# For documents that load neither `url` nor `hyperref`.
_URL = '@preamble{"\\providecommand{\\url}[1]{\\texttt{\\detokenize{#1}}}"}\n\n'


@dataclass(frozen=True)
class Citation:
    """One version of a description, seen on a day at a link that goes on showing it."""

    series: Series
    as_of: date
    accessed: date
    link: str

    @property
    def title(self) -> str:
        return _one_line(f"{self.series.title} [{self.series.id}]")

    @property
    def note(self) -> str:
        series = self.series
        described = f"{series.frequency}, {series.units}, {series.seasonal_adjustment}"
        return _one_line(f"{described}. As of {self.as_of}, last updated {series.last_updated}")

    def text(self) -> str:
        return f"{self.title}. {self.note}. {self.link} (accessed {self.accessed}).\n"

    def bibtex(self) -> str:
        fields = {
            # The second pair of braces keeps the capital letters.
            "title": f"{{{escaped(self.title)}}}",
            "note": escaped(self.note),
            "year": str(self.as_of.year),
            # Styles as old as `plain` sort by it, and print no `url`.
            "key": escaped(self.series.id),
            "howpublished": f"\\url{{{self.link}}}",
            "url": self.link,
            "urldate": str(self.accessed),
        }
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
        return f"{_URL}@misc{{{self.series.id}_{self.as_of},\n{lines}\n}}\n"

    def ris(self) -> str:
        fields = {
            "TY": "DATA",
            "ID": f"{self.series.id}_{self.as_of}",
            "TI": self.title,
            "PY": f"{self.as_of.year}",
            "DA": f"{self.as_of:%Y/%m/%d}",
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
            "issued": _date_parts(self.as_of),
            "accessed": _date_parts(self.accessed),
            "URL": self.link,
        }
        return json.dumps([item], indent=2, ensure_ascii=False) + "\n"

    def written(self, suffix: str) -> str:
        return {"txt": self.text, "bib": self.bibtex, "ris": self.ris, "csl": self.csl}[suffix]()


def cited(request: HttpRequest, query: SeriesQuery, page: SeriesPage) -> Citation:
    """The newest description, at the link that goes on showing it."""
    reply = page.reply
    fixed = pinned(query, reply.realtime_start, reply.realtime_end)
    link = request.build_absolute_uri(series_link(fixed))
    return Citation(reply.seriess[-1], fixed.realtime_end or today(), today(), link)


def _one_line(text: str) -> str:
    """A line break would begin a new field in RIS."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text).split())


def _date_parts(day: date) -> dict[str, list[list[int]]]:
    return {"date-parts": [[day.year, day.month, day.day]]}
