"""A citation, read by a program for its format, has the values of the record."""

import json
import re
from datetime import date
from pathlib import Path

import hypothesis
import pytest
import rispy
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pybtex.database import parse_string
from pytest_django import Settings

from econweb.dashboard.series.citations import cite_series
from econweb.dashboard.sharing.citations import MEDIA_TYPES, Citation
from econweb.upstream.records import Series
from tests.builders import a_series
from tests.fake_service import FakeService
from tests.latex import set_citation, text_set_by

LINK = "https://econweb.example/series/GNPCA/?realtime_start=2026-11-20&realtime_end=2026-11-20"
HOSTILE = "A {b} } 100% \\end $5 & #1_x ~ ^ \"q\" 'é' @misc\r\nER  - \nTY  - BOOK <b>"


def a_cited_series(
    title: str = "Real Gross National Product", units: str = "Billions of Dollars", notes: str | None = None
) -> Series:
    return Series(
        id="GNPCA",
        realtime_start=date(2026, 11, 20),
        realtime_end=date(2026, 11, 20),
        title=title,
        observation_start=date(1929, 1, 1),
        observation_end=date(2025, 1, 1),
        frequency="Annual",
        frequency_short="A",
        units=units,
        units_short="Bil.",
        seasonal_adjustment="Not Seasonally Adjusted",
        seasonal_adjustment_short="NSA",
        last_updated="2026-03-28 07:46:01-05",
        popularity=39,
        notes=notes,
    )


def a_citation(
    title: str = "Real Gross National Product",
    units: str = "Billions of Dollars",
    publisher: str = "",
    notes: str | None = None,
) -> Citation:
    series = a_cited_series(title, units, notes)
    return cite_series(series, date(2026, 11, 20), date(2026, 11, 21), LINK, publisher)


def test_citation_text_is_complete() -> None:
    assert a_citation().text() == (
        "Real Gross National Product [GNPCA]. Annual, Billions of Dollars, Not Seasonally Adjusted. "
        f"As of 2026-11-20, last updated 2026-03-28 07:46:01-05. {LINK} (accessed 2026-11-21).\n"
    )


@pytest.mark.parametrize("title", ["Real Gross National Product", HOSTILE])
def test_citation_bibtex_is_read_back(title: str) -> None:
    citation = a_citation(title, units=title)
    (entry,) = parse_string(citation.bibtex(), "bibtex").entries.values()

    assert (entry.type, entry.key) == ("misc", "GNPCA_2026-11-20")
    assert text_set_by(entry.fields["title"].removeprefix("{").removesuffix("}")) == citation.title
    assert text_set_by(entry.fields["note"]) == citation.note
    assert entry.fields["howpublished"] == rf"\url{{{LINK}}} (accessed 2026-11-21)"


@pytest.mark.parametrize("package", ["", r"\usepackage{url}"])
def test_citation_bibtex_works_with_standard_style(tmp_path: Path, package: str) -> None:
    set_citation(a_citation().bibtex(), package, tmp_path)

    assert "Warning" not in (tmp_path / "paper.blg").read_text()
    assert LINK in "".join((tmp_path / "paper.bbl").read_text().split())


@pytest.mark.parametrize(
    ("style", "package", "label"),
    [
        ("plain", "", ""),
        ("plainnat", r"\usepackage{natbib}", r"[{Bank \& Example (sample)}()]"),
        ("apalike", "", r"[{Bank \& Example (sample)}, 2026]"),
    ],
)
def test_citation_without_an_agency_has_the_provider_as_label(
    tmp_path: Path, style: str, package: str, label: str
) -> None:
    """BibTeX named the provider as author, and the other formats as publisher."""
    set_citation(a_citation(publisher="Bank & Example (sample)").bibtex(), package, tmp_path, style)

    assert "Warning" not in (tmp_path / "paper.blg").read_text()
    printed = " ".join((tmp_path / "paper.bbl").read_text().partition(r"\begin{thebibliography}")[2].split())
    assert f"\\bibitem{label}{{GNPCA_2026-11-20}}" in printed
    assert "Bank \\& Example (sample), \\url{" in printed


@pytest.mark.parametrize("title", ["Real Gross National Product", HOSTILE])
def test_citation_ris_is_read_back(title: str) -> None:
    citation = a_citation(title, units=title)
    (entry,) = rispy.loads(citation.ris())

    assert (entry["type_of_reference"], entry["title"]) == ("DATA", citation.title)
    assert (entry["notes"], entry["urls"]) == ([citation.note], [LINK])
    assert (entry["year"], entry["access_date"]) == ("2026", "2026/11/21")


@pytest.mark.parametrize("title", ["Real Gross National Product", HOSTILE])
def test_citation_csl_json_is_read_back(title: str) -> None:
    citation = a_citation(title)
    (item,) = json.loads(citation.csl())

    assert (item["type"], item["title"], item["URL"]) == ("dataset", citation.title, LINK)
    assert item["issued"] == {"date-parts": [[2026, 11, 20]]}
    assert item["accessed"] == {"date-parts": [[2026, 11, 21]]}


def test_citation_names_publisher() -> None:
    citation = a_citation(publisher="Bank & Example")
    (entry,) = parse_string(citation.bibtex(), "bibtex").entries.values()

    assert "-05. Bank & Example. https://" in citation.text()
    assert not entry.persons
    assert "authors" not in rispy.loads(citation.ris())[0]
    assert text_set_by(entry.fields["key"].strip("{}")) == "Bank & Example"
    assert entry.fields["howpublished"].startswith(rf"Bank \& Example, \url{{{LINK}}}")
    assert rispy.loads(citation.ris())[0]["publisher"] == "Bank & Example"
    assert json.loads(citation.csl())[0]["publisher"] == "Bank & Example"


def test_citation_names_the_agency_of_the_notes_first() -> None:
    citation = a_citation(notes="Source: S&P Dow Jones Indices. The index is daily.", publisher="Bank & Example")
    (entry,) = parse_string(citation.bibtex(), "bibtex").entries.values()

    assert citation.text().startswith("S&P Dow Jones Indices. Real Gross National Product [GNPCA]. ")
    assert [text_set_by(str(one).strip("{}")) for one in entry.persons["author"]] == ["S&P Dow Jones Indices"]
    assert rispy.loads(citation.ris())[0]["authors"] == ["S&P Dow Jones Indices"]
    assert json.loads(citation.csl())[0]["author"] == [{"literal": "S&P Dow Jones Indices"}]
    assert entry.fields["howpublished"].startswith(rf"Bank \& Example, \url{{{LINK}}}")
    assert "author" not in a_citation().bibtex()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("configured", "publisher"),
    [
        ({}, "The embedded catalogue"),
        ({"ECON_BASE_URL": "https://api.example.org:8443/v1"}, "api.example.org"),
        (
            {"ECON_BASE_URL": "https://api.example.org", "ECON_WEBSITE": "https://example.org/{series_id}"},
            "example.org",
        ),
        ({"ECON_PROVIDER": "Bank of Example", "ECON_WEBSITE": "https://example.org/{series_id}"}, "Bank of Example"),
    ],
)
def test_citation_file_has_publisher_of_settings(
    client: Client, stand_in: FakeService, settings: Settings, configured: dict[str, str], publisher: str
) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    for name, value in configured.items():
        setattr(settings, name, value)

    (item,) = json.loads(client.get("/series/GNPCA.csl").content)
    assert item["publisher"] == publisher


@hypothesis.settings(deadline=None)
@given(st.text(max_size=30))
def test_citation_escapes_any_title(title: str) -> None:
    citation = a_citation(title)

    assert len(parse_string(citation.bibtex(), "bibtex").entries) == 1
    assert len(rispy.loads(citation.ris())) == 1
    assert json.loads(citation.csl())[0]["title"] == citation.title


@pytest.mark.parametrize("suffix", MEDIA_TYPES)
def test_citation_has_real_time_date_and_access_date(suffix: str) -> None:
    digits = re.sub(r"\D+", "", a_citation().render(suffix).replace("-{}", ""))

    assert "20261120" in digits
    assert "20261121" in digits


@pytest.mark.parametrize("suffix", MEDIA_TYPES)
def test_citation_as_of_a_past_day_states_no_later_update(suffix: str) -> None:
    """The record of a past day is that of the end of its version."""
    cited = cite_series(a_cited_series(), date(2015, 6, 30), date(2026, 11, 21), LINK, "").render(suffix)

    assert "As of 2015-06-30" in cited
    assert "last updated" not in cited
