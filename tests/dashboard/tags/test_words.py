"""The texts around the table of a tag page."""

import pytest
from django.test import Client

from tests.dashboard.reading import document, words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
PATH = "/category/125/tags/"


def test_tag_page_sort_menu_keeps_letters_large(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, [a_tag()])
    orders = document(client.get(PATH)).xpath("//select[@id='sort']/option/text()")

    assert {"A to Z", "Z to A", "Most series first"} <= set(orders)


@pytest.mark.parametrize(("searched", "said"), [("rent", "1 tag matches “rent”"), ("e", "tags match “e”")])
def test_tag_page_facts_count_matches(client: Client, stand_in: FakeService, searched: str, said: str) -> None:
    stand_in.has("category", 9, [a_tag("rent"), a_tag("percent"), a_tag("price")][: 3 if searched == "e" else 1])

    assert said in " ".join(words(client.get(f"/category/9/tags/?search_text={searched}"), "//p[@class='facts']"))
