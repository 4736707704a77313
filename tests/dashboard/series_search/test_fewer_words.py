"""A search without results offers those with one word less, also where the search box has no match."""

import pytest
from django.test import Client

from tests.dashboard.reading import document, links
from tests.dashboard.series_search.test_series_search import ids
from tests.search_index.sample import sample_titles

pytestmark = pytest.mark.django_db
__all__ = ["sample_titles"]


@pytest.mark.usefixtures("sample_titles")
def test_search_without_results_offers_those_with_one_word_less(client: Client) -> None:
    page = client.get("/search/", {"q": "unemployment rate quarterlyx california"})
    (fewer,) = document(page).xpath("//*[@id='rows']//a")

    assert ids(page) == []
    assert fewer.text.endswith(" with “unemployment rate california”")
    assert int(fewer.text.split()[0]) == len(ids(client.get(fewer.get("href"))))


@pytest.mark.usefixtures("sample_titles")
def test_search_of_many_words_tries_none_with_fewer(client: Client) -> None:
    page = client.get("/search/", {"q": "unemployment rate quarterlyx of the state california"})

    assert document(page).xpath("//*[@id='rows']//a") == []


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize(
    "q", ["unemployment rate quarterlyx california", "https://else.example/unemployment-rate-qx-california"]
)
def test_search_box_without_a_match_offers_searches_with_one_word_less(client: Client, q: str) -> None:
    page = client.get("/go", {"q": q})
    ((link, text),) = [(link, text) for text, link in links(page).items() if " series with " in text]

    assert page.status_code == 404
    assert text.endswith(" with “unemployment rate california”")
    assert link == "/search/?q=unemployment+rate+california"
    assert int(text.split()[0]) == len(ids(client.get(link)))


@pytest.mark.usefixtures("sample_titles")
def test_search_box_for_names_offers_no_series(client: Client) -> None:
    page = client.get("/go", {"q": "unemployment rate quarterlyx california", "kind": "release"})

    assert [text for text in links(page) if " series with " in text] == []
