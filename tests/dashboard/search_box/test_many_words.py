"""B10: a search of many words costs little more than one of twenty."""

from collections.abc import Callable

import pytest
from django.test import Client

from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from tests.processor_time import processor_seconds

pytestmark = pytest.mark.django_db
NAME = "a" * 200
# Every name begins with each of these words.
SEARCHES = {"repeated": ["a"] * 4000, "different": ["a" * size for size in range(200, 0, -1)]}
# Each is nearly a word of a title.
MISSPELT = [f"employmen{letter}{other}" for letter in "bcdf" for other in "ghjkl"]


@pytest.mark.parametrize("words", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize(
    "search",
    [labels.search, lambda text: labels.alphabetical("category", text)],
    ids=["names", "directory"],
)
def test_many_words_cost_no_more_than_twenty(words: list[str], search: Callable[[str], object]) -> None:
    save_labels(Label(kind="category", number=number, name=NAME) for number in range(1000))
    twenty = processor_seconds(lambda: search(" ".join(words[:20])))

    assert processor_seconds(lambda: search(" ".join(words))) < 5 * twenty


def cost(client: Client, path: str, text: str) -> float:
    return processor_seconds(lambda: client.get(path, {"q": text}))


@pytest.mark.parametrize("path", ["/go", "/suggest", "/suggest.json", "/browse/"])
def test_page_of_many_words_costs_no_more_than_one_of_a_few(client: Client, path: str) -> None:
    save_labels(Label(kind="category", number=number, name="a") for number in range(300))

    assert cost(client, path, "a " * 4000) < 8 * cost(client, path, "a a a")


def test_few_of_many_misspelt_words_are_corrected(client: Client) -> None:
    title_index.add([Record(f"E{number}", f"employment{number:03}x") for number in range(1000)], title_index.IMPORTED)

    assert cost(client, "/search/", " ".join(MISSPELT)) < 8 * cost(client, "/search/", MISSPELT[0])
