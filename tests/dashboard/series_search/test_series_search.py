"""The search page: rows, facets, pages, files, and words that find nothing."""

import json

import pytest
from django.test import Client

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from tests.dashboard.reading import alert, canonical, document, links, rows_of, words
from tests.search_index.sample import sample_titles

pytestmark = pytest.mark.django_db
__all__ = ["sample_titles"]
ROWS = "//table/tbody/tr"


def ids(page: object) -> list[str]:
    return words(page, f"{ROWS}/th")  # type: ignore[arg-type]


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize(
    ("q", "series_id"),
    [
        ("us gdp", "GDP"),
        ("gross domestic product", "GDP"),
        ("unemployment rate california", "CAUR"),
        ("employment", "PAYEMS"),
    ],
)
def test_search_leads_to_the_right_series(client: Client, q: str, series_id: str) -> None:
    page = client.get("/search/", {"q": q})

    assert series_id in ids(page)[:3]
    assert links(page)[series_id] == f"/series/{series_id}/"


@pytest.mark.usefixtures("sample_titles")
def test_search_says_what_it_looked_for(client: Client) -> None:
    page = client.get("/search/?q=unemplyment")

    assert ids(page)[0] == "UNRATE"
    assert words(page, "//p[@class='notice']")[0].startswith("Showing results for unemployment.")
    assert words(page, f"{ROWS}[1]//mark") == ["Unemployment"]
    assert "Showing results for" not in client.get("/search/?q=unemployment").text


@pytest.mark.usefixtures("sample_titles")
def test_search_rows_describe_the_series(client: Client) -> None:
    page = client.get("/search/?q=GDPC1")

    assert words(page, f"{ROWS}[1]/*") == [
        "GDPC1",
        "Real Gross Domestic Product",
        "Quarterly",
        "Billions of Chained 2017 Dollars",
        "Seasonally Adjusted Annual Rate",
    ]


@pytest.mark.usefixtures("sample_titles")
def test_search_finds_ids_by_their_beginning(client: Client) -> None:
    assert {"GDPC1", "GDPCA"} == {*ids(client.get("/search/?q=GDPC"))}


@pytest.mark.usefixtures("sample_titles")
def test_search_facets_are_links_with_counts(client: Client) -> None:
    page = client.get("/search/?q=gdp")
    quarterly = next(words for words in links(page) if words.startswith("Quarterly"))
    narrow = client.get(links(page)[quarterly])

    assert links(page)[quarterly] == "/search/?q=gdp&frequency=Quarterly"
    assert len(ids(narrow)) == int(quarterly.split()[1])
    assert words(narrow, "//nav[@aria-label='Frequency']/a[@aria-current]") == [quarterly]
    assert document(narrow).xpath("string(//nav[@aria-label='Frequency']/a[1]/@href)") == "/search/?q=gdp"


def test_search_has_pages_of_fifty_rows(client: Client) -> None:
    title_index.add((Record(f"S{n}", f"Zinc {n}", popularity=n % 90) for n in range(120)), title_index.IMPORTED)
    first, last = client.get("/search/?q=zinc"), client.get("/search/?q=zinc&offset=100")

    assert (len(ids(first)), len(ids(last))) == (50, 20)
    assert links(first)["Next"] == "/search/?q=zinc&offset=50"
    assert links(last)["Previous"] == "/search/?q=zinc&offset=50"
    assert len(first.content) < 30_000


@pytest.mark.usefixtures("sample_titles")
def test_search_past_the_last_row_leads_back(client: Client) -> None:
    page = client.get("/search/?q=gdp&frequency=Quarterly&offset=2000")

    assert words(page, "//main//h2") == ["Nothing on this page"]
    assert links(page)["Show the first page"] == "/search/?q=gdp&frequency=Quarterly"
    assert not document(page).xpath("//table")


@pytest.mark.usefixtures("sample_titles")
def test_search_link_is_canonical(client: Client) -> None:
    answer = client.get("/search/?form=plain&q=us++gdp&frequency=&offset=0")

    assert (answer.status_code, answer["Location"]) == (302, "/search/?q=us+gdp")
    assert canonical(client.get("/search/?frequency=Annual&q=us+gdp")) == "/search/?q=us+gdp&frequency=Annual"


@pytest.mark.usefixtures("sample_titles")
def test_search_files_have_the_rows_of_all_pages(client: Client) -> None:
    rows = rows_of(client, "/search.csv?q=rate&offset=50")
    as_json = json.loads(client.get("/search/?q=rate", headers={"Accept": "application/json"}).getvalue())

    assert len(rows) == as_json["count"] > 50
    assert rows[0]["id"] == as_json["seriess"][0]["id"] == ids(client.get("/search/?q=rate"))[0]
    assert {*rows[0]} >= {"id", "title", "frequency", "units", "seasonal_adjustment", "popularity", "discontinued"}


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize(
    ("q", "said"),
    [
        ("", "Find a series by the words of its title"),
        ("zzqqx", "No title has “zzqqx”."),
        ("unemployment ozone", "No title has"),
        ('" NEAR ( *', "No series with"),
        ("<script>alert(1)</script>", "No series with"),
    ],
)
def test_search_helps_where_nothing_is_found(client: Client, q: str, said: str) -> None:
    page = client.get("/search/", {"q": q})

    assert page.status_code == 200
    assert any(said in text for text in words(page, "//div[@class='empty-state']"))
    assert "<script>alert" not in page.text


@pytest.mark.parametrize(
    "link",
    [
        "q=a&q=b",
        "q=%00",
        "frequency=Hourly",
        "seasonal_adjustment=x",
        "discontinued=maybe",
        "offset=-1",
        f"q={'x' * 2001}",
    ],
)
def test_search_refuses_wrong_parameters(client: Client, link: str) -> None:
    page = client.get(f"/search/?{link}")

    assert (page.status_code, bool(alert(page))) == (400, True)


@pytest.mark.usefixtures("sample_titles")
def test_search_fragment_has_results_only(client: Client) -> None:
    page = client.get("/search/?q=gdp&form=plain", headers={"HX-Request": "true", "HX-Target": "results"})

    assert ids(page)[0] == "GDP"
    assert page["HX-Replace-Url"] == "/search/?q=gdp"
    assert not document(page).xpath("//header")


def test_search_shows_names_of_categories_and_releases(client: Client) -> None:
    save_labels([Label(kind="release", number=53, name="Gross Domestic Product")])

    assert links(client.get("/search/?q=gross"))["Gross Domestic Product"] == "/release/53/tags/"


def test_search_shows_new_titles_at_once(client: Client) -> None:
    title_index.add([Record("A", "Zinc")], title_index.IMPORTED)
    before = client.get("/search/?q=zinc")
    title_index.add([Record("B", "Zinc")], title_index.IMPORTED)

    assert before["ETag"] != client.get("/search/?q=zinc")["ETag"]


def test_search_marks_discontinued_series(client: Client) -> None:
    title_index.add([Record("A", "Zinc"), Record("B", "Zinc (DISCONTINUED)")], title_index.FETCHED)
    page = client.get("/search/?q=zinc")

    assert words(page, "//tr[.//strong='Discontinued']/th") == ["B"]
    assert [row["discontinued"] for row in rows_of(client, "/search.csv?q=zinc")] == ["no", "yes"]


@pytest.mark.parametrize("link", ["/search/?q=_", "/suggest?q=_", "/suggest.json?q=_", "/go?q=_"])
def test_search_without_letters_finds_an_id_whose_title_has_none_either(client: Client, link: str) -> None:
    title_index.add([Record("_A", "…")], title_index.IMPORTED)
    answer = client.get(link, follow=True)

    assert answer.status_code == 200
    assert "_A" in answer.text
