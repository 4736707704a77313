"""The page of similar categories and releases, and what leads to it."""

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.tags import similar, tag_index
from econweb.search_index.tags.similar import Similarities
from tests.dashboard.reading import document, links, words
from tests.search_index.recorded import record_tags, tags

pytestmark = pytest.mark.django_db


def record(kind: str, number: int, **counts: int) -> None:
    record_tags(kind, number, tags(**counts), 100, timezone.now())


@pytest.fixture
def four_owners() -> None:
    save_labels([Label(kind="release", number=53, name="Gross Domestic Product")])
    record("category", 1, gdp=90, output=50, usa=100)
    record("release", 53, gdp=80, output=40, usa=100)
    record("category", 3, gdp=10, prices=90, usa=100)
    record("category", 4, prices=100, usa=100)


@pytest.mark.usefixtures("four_owners")
def test_similar_page_lists_the_nearest_with_reasons_and_a_comparison(client: Client) -> None:
    page = client.get("/category/1/similar/")

    assert words(page, "//tbody//th") == ["Gross Domestic Product Release 53", "Category 3"]
    assert words(page, "//tbody/tr/td[2]") == ["output, gdp", "gdp"]
    assert links(page)["output"] == "/tag/output/"
    assert links(page)["Category 3"] == "/category/3/tags/"
    compared = document(page).xpath("string(//a[@aria-label='Compare with Category 3']/@href)")
    assert compared == "/compare/?a=category:1&b=category:3"


@pytest.mark.usefixtures("four_owners")
def test_similar_page_changes_with_the_index(client: Client) -> None:
    before = client.get("/category/1/similar/")
    tag_index.remove("release", 53)

    assert client.get("/category/1/similar/")["ETag"] != before["ETag"]
    assert words(client.get("/category/1/similar/"), "//tbody//th") == ["Category 3"]


def test_similar_page_without_neighbours_says_why(client: Client, settings: LazySettings) -> None:
    assert words(client.get("/category/1/similar/"), "//main//h2") == ["Not read yet"]
    record("category", 1, gdp=1)

    page = client.get("/category/1/similar/")
    assert words(page, "//main//h2") == ["Nothing similar"]
    assert words(page, "//h2/following::p")[0] == "No other category or release has one of its rarer tags."
    assert words(client.get("/category/2/similar/"), "//main//h2") == ["Not read yet"]
    record("category", 2)
    assert words(client.get("/category/2/similar/"), "//h2/following::p")[0] == "This category has no tags."
    settings.ECON_MAY_STORE = False
    tag_index.remove_foreign("")
    assert words(client.get("/category/1/similar/"), "//main//h2") == ["Not available on this site"]


@pytest.mark.usefixtures("four_owners")
def test_similar_page_says_that_a_large_index_is_not_computed_yet(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similar._Memory, "built", Similarities())
    monkeypatch.setattr(similar, "MAX_PAIRS_IN_REQUEST", 1)
    page = client.get("/category/1/similar/")
    assert words(page, "//main//h2") == ["Not computed yet"]

    similar.follow_index()
    assert words(client.get("/category/1/similar/", headers={"If-None-Match": page["ETag"]}), "//tbody//th")


@pytest.mark.usefixtures("category_125")
def test_tag_page_of_an_owner_links_similar_ones(client: Client, settings: LazySettings) -> None:
    assert document(client.get("/category/125/tags/")).xpath("//a[@href='/category/125/similar/']")
    settings.ECON_MAY_STORE = False
    assert not document(client.get("/category/125/tags/")).xpath("//a[@href='/category/125/similar/']")


@pytest.mark.usefixtures("four_owners")
def test_page_of_a_tag_names_tags_that_go_with_it(client: Client) -> None:
    assert words(client.get("/tag/gdp/"), "//*[@class='companions']") == [
        "Often in the same categories and releases, but not necessarily on the same series: output, prices"
    ]
    assert words(client.get("/tag/usa/"), "//*[@class='companions']") == []
