"""A search without results offers those with one word less."""

import pytest
from django.test import Client

from tests.dashboard.reading import document
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
