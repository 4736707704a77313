"""Tables that are pasted from a spreadsheet: the column of ids is read alone where it is plain which one it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from econweb.dashboard.search_box.pasted_ids import leaves_out, parse_ids

HEADING = "Series ID\tTitle"
TABLE = f"{HEADING}\r\ngdp\tGross Domestic Product\r\n UNRATE \tUnemployment Rate\r\n"

HEADINGS = {"id", "ids", "code", "codes"}
one_id = st.from_regex(r"[A-Z0-9_]{0,12}[A-Z_][A-Z0-9_]{0,12}", fullmatch=True).filter(
    lambda one: one.lower() not in HEADINGS
)
ids = st.lists(one_id, unique=True, min_size=1, max_size=9)
word = st.from_regex(r"[A-Za-z]{1,9}", fullmatch=True).filter(lambda one: one.lower() not in HEADINGS)
title = st.lists(word, min_size=2, max_size=4).map(" ".join)
number = st.one_of(st.integers(0, 10**9).map(str), st.floats(-1e6, 1e6).map("{:,.2f}".format), st.just("1."))
day = st.dates().flatmap(lambda one: st.sampled_from([f"{one}", f"{one:%d.%m.%Y}", f"{one:%m/%d/%Y}", f"{one:%Y%m%d}"]))
frequency = st.sampled_from(["Quarterly", "Monthly", "FRED"])
others = st.sampled_from([title, number, day, frequency, word])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TABLE, ("GDP", "UNRATE")),
        ("gdp\tGross Domestic Product", ("GDP",)),
        ("Gross Domestic Product\tgdp\nUnemployment Rate\tUNRATE", ("GDP", "UNRATE")),
        ("Consumer Price Index\t\tCPIAUCSL\n\t\tGDP", ("CPIAUCSL", "GDP")),
        ("GNPCA, GDPC1\ngdp\tGross Domestic Product", ("GNPCA", "GDPC1", "GDP")),
        # Other columns of single words before the ids.
        ("1\tGDP\tGross Domestic Product\n2\tUNRATE\tUnemployment Rate", ("GDP", "UNRATE")),
        ("No.\tSeries ID\tTitle\n1.\tGDP\tGross Domestic Product", ("GDP",)),
        ("2026-01-01\tGDP\tGross Domestic Product\n2026-02-01\tUNRATE\tUnemployment Rate", ("GDP", "UNRATE")),
        ("FRED\tGDP\tGross Domestic Product\nfred\tUNRATE\tUnemployment Rate", ("GDP", "UNRATE")),
        ("•\tGDP\tGross Domestic Product", ("GDP",)),
        # Several ids in a cell.
        ("GDP, UNRATE\tmain list\nPAYEMS\tjobs of all", ("GDP", "UNRATE", "PAYEMS")),
        ("jobs of all\tPAYEMS\nmain list\tGDP;UNRATE", ("PAYEMS", "GDP", "UNRATE")),
        # Of several columns that may have the ids, those in capitals, if the first one is.
        ("GDP\tGross Domestic Product\tQuarterly\nUNRATE\tUnemployment Rate\tMonthly", ("GDP", "UNRATE")),
        ("Symbol\tTitle\tFrequency\nGDP\tGross Product\tQuarterly\nGNPCA\tOf B\tAnnual", ("SYMBOL", "GDP", "GNPCA")),
        ("A\tFRED\tGross Product\n_\tFRED\tOf B", ("A", "_")),
        ("US\tGDP\tGross Product\nDE\tUNRATE\tOf B", ("US", "GDP", "DE", "UNRATE")),
        ("gdp\tQ\tGross Product\nunrate\tM\tOf B", ("GDP", "Q", "UNRATE", "M")),
        ("Quarterly\tGDP\tOf A\nMonthly\tUNRATE\tOf B", ("GDP", "UNRATE")),
        ("gdp\tFed\tOf A\nUNRATE\tBLS\tOf B\nm2sl\tFed\tOf C", ("GDP", "UNRATE", "M2SL")),
        # A column is read without another one, though it has an id twice or a cell of several words.
        ("GDP\tGross Product\nUNRATE\tOf B\nGDP\tGross Product", ("GDP", "UNRATE")),
        ("Monthly\tPAYEMS\nMonthly\tGDP UNRATE", ("PAYEMS", "GDP", "UNRATE")),
        # Rows and grids of single words, code with tabs before its lines, and tables without a column of ids.
        ("GDP\tUNRATE\nCPIAUCSL\tGNPCA", ("GDP", "UNRATE", "CPIAUCSL", "GNPCA")),
        ('c(\n\t"GDP", "UNRATE",\n\t"CPIAUCSL"\n)', ("GDP", "UNRATE", "CPIAUCSL")),
        ("A B\tC D\nE F\tG H", ("A", "B", "C", "D", "E", "F", "G", "H")),
    ],
)
def test_only_the_column_of_ids_is_read(text: str, expected: tuple[str, ...]) -> None:
    assert parse_ids(text) == (expected, ())


TITLES = ("Gross Domestic Product", "Unemployment Rate", "Gross National Product")
UNIQUE, REPEATED, NUMBERS = ("Quarterly", "Monthly", "Annual"), ("Monthly", "Monthly", "Annual"), ("1.5", "2.5", "3.0")


def side_by_side(*columns: tuple[str, ...]) -> str:
    return written([[*row] for row in zip(*columns, strict=True)])


@pytest.mark.parametrize("bad", ["FRED:UNRATE", "#N/A", "2020-01-01"])
@pytest.mark.parametrize("beside", [UNIQUE, REPEATED, NUMBERS])
@pytest.mark.parametrize("heading", ["", "Series ID\tLong title\tOne more\n", "Of a column\tSeries ID\tOne more\n"])
def test_column_of_ids_wins_with_a_cell_that_is_no_id(bad: str, beside: tuple[str, ...], heading: str) -> None:
    for cells in (("GDP", bad, "GNPCA"), ("GDP", "GNPCA", bad), (bad, "GDP", "GNPCA")):
        assert parse_ids(heading + side_by_side(cells, TITLES, beside)) == (("GDP", "GNPCA"), (bad,))
        assert parse_ids(heading + side_by_side(TITLES, cells, beside)) == (("GDP", "GNPCA"), (bad,))


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        # A repeated id, and a cell of several words.
        ((("GDP", "GDP", "GNPCA"), TITLES, UNIQUE), ("GDP", "GNPCA")),
        ((("GDP", "not found", "GNPCA"), TITLES, UNIQUE), ("GDP", "NOT", "FOUND", "GNPCA")),
        ((("GDP", "not found", "GNPCA"), TITLES, REPEATED), ("GDP", "NOT", "FOUND", "GNPCA")),
        ((("gdp", "unrate", "cpi"), ("Q", "M", "Q"), TITLES), ("GDP", "UNRATE", "CPI")),
        # Several columns in capitals: none is lost.
        ((("Q", "M", "A"), ("GDP", "n/a", "GNPCA"), TITLES), ("Q", "GDP", "M", "A", "GNPCA")),
        # Short titles, units and codes beside ids.
        ((("GDPC1", "UNRATE", "CPIAUCSL"), ("GDP", "Unemployment Rate", "CPI")), ("GDPC1", "UNRATE", "CPIAUCSL")),
        ((("GDP", "Unemployment Rate", "CPI"), ("GDPC1", "UNRATE", "CPIAUCSL")), ("GDPC1", "UNRATE", "CPIAUCSL")),
        ((("Percent", "Index", "1982=100"), ("GDP", "UNRATE", "CPI"), TITLES), ("GDP", "UNRATE", "CPI")),
        ((("gdp", "unrate", "cpi"), ("Percent", "Index", "1982=100"), TITLES), ("GDP", "UNRATE", "CPI")),
        ((("USD", "n/a", "EUR"), ("gdp", "unrate", "cpi"), TITLES), ("USD", "GDP", "UNRATE", "EUR", "CPI")),
    ],
)
def test_no_column_is_lost_because_of_one_cell(columns: tuple[tuple[str, ...], ...], expected: tuple[str, ...]) -> None:
    assert parse_ids(side_by_side(*columns))[0] == expected


def test_half_is_enough_beside_single_words() -> None:
    assert parse_ids(side_by_side(("GDP", "#N/A"), TITLES[:2], UNIQUE[:2])) == (("GDP",), ("#N/A",))
    assert parse_ids("ID\tVALUE\tTITLE\nGDP\t1.5\tGross Product") == (("GDP",), ())


CAPTION = "Table A1. Variables used in the estimation"
ROWS = "Variable\tFRED id\tTransformation\tSource\nOutput\tGDPC1\tlog\tFRED\nPrices at all\tCPIAUCSL\tlog\tFRED"


@pytest.mark.parametrize(
    "note",
    [
        CAPTION,
        f"{CAPTION}\t\t\t",
        f"\t{CAPTION}\t",
        "Table 1, variables used",
        "Notes: All data from FRED.",
        "Notes: GDP is real.",
        "Source: FRED",
        "Source: https://fred.example/",
        "gdp unrate",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_caption_or_note_of_a_table_is_not_read(note: str, end: str) -> None:
    for lines in ([note, "", ROWS], [ROWS, "", note, ""], [note, ROWS, note]):
        assert parse_ids("\n".join(lines).replace("\n", end)) == (("GDPC1", "CPIAUCSL"), ())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("variables", ("VARIABLES",)),
        ("GNPCA UNRATE", ("GNPCA", "UNRATE")),
        ("gnpca, unrate; payems", ("GNPCA", "UNRATE", "PAYEMS")),
        ("gnpca\nunrate\n- payems\n1. gdp", ("GNPCA", "UNRATE", "PAYEMS", "GDP")),
        ("https://fred.example/series/GNPCA https://fred.example/series/UNRATE", ("GNPCA", "UNRATE")),
    ],
)
def test_ids_above_a_table_are_read(line: str, expected: tuple[str, ...]) -> None:
    assert parse_ids(f"{line}\n{ROWS}") == ((*expected, "GDPC1", "CPIAUCSL"), ())


@given(ids, st.lists(title), st.data())
def test_captions_and_notes_between_lines_of_a_table_are_no_ids(
    given_ids: list[str], notes: list[str], data: st.DataObject
) -> None:
    rows = [f"{one}\tLong title" for one in given_ids]
    for note in notes:
        tabs = data.draw(st.sampled_from(["", "\t", "\t\t"]))
        rows.insert(data.draw(st.integers(0, len(rows))), f"Note: {note}{tabs}")

    assert parse_ids("\n".join(rows)) == (tuple(given_ids), ())


@given(ids, st.lists(st.sampled_from([title, number, day])), st.integers(0, 9), st.booleans(), st.data())
def test_titles_numbers_and_dates_beside_ids_are_no_ids(
    given_ids: list[str], others: list[st.SearchStrategy[str]], at: int, has_heading: bool, data: st.DataObject
) -> None:
    rows = [place(one, [data.draw(other) for other in [*others, title]], at) for one in given_ids]
    heading = [["Of a column"] * (len(others) + 2)] if has_heading else []

    assert parse_ids(written(heading + rows)) == (tuple(given_ids), ())


@given(ids.filter(lambda some: len(some) > 1), frequency, st.integers(0, 9), st.data())
def test_column_of_one_word_beside_ids_has_no_ids(
    given_ids: list[str], repeated: str, at: int, data: st.DataObject
) -> None:
    rows = [place(one, [repeated, data.draw(title), repeated], at) for one in given_ids]

    assert parse_ids(written(rows)) == (tuple(given_ids), ())


@given(ids, st.lists(st.sampled_from([title, number, day, frequency, word])), st.integers(0, 9), st.data())
def test_no_id_of_a_table_is_lost(
    given_ids: list[str], others: list[st.SearchStrategy[str]], at: int, data: st.DataObject
) -> None:
    rows = [place(one, [data.draw(other) for other in others], at) for one in given_ids]

    assert {*given_ids} <= {*parse_ids(written(rows))[0]}


SEPARATORS = ["|", ";", ",", " | ", "; ", ", "]


@given(ids.filter(lambda some: len(some) > 1), st.lists(others), st.integers(0, 9), st.data())
def test_table_with_another_separator_has_the_same_ids(
    given_ids: list[str], beside: list[st.SearchStrategy[str]], at: int, data: st.DataObject
) -> None:
    heading = data.draw(st.sampled_from([[], [["Series ID", *["Of a column"] * (len(beside) + 1)]]]))
    rows = heading + [place(one, [data.draw(other) for other in [*beside, title]], at) for one in given_ids]

    for separator in SEPARATORS:
        assert parse_ids(quoted(rows, separator)) == parse_ids(written(rows))
        assert leaves_out(quoted(rows, separator))


def quoted(rows: list[list[str]], separator: str) -> str:
    mark = separator.strip()
    return "\n".join(separator.join(f'"{cell}"' if mark in cell else cell for cell in row) for row in rows)


def place(one: str, others: list[str], at: int) -> list[str]:
    """Return a line with the id at that column, or at the last one."""
    return [*others[:at], one, *others[at:]]


def written(rows: list[list[str]]) -> str:
    return "\n".join("\t".join(row) for row in rows)


@given(st.lists(ids, min_size=1, max_size=5))
def test_grid_of_single_words_is_read_whole(rows: list[list[str]]) -> None:
    expected = tuple(dict.fromkeys(one for row in rows for one in row))

    for separator in ["\t", *SEPARATORS]:
        assert parse_ids(quoted(rows, separator)) == (expected, ())
        assert not leaves_out(quoted(rows, separator))


@given(st.text(alphabet="AB1 .()\n", max_size=60) | st.text(alphabet="AB1,;|.()\n", max_size=60))
def test_text_without_cells_or_without_cells_of_several_words_is_read_as_one_line(text: str) -> None:
    assert parse_ids(text) == parse_ids(text.replace("\n", " "))
