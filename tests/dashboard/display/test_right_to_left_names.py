"""A name in a script from right to left is isolated, so that the words and numbers beside it keep their place."""

import re

import pytest
from django.test import Client

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.dashboard.reading import document
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
PATHS = [
    "/category/125/tags/",
    "/category/125/tags/profile",
    "/category/125/tags/code",
    "/category/125/similar/",
    "/compare/?a=category:125&b=release:51",
    "/compare/?a=category:125&b=release:51&c=category:125@2014-01-01",
    "/go?q=2024",
    "/search/?q=2024",
    "/browse/?q=2024",
    "/changes/",
]


@pytest.mark.parametrize("path", PATHS)
def test_name_from_right_to_left_is_isolated(client: Client, stand_in: FakeService, path: str) -> None:
    of_all = [a_tag("annual", group_id="freq", series_count=9), a_tag("nsa", group_id="seas", series_count=9)]
    stand_in.has("category", 125, [*of_all, a_tag("trade", series_count=8)])
    stand_in.has("release", 51, of_all)
    save_labels([Label(kind="release", number=51, name="Trade 2024")])
    label = {"name": "ميزان التجارة (2024)", "note": "الصادرات ناقص الواردات (2024)", "opened": 0}
    assert client.post("/me/names/category/125/", label).status_code == 200

    texts = document(client.get(path, follow=True)).xpath("//body//text()[not(ancestor::bdi)]")
    assert [text for text in texts if re.search("[\u0600-\u06ff]", text)] == []
