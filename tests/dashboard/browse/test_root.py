"""Category 0, the root of all others, in the directory."""

import pytest
from django.test import Client
from django.utils import timezone

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.dashboard.reading import links, words
from tests.fake_service import FakeService
from tests.search_index.recorded import record_tags

pytestmark = pytest.mark.django_db


def save_tree(parents: dict[int, int | None]) -> None:
    names = {0: "All", 10: "Work", 13: "Trade", 16: "Exports"}
    save_labels(Label(kind="category", number=n, name=names[n], parent=up) for n, up in parents.items())


def test_root_without_tags_is_not_counted(client: Client) -> None:
    save_tree({0: None, 10: 0, 13: 0, 16: 13})
    record_tags("category", 0, [], None, timezone.now())
    first, page = client.get("/browse/"), client.get("/browse/categories/")

    assert words(first, "//*[@id='rows']") == ["3 categories and 0 releases"]
    assert links(first)["All 3"] == "/browse/categories/"
    assert words(page, "//*[@id='rows']") == ["3 categories"]


def test_categories_without_a_parent_are_in_the_root(client: Client, stand_in: FakeService) -> None:
    """They were beside it, and every breadcrumb named it."""
    save_tree({0: None, 10: None, 13: 0, 16: 10})
    stand_in.has("category", 16, [])

    assert words(client.get("/browse/categories/"), "//main//li/a/bdi") == ["Trade", "Work"]
    assert words(client.get("/category/16/tags/"), "//nav[@aria-label='Breadcrumb']") == [
        "Browse › Categories › Work › Category 16 · Similar · Rename"
    ]
