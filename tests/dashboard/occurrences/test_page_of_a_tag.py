"""The page of a tag: what it is, where it occurs, its files and its errors."""

import json
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from econweb.dashboard.page_links import tag_link
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.models import IndexedTag
from econweb.search_index.tags import tag_index
from tests.dashboard.reading import alert, canonical, links, rows_of, words
from tests.search_index.recorded import record_tags, tag, tags

pytestmark = pytest.mark.django_db

ROW_HEADS, NUMBERS = "//tbody//th", "//tbody//td"


def record(kind: str, number: int, series: int = 100, **counts: int) -> None:
    record_tags(kind, number, tags(**counts), series, timezone.now())


@pytest.fixture
def three_owners() -> None:
    save_labels([Label(kind="category", number=125, name="Trade Balance")])
    record("category", 125, gdp=10)
    record("category", 9, series=20, gdp=8)
    record("release", 53, series=1000, gdp=300)


@pytest.mark.usefixtures("three_owners")
def test_page_of_a_tag_lists_where_it_occurs_by_number_of_series(client: Client) -> None:
    page = client.get("/tag/gdp/")

    assert words(page, ROW_HEADS) == ["Release 53", "Trade Balance Category 125", "Category 9"]
    assert words(page, NUMBERS) == ["300", "30.0 %", "10", "10.0 %", "8", "40.0 %"]
    assert links(page)["Category 9"] == "/category/9/tags/?tag_names=gdp"
    assert canonical(page) == "/tag/gdp/"


@pytest.mark.usefixtures("three_owners")
def test_page_of_a_tag_sorts_by_share_and_chooses_a_kind(client: Client) -> None:
    page = client.get("/tag/gdp/")
    by_share = client.get(links(page)["Share of series"])
    releases = client.get(links(page)["Releases 1"])

    assert words(by_share, ROW_HEADS) == ["Category 9", "Release 53", "Trade Balance Category 125"]
    assert words(client.get(links(by_share)["Share of series"]), ROW_HEADS)[0] == "Trade Balance Category 125"
    assert words(releases, ROW_HEADS) == ["Release 53"]


@pytest.mark.parametrize(
    ("link", "short"),
    [
        ("/tag/a%3Fb%25/?form=plain&kind=x&offset=", "/tag/a%3Fb%25/?kind=x"),
        ("/tag/a%3Fb%25.csv?form=plain&kind=release&offset=0", "/tag/a%3Fb%25.csv?kind=release"),
    ],
)
def test_redirect_keeps_the_name_of_a_tag(client: Client, link: str, short: str) -> None:
    record_tags("category", 9, [tag("a?b%")], 20, timezone.now())
    answer = client.get(link)

    assert (answer.status_code, answer["Location"]) == (302, short)


@pytest.mark.parametrize("path", ["/tag/%00/", "/tag/gd%00p.csv", "/tag/gdp%00/?kind=category"])
def test_tag_with_a_nul_is_not_found(client: Client, path: str) -> None:
    """B11: PostgreSQL refuses the character, and the page said that the database is unavailable."""
    with CaptureQueriesContext(connection) as queries:
        page = client.get(path)

    assert page.status_code == 404
    assert not any(IndexedTag._meta.db_table in query["sql"] for query in queries)


def test_page_of_a_tag_says_what_the_tag_is(client: Client) -> None:
    seen = tag("gdp", group_id="gen", popularity=80, notes="Gross product, https://example.org")
    record_tags("category", 1, [seen], 10, timezone.now())
    page = client.get("/tag/gdp/")

    assert words(page, "//header[@class='sheet-head']") == [
        "Browse › Tags · Topic gdp Occurs in 1 category · popularity 80 Gross product, https://example.org",
    ]
    assert links(page)["https://example.org"] == "https://example.org"


@pytest.mark.usefixtures("three_owners")
def test_page_of_a_tag_says_what_was_read_and_how_old_it_is(client: Client) -> None:
    save_labels([Label(kind="release", number=1, name="Not read")])
    record_tags("category", 9, tags(gdp=8), 20, timezone.now() - timedelta(minutes=10))

    covered = words(client.get("/tag/gdp/"), "//p[@class='facts']")[-1]
    assert covered == "Of 4 known categories and releases 3 were read, the oldest 10 minutes ago."


@pytest.mark.parametrize("name", ["a/b", "50% & more?", "é 語 #1", "x.csv", "a;b\\c", "<i>", "'\"", "a+b"])
def test_page_of_a_tag_opens_for_any_name(client: Client, name: str) -> None:
    record_tags("category", 1, [tag(name)], 10, timezone.now())
    page = client.get(tag_link(name))

    assert words(page, "//h1") == [name]
    assert client.get(links(page)["Categories 1"]).status_code == 200


@pytest.mark.usefixtures("three_owners")
def test_page_of_a_tag_has_files_of_all_rows(client: Client) -> None:
    rows = rows_of(client, "/tag/gdp.csv?order_by=share")

    assert [row["id"] for row in rows] == ["9", "53", "125"]
    assert rows[2] == {"kind": "category", "id": "125", "name": "Trade Balance", "series_count": "10", "share": "0.1"}
    assert json.loads(client.get("/tag/gdp.json").getvalue())["occurrences"][0]["share"] == 0.3


@pytest.mark.usefixtures("three_owners")
def test_tag_file_is_new_after_a_name_changed(client: Client) -> None:
    known = {"If-None-Match": client.get("/tag/gdp.csv")["ETag"]}

    assert client.get("/tag/gdp.csv", headers=known).status_code == 304
    save_labels([Label(kind="category", number=125, name="Balance of Trade")])
    assert "Balance of Trade" in client.get("/tag/gdp.csv", headers=known).getvalue().decode()


@pytest.mark.usefixtures("three_owners")
def test_tag_file_is_sent_without_queries(client: Client) -> None:
    response = client.get("/tag/gdp.csv")
    with CaptureQueriesContext(connection) as queries:
        response.getvalue()

    assert not queries.captured_queries


def test_page_of_a_tag_has_pages_for_many_occurrences(client: Client) -> None:
    for number in range(1, 121):
        record("category", number, gdp=number)
    first = client.get("/tag/gdp/")
    last = client.get("/tag/gdp/?offset=100")

    assert len(words(first, ROW_HEADS)) == 50
    assert links(first)["Next"] == "/tag/gdp/?offset=50"
    assert words(last, "//caption") == ["101–120 of 120 categories or releases with this tag"]
    assert len(rows_of(client, "/tag/gdp.csv")) == 120
    assert words(client.get("/tag/gdp/?offset=500"), "//main//h2") == ["Nothing on this page"]


def test_page_of_an_unknown_tag_is_a_404_with_the_coverage(client: Client) -> None:
    record("category", 9, gdp=8)
    page = client.get("/tag/nowhere/")

    assert page.status_code == 404
    assert "No tag “nowhere”" in alert(page)
    assert "The only known category or release was read less than a minute ago." in alert(page)


@pytest.mark.parametrize(
    ("share", "said"), [(0.1, "none was read yet. Try again in a few minutes."), (0.0, "none was read yet. Open")]
)
def test_page_of_a_tag_denies_no_tag_before_anything_was_read(
    client: Client, settings: LazySettings, share: float, said: str
) -> None:
    settings.ECON_BASE_URL, settings.ECON_BACKGROUND_SHARE = "https://api.example.org", share
    save_labels(Label(kind="release", number=number, name="Not read") for number in (1, 2))
    page = client.get("/tag/nowhere/")

    assert page.status_code == 404
    assert "It is not known where “nowhere” occurs" in alert(page)
    assert said in alert(page)


def test_page_of_a_tag_says_that_nothing_may_be_stored(client: Client, settings: LazySettings) -> None:
    settings.ECON_MAY_STORE = False

    page = client.get("/tag/gdp/")
    assert "It is not known where “gdp” occurs" in alert(page)
    assert "This site may not store what the provider sends" in alert(page)


@pytest.mark.parametrize("link", ["kind=series", "order_by=name", "sort_order=up", "offset=-1", "kind=a&kind=b"])
def test_page_of_a_tag_rejects_invalid_parameters(client: Client, link: str) -> None:
    page = client.get(f"/tag/gdp/?{link}")

    assert (page.status_code, bool(alert(page))) == (400, True)


@pytest.mark.usefixtures("three_owners")
def test_page_of_a_tag_changes_with_the_index(client: Client) -> None:
    before = client.get("/tag/gdp/")
    again = client.get("/tag/gdp/", headers={"If-None-Match": before["ETag"]})
    tag_index.remove("release", 53)

    assert again.status_code == 304
    assert words(client.get("/tag/gdp/"), ROW_HEADS) == ["Trade Balance Category 125", "Category 9"]
    assert client.get("/tag/gdp/")["ETag"] != before["ETag"]
