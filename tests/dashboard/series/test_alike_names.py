"""The page of a series leads to categories and releases with words of its title in their names."""

import pytest
from django.test import Client

from econweb.label_book import snapshot
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.builders import a_series
from tests.dashboard.reading import Answer, document
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db
NAMES = {
    ("category", 106): "GDP/GNP",
    ("category", 18): "National Products",
    ("release", 53): "Gross Domestic Product",
    ("release", 54): "The Product of Real Gross Words",
    ("release", 55): "Price of a Product",
}


def alike(page: Answer) -> list[str]:
    return [str(link.get("href")) for link in document(page).xpath("//p[contains(@class, 'found-names')]/a")]


@pytest.fixture(autouse=True)
def a_site(stand_in: FakeService) -> None:
    stand_in.seriess = {"GNPCA": [{**a_series(), "popularity": 39}]}


def test_series_page_leads_to_names_with_the_most_words_of_its_title(client: Client, stand_in: FakeService) -> None:
    """It said that it knows no category, and led to none."""
    save_labels([Label(kind=kind, number=number, name=name) for (kind, number), name in NAMES.items()])
    page = client.get("/series/GNPCA/")

    assert alike(page) == ["/release/54/tags/"]
    assert {endpoint for endpoint, _ in stand_in.asked} == {"series"}


@pytest.mark.parametrize(("name", "is_shown"), [("National Products", True), ("Products", False), ("GDP", False)])
def test_series_page_names_none_with_one_word_of_its_title(client: Client, name: str, is_shown: bool) -> None:
    save_labels([Label(kind="category", number=18, name=name)])

    assert alike(client.get("/series/GNPCA/")) == (["/category/18/tags/"] if is_shown else [])


def test_series_page_has_a_new_name_at_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot._Memory, "good_until", 0.0)
    etag = client.get("/series/GNPCA/")["ETag"]
    save_labels([Label(kind="category", number=18, name="National Products")])
    page = client.get("/series/GNPCA/", headers={"If-None-Match": etag})

    assert page.status_code == 200
    assert alike(page) == ["/category/18/tags/"]
