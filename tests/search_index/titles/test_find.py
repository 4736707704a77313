"""Find series by words: what is found, in which order, and how it is counted."""

import re
from itertools import chain

import pytest

from econweb.search_index.titles import title_index
from econweb.search_index.titles.find import MAX_RANKED, TitleQuery, TitleResults, find, find_best
from econweb.search_index.titles.places import Record
from tests.search_index.sample import sample_records

pytestmark = pytest.mark.django_db


def ids(found: TitleResults) -> list[str]:
    return [row.series_id for row in found.rows]


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize(
    ("text", "series_id"),
    [
        ("us gdp", "GDP"),
        ("gross domestic product", "GDP"),
        ("unemployment rate california", "CAUR"),
        ("Real GDP", "GDPC1"),
        ("fed funds", "FEDFUNDS"),
        ("cpi", "CPIAUCSL"),
        ("real gd", "GDPC1"),
        ("jobs", "PAYEMS"),
        ("the unemployment rate in texas", "TXUR"),
        ("mortgage rates", "MORTGAGE30US"),
        ("crude oil pri", "DCOILWTICO"),
        ("UNEMPLOYMENT  Raté", "UNRATE"),
        ("house price", "MSPUS"),
        ("home prices new york", "NYXRSA"),
        ("nonfarm payroll", "PAYEMS"),
        ("jobless claims", "ICSA"),
        ("unemployment claims", "ICSA"),
        ("core inflation", "CPILFESL"),
        ("core inflation", "PCEPILFE"),
        ("core cpi", "CPILFESL"),
        ("pce inflation", "PCEPI"),
        ("pce deflator", "PCEPI"),
        ("core pce deflator", "PCEPILFE"),
        ("gdp deflator", "GDPDEF"),
        ("non-farm payrolls", "PAYEMS"),
        ("Non farm payroll", "PAYEMS"),
        ("t-bill", "TB3MS"),
        ("T-Bills", "TB3MS"),
        ("tbills 3 month", "TB3MS"),
        ("cars", "RSMVPD"),
        ("vacancies", "JTSJOL"),
    ],
)
def test_words_lead_to_the_right_series_of_the_sample(text: str, series_id: str) -> None:
    assert series_id in ids(find(TitleQuery(text)))[:3]


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize("text", ["S&P", "s&p ", "“S&P”.", "S&P/Case", "home S&P"])
def test_letters_that_an_ampersand_joins_begin_no_other_words(text: str) -> None:
    """CPIAUCSL was found by the P of “Price” and the S of “U.S.”."""
    found = [record.title for record in find_best(text, 40)]

    assert found
    assert [title for title in found if "S&P" not in title] == []


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("unemplyment", ("unemployment",)),
        ("unemplyoment rate", ("unemployment", "rate")),
        ("gros domestic prodct", ("gros", "domestic", "product")),
        ("unemploimnt rate", ("unemployment", "rate")),
    ],
)
def test_misspelt_words_are_replaced_by_near_ones(text: str, meant: tuple[str, ...]) -> None:
    found = find(TitleQuery(text)).meaning

    assert (found.is_corrected, found.words) == (True, meant)


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize("text", ["unemploymnet rate", "the civilan labor force"])
def test_misspelt_words_find_the_order_of_the_right_ones(text: str) -> None:
    """Titles were ranked by the words as typed, which none of them has."""
    found = find(TitleQuery(text))
    right = " ".join(found.meaning.words)

    assert ids(found) == ids(find(TitleQuery(right)))
    assert find_best(text, 10) == find_best(right, 10)


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize("text", ["unemployment", "unem", "california rate", "gdp", "zzqqx", "m2", "77"])
def test_known_words_and_those_like_none_stay_as_they_are(text: str) -> None:
    assert not find(TitleQuery(text)).meaning.is_corrected


@pytest.mark.usefixtures("sample_titles")
def test_words_of_no_title_are_named() -> None:
    found = find(TitleQuery("unemployment zzqqx"))

    assert (found.count, found.meaning.unknown) == (0, ("zzqqx",))


@pytest.mark.usefixtures("sample_titles")
def test_incomplete_word_that_is_repeated_is_not_unknown() -> None:
    assert find(TitleQuery("unem unem")).meaning.unknown == ()


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize("text", ["GNPCA", "gnpca", " GNPCA "])
def test_exact_id_comes_first(text: str) -> None:
    assert ids(find(TitleQuery(text)))[:1] == ["GNPCA"]


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize(
    ("text", "first"), [("GDPC", "GDPC1"), ("unrat", "UNRATE"), ("dgs", "DGS10"), ("A191", "A191RL1Q225SBEA")]
)
def test_beginning_of_an_id_finds_its_series(text: str, first: str) -> None:
    found = find(TitleQuery(text))

    assert ids(found)[0] == first == find_best(text, 6)[0].series_id
    assert found.count == len(ids(found)) == sum(found.facets["discontinued"].values())
    assert not found.meaning.is_corrected
    assert all(one.startswith(text.upper()) for one in ids(found))


def test_beginning_of_an_id_and_words_are_found_together() -> None:
    records = [
        Record("ZINC", "Price", popularity=1),
        Record("ZINC1", "Cost (DISCONTINUED)"),
        Record("B", "Zinc", "Daily"),
    ]
    title_index.add(records, title_index.IMPORTED)

    assert ids(find(TitleQuery("zinc"))) == ["ZINC", "B", "ZINC1"]
    assert ids(find(TitleQuery("zin", discontinued="yes"))) == ["ZINC1"]
    assert ids(find(TitleQuery("inc"))) == []


def test_beginning_of_an_id_counts_beside_more_titles_than_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("econweb.search_index.titles.find.MAX_COUNTED", 5)
    title_index.add((Record(f"S{n}", "Zinc", "Monthly", popularity=9) for n in range(9)), title_index.IMPORTED)
    title_index.add([Record("ZINC", "Price", "Daily"), Record("ZINC1", "Cost", "Daily")], title_index.IMPORTED)

    assert ids(find(TitleQuery("zinc")))[0] == "ZINC"
    assert ids(find(TitleQuery("zinc", frequency="Daily"))) == ["ZINC", "ZINC1"]


def test_popular_and_short_titles_come_first_and_discontinued_ones_last() -> None:
    title_index.add(
        [
            Record("A", "Zinc price of the north, by month", popularity=50),
            Record("B", "Zinc price", popularity=50),
            Record("C", "Zinc price of the south", popularity=90),
            Record("D", "Zinc (DISCONTINUED)", popularity=100),
        ],
        title_index.IMPORTED,
    )

    assert ids(find(TitleQuery("zinc"))) == ["C", "B", "A", "D"]


def test_results_are_complete_over_all_pages() -> None:
    title_index.add(
        (Record(f"S{n}", f"Zinc {n % 7}", popularity=n % 101) for n in range(3 * MAX_RANKED)), title_index.IMPORTED
    )
    pages = [ids(find(TitleQuery("zinc", offset=offset))) for offset in range(0, 3 * MAX_RANKED, 50)]

    assert sorted(chain.from_iterable(pages)) == sorted(f"S{n}" for n in range(3 * MAX_RANKED))


@pytest.mark.usefixtures("sample_titles")
def test_counts_by_facet_are_those_of_the_titles() -> None:
    found = find(TitleQuery("rate", frequency="Monthly"))
    having = [one for one in sample_records() if {"rate", "rates"} & {*re.findall(r"\w+", one.title.lower())}]

    assert found.facets["frequency"]["Weekly"] == sum(one.frequency.startswith("Weekly") for one in having)
    assert found.count == found.facets["frequency"]["Monthly"] == sum(one.frequency == "Monthly" for one in having)
    assert sum(found.facets["seasonal_adjustment"].values()) == found.count


@pytest.mark.usefixtures("sample_titles")
def test_filters_narrow_the_results() -> None:
    found = find(
        TitleQuery(
            "gdp", frequency="Quarterly", seasonal_adjustment="Seasonally Adjusted Annual Rate", discontinued="no"
        )
    )

    assert found.rows
    assert {(row.frequency, row.seasonal_adjustment) for row in found.rows} == {
        ("Quarterly", "Seasonally Adjusted Annual Rate")
    }


def test_large_results_are_cut_and_filtered_by_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("econweb.search_index.titles.find.MAX_COUNTED", 20)
    title_index.add(
        (Record(f"S{n}", "Zinc", "Daily" if n < 5 else "Monthly", popularity=n) for n in range(60)),
        title_index.IMPORTED,
    )
    cut, narrow = find(TitleQuery("zinc")), find(TitleQuery("zinc", frequency="Daily"))

    assert (cut.count, cut.is_more) == (20, True)
    assert (sorted(ids(narrow)), narrow.is_more) == (["S0", "S1", "S2", "S3", "S4"], False)


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize(
    "text",
    [
        '"',
        "'",
        '"a" OR "b',
        "NEAR(a b)",
        "rate*",
        "-rate",
        "title:rate",
        "^rate",
        "a\x00b",
        "\ue0003",
        "& | !",
        "\\",
        "%_",
    ],
)
def test_query_syntax_is_no_syntax(text: str) -> None:
    assert find(TitleQuery(text)) == find(
        TitleQuery(" ".join("".join(c if c.isalnum() else " " for c in text).split()))
    )


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize("text", ["x" * 100_000, "rate " * 20_000, "é" * 50_000, "́" * 50_000, "", "  ", "🙂"])
def test_long_and_empty_texts_are_searched_in_bounds(text: str) -> None:
    meaning = find(TitleQuery(text)).meaning

    assert len(meaning.words) <= 20
    assert all(len(word) <= 64 for word in meaning.words)
