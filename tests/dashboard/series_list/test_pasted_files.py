"""Tables in files, mails and code that are pasted: with bars, semicolons or commas, and the files of this site."""

import pytest
from django.test import Client

from econweb.dashboard.search_box.pasted_ids import leaves_out, parse_ids
from tests.dashboard.reading import canonical, row_heads, words
from tests.dashboard.series_list.test_pasted_tables import TABLE
from tests.processor_time import processor_seconds

LEFT_OUT = "The other columns of the pasted table, and lines of text around it, are left out."
APPENDIX = """Variable\tFRED code\tSource
GDP\tGDPC1\tBEA
M2\tM2SL\tFed
Unemployment\tUNRATE\tBLS"""


@pytest.mark.parametrize("separator", ["\t", "|", " | ", ";", "; ", ",", ", "])
def test_column_with_a_name_in_capitals_and_small_letters_has_no_ids(separator: str) -> None:
    text = APPENDIX.replace("\t", separator)

    assert parse_ids(text) == (("GDPC1", "M2SL", "UNRATE"), ())
    assert leaves_out(text)


@pytest.mark.parametrize(
    "text",
    [
        "GDPC1, Real GDP\nUNRATE, Unemployment rate",
        "GDPC1; Real GDP, chained\nUNRATE; Unemployment rate, in percent",
        "| ID | Title |\n|:---|---:|\n| GDPC1 | Real GDP |\n| UNRATE | Unemployment rate |",
        "Code | Title\n-----|------\nGDPC1 | Real GDP\nUNRATE | Unemployment rate",
        'series_id,title\n"GDPC1","Real GDP, chained"\n"UNRATE","Unemployment rate"',
        "# of 2026, at noon, by us\nGDPC1, Real GDP\n\nUNRATE, Unemployment rate",
        "Dear all\nI need these\nGDPC1, Real GDP\nUNRATE, Unemployment rate",
        "1, GDPC1, Real GDP\n#2, UNRATE, Unemployment rate",
    ],
)
def test_table_without_tabs_has_a_column_of_ids(text: str) -> None:
    assert parse_ids(text) == (("GDPC1", "UNRATE"), ())
    assert leaves_out(text)


@pytest.mark.parametrize(
    "line",
    [
        "unrate | cpiaucsl",
        '"unrate" "cpiaucsl"',
        "unrate - cpiaucsl",
        "(unrate) cpiaucsl",
        "- unrate, cpiaucsl",
        "https://econ.example.org/series/UNRATE Unemployment, cpiaucsl",
    ],
)
def test_ids_in_a_line_beside_a_table_are_read(line: str) -> None:
    assert {"GNPCA", "UNRATE", "CPIAUCSL"} <= {*parse_ids(f"ID\tTitle\nGNPCA\tReal GNP\n{line}")[0]}


@pytest.mark.parametrize("line", ["1. Unrate", "1) Unrate", "(1) Unrate"])
def test_numbered_id_beside_a_table_is_read(line: str) -> None:
    assert parse_ids(f"ID\tTitle\nGNPCA\tReal GNP\n{line}") == (("GNPCA", "UNRATE"), ())


@pytest.mark.parametrize(
    "text",
    [
        # One line, and lines of different numbers of cells.
        "GDP, UNRATE, and PAYEMS of all",
        "I use GDP, and UNRATE\nor rather PAYEMS, CPIAUCSL, and M2SL",
        # An id in the first line is no heading.
        "please add GDP, UNRATE\nPAYEMS, CPIAUCSL",
        'ids = ["GDP", "UNRATE",\n       "PAYEMS", "CPIAUCSL",\n]',
        "gdp = get('GDP', start)\nrate = get('UNRATE', start)",
        "import fred GDP, clear\nimport fred UNRATE, clear",
        "GDP, UNRATE\nPAYEMS, CPIAUCSL\nThanks for your help, Bob",
    ],
)
def test_sentences_and_code_are_read_whole(text: str) -> None:
    assert parse_ids(text) == parse_ids(text.replace("\n", " "))
    assert not leaves_out(text)


@pytest.mark.parametrize(
    "heading", ["Series ID\tCountry", "FRED code\tCountry", "Of series\tof area", "FRED series\tof area"]
)
def test_heading_alone_is_left_out_without_a_notice(heading: str) -> None:
    text = f"{heading}\nGDP\tUS\nUNRATE\tDE"

    assert parse_ids(text) == (("GDP", "US", "UNRATE", "DE"), ())
    assert not leaves_out(text)


def test_mail_in_which_a_column_is_left_out_has_a_notice() -> None:
    assert leaves_out("GDP, UNRATE\nthanks, all the best")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("path", ["/series/", "/check/"])
@pytest.mark.parametrize("file", ["csv", "csv&comments=no", "csv&columns=units", "md", "md&columns=units"])
def test_file_of_a_list_has_its_ids(client: Client, path: str, file: str) -> None:
    extension, _, more = file.partition("&")
    text = b"".join(client.get(f"/series.{extension}?ids=UNRATE,GDP,CPI&{more}")).decode()

    page = client.get(path, {"ids": text})

    assert canonical(page) == f"{path}?ids=UNRATE,GDP,CPI"
    assert words(page, "//main/p[@class='notice']") == [LEFT_OUT]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(("path", "more"), [("/series/", {}), ("/check/", {"since": ""})])
@pytest.mark.parametrize("form", [{}, {"form": "plain"}])
def test_page_says_that_columns_are_left_out(
    client: Client, path: str, more: dict[str, str], form: dict[str, str]
) -> None:
    page = client.get(path, {"ids": TABLE, **more, **form}, follow=True)

    assert sorted(row_heads(page)) == ["GDP", "UNRATE"]
    assert canonical(page) == f"{path}?ids=GDP,UNRATE"
    assert words(page, "//main/p[@class='notice']") == [LEFT_OUT]
    assert not words(client.get(canonical(page)), "//main/p[@class='notice']")


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("", "\t"),
        ("", "a b\t"),
        ("", "a\tb c\n"),
        ("", "\n\t"),
        ("", "a b\n"),
        ("", "a,"),
        ("\t", "\na\tb c"),
        ("a\tb c\n", "x "),
        ("", "a|b c\n"),
        ("", "a,b c\n"),
        ("", '"a,'),
        ("", '"a",b c\n'),
        ("", "# a,b\n"),
    ],
)
def test_long_table_is_read_in_bounded_time(line: str, part: str) -> None:
    """O1: a text ten times as long takes about ten times as long, not a hundred times."""
    texts = (line * n + part * n for n in (1_000, 10_000))
    few, many = (processor_seconds(lambda text=text: parse_ids(text), tries=2) for text in texts)  # type: ignore[misc]

    assert many < 50 * few
