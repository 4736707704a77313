"""The search names the synonyms that it used."""

import pytest
from django.test import Client

from tests.dashboard.reading import words
from tests.search_index.sample import sample_titles

pytestmark = pytest.mark.django_db
__all__ = ["sample_titles"]


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("employment", ["Also searched: employees"]),
        ("inflation", ["Also searched: consumer price index; personal consumption expenditures price index"]),
        ("us gdp", ["Also searched: gross domestic product"]),
        ("unemployment", []),
    ],
)
def test_search_names_the_synonyms_that_it_used(client: Client, q: str, found: list[str]) -> None:
    assert words(client.get("/search/", {"q": q}), "//p[contains(@class, 'synonyms')]") == found
