"""The first page."""

import pytest
from django.test import Client

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.startup.supplied_labels import NOTES, sample_labels
from tests.dashboard.reading import document, links, words

pytestmark = pytest.mark.django_db


def test_home_starts_with_focused_search_box(client: Client) -> None:
    page = document(client.get("/"))
    (box,) = page.xpath("//main//form")

    assert (box.get("action"), box.xpath(".//input/@name"), len(box.xpath(".//input[@autofocus]"))) == ("/go", ["q"], 1)
    assert box.xpath(".//input/@id") != page.xpath("//header//form//input/@id")


def test_home_has_one_title_and_headings_in_order(client: Client) -> None:
    save_labels(sample_labels())
    levels = [int(heading.tag[1]) for heading in document(client.get("/")).xpath("//h1 | //h2 | //h3 | //h4")]

    assert levels == [1, *[2] * (len(levels) - 1)]
    assert len(levels) > 1


def test_home_has_links_below_search_box(client: Client) -> None:
    found = links(client.get("/"))

    assert found["Browse categories"] == "/browse/categories/"
    assert found["Browse releases"] == "/browse/releases/"
    assert found["Paste a list of series ids"] == "/series/"
    assert found["Search titles of series"] == "/search/"


def test_home_lists_labels_with_notes_first(client: Client) -> None:
    save_labels(Label(kind="category", number=number, name=f"Name {number}") for number in range(1, 10))
    save_labels([Label(kind="category", number=99, name="Cared for", note="Yes")])

    destinations = words(client.get("/"), "//main//ul[@class='destination-list']//a")
    assert destinations == ["Cared for Yes Category 99", *(f"Name {n} Category {n}" for n in range(1, 6))]


def test_home_without_labels_explains_import_and_offers_numbers(client: Client) -> None:
    page = client.get("/")

    assert "labels import" in page.text
    assert len([name for name in links(page) if name.startswith(("Category ", "Release "))]) == 10
    assert links(page)["Release 53"] == "/release/53/tags/"


def test_home_of_the_sample_starts_with_popular_labels(client: Client) -> None:
    save_labels(sample_labels())
    destinations = words(client.get("/"), "//main//ul[@class='destination-list']/li[.//span/small]")

    assert len(destinations) == len(NOTES) == 12
    assert "Trade Balance Exports minus imports Category 125" in destinations
