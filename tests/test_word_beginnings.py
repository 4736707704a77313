"""One rule finds tags by words: on pages of the embedded service, on frozen copies, and for what a watch hears of."""

import json

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from econweb.catalogue.answers.search import word_index
from econweb.watching.filters import lets_through
from econweb.word_beginnings import begins_words, searched_words
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.frozen.copies import freeze
from tests.watching.test_filters import Change

NAME, NOTES = "côte d'ivoire", "A Balance (NSA), non-farm, of Que\u0301bec"
TEXTS = st.text(st.sampled_from("aA-_ (é\u0301ß1\u00a0"), max_size=12)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("searched", "is_found"),
    [
        ("côte", True), ("cote", False), ("CÔTE ivo", True), ("alance", False), ("bal bal", True), ("non-f", True),
        ("farm", True), ("(nsa", True), ("nsa", True), ("d'i", True), ("'i", False), ("vo", False), ("québec", True),
    ],
)  # fmt: skip
def test_pages_copies_and_news_find_the_same_tags(
    client: Client, catalogue: Loader, searched: str, is_found: bool
) -> None:
    tag = {"name": NAME, "group_id": "geo", "notes": NOTES, "created": "2020-01-01 00:00:00-06", "popularity": "1"}
    catalogue(
        series=[a_series(id="A")],
        tags=[tag],
        series_tags=[{"series_id": "A", "tag_name": NAME}],
        categories=[{"category_id": "125", "name": "Trade"}],
        series_categories=[{"series_id": "A", "category_id": "125"}],
    )
    copy = freeze(client, "/category/125/tags/").rstrip("/")

    for path in ("/category/125/tags", copy):
        rows = json.loads(client.get(f"{path}.json", {"search_text": searched}).getvalue())["tags"]
        assert len(rows) == is_found, path
    new = Change(name=NAME, field="presence", before=None, after="")
    link = f"/category/125/tags/?search_text={searched}"
    assert lets_through("tags", link, [new], {NAME: NOTES}) is is_found


@given(searched=TEXTS.filter(lambda text: bool(text.split())), text=TEXTS)
def test_text_is_found_as_the_index_of_words_finds_it(searched: str, text: str) -> None:
    assert begins_words(searched_words(searched), text) is bool(word_index([(1, text)]).find(searched))
