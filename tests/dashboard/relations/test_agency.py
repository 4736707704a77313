"""The agency of a series is what its notes call the source, and nothing that merely looks like a name."""

import pytest

from econweb.dashboard.relations.agency import find_agency

BEA, BLS = "U.S. Bureau of Economic Analysis", "U.S. Bureau of Labor Statistics"


@pytest.mark.parametrize(
    ("notes", "agency"),
    [
        ("Source: U.S. Bureau of Labor Statistics (BLS), Series Title: ALL ITEMS.", BLS),
        ("Rates of banks.\n\nSource: Freddie Mac. The rate is weekly.", "Freddie Mac"),
        ("A price. Data Source: Bureau of the Fiscal Service, Treasury", "Bureau of the Fiscal Service"),
        ("Source Agency: S&P Dow Jones Indices", "S&P Dow Jones Indices"),
        ('Source: <a href="https://example.org/">Bank of Example</a>.', "Bank of Example"),
        ("BEA Account Code: A191RC\n\nGross domestic product", BEA),
        ("All items. BLS series ID CUSR0000SA0.", BLS),
        ("Source: Bank of Example.\nBEA Account Code: A191RC", "Bank of Example"),
    ],
)
def test_agency_is_the_source_that_notes_name(notes: str, agency: str) -> None:
    assert find_agency(notes) == agency


@pytest.mark.parametrize(
    "notes",
    [
        None,
        "",
        "Source: Table 1.1.6",
        "Source: see the notes of the release.",
        "World Bank Source: ILO. Source Code: SL.UEM.TOTL.ZS",
        "Source Code: IP.B50001.S",
        "Account code A001RX in the national accounts of the Bureau of Economic Analysis.",
        "The source is: BEA. The code is CONFIDENTIAL.",
        "Source: " + "Bank " * 20_000,
    ],
)
def test_other_words_name_no_agency(notes: str | None) -> None:
    assert find_agency(notes) == ""
