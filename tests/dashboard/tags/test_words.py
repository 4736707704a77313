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


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        ("tag_names=rent", "Whole category: 3 tags"),
        ("tag_group_id=gen", "Whole category: 3 tags"),
        ("tag_names=rent&search_text=e", "Without the other filters: 3 tags match “e”"),
        ("search_text=e", "3 tags match “e”"),
        ("", "3 tags"),
    ],
)
def test_tag_page_facts_say_what_they_count(client: Client, stand_in: FakeService, filters: str, said: str) -> None:
    """The caption counted the tags that were left, and the line below the table all of them, in the same words."""
    stand_in.has("category", 9, [a_tag("rent"), a_tag("percent"), a_tag("price")])

    assert words(client.get(f"/category/9/tags/?{filters}"), "//section/p[@class='facts']")[0].startswith(said)
