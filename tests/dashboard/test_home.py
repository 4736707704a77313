"""The first page."""

import pytest
from django.test import Client

from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.startup.sample_labels import NOTES, sample_labels
from tests.dashboard.reading import document, links, words

pytestmark = pytest.mark.django_db


def test_its_first_action_is_one_large_box_with_the_focus(client: Client) -> None:
    page = document(client.get("/"))
    (box,) = page.xpath("//main//form")

    assert (box.get("action"), box.xpath(".//input/@name"), len(box.xpath(".//input[@autofocus]"))) == ("/go", ["q"], 1)
    assert box.xpath(".//input/@id") != page.xpath("//header//form//input/@id")


def test_below_the_box_three_links_lead_on(client: Client) -> None:
    found = links(client.get("/"))

    assert found["Browse categories"] == "/browse/?kind=category"
    assert found["Browse releases"] == "/browse/?kind=release"
    assert found["Paste a list of series ids"] == "/series/"


def test_it_leads_on_to_places_of_the_label_book_and_first_to_those_with_a_note(client: Client) -> None:
    labels.save_labels(Label(kind="category", number=number, name=f"Name {number}") for number in range(1, 10))
    labels.save_labels([Label(kind="category", number=99, name="Cared for", note="Yes")])

    places = words(client.get("/"), "//main//ul[@class='place-list']//a")
    assert places == ["Cared for Yes Category 99", *(f"Name {n} Category {n}" for n in range(1, 6))]


def test_without_names_it_says_how_to_get_them_and_offers_ten_numbers(client: Client) -> None:
    page = client.get("/")

    assert "labels import" in page.text
    assert len([name for name in links(page) if name.startswith(("Category ", "Release "))]) == 10
    assert links(page)["Release 53"] == "/release/53/tags/"


def test_the_sample_begins_with_what_most_people_look_for(client: Client) -> None:
    labels.save_labels(sample_labels())
    places = words(client.get("/"), "//main//ul[@class='place-list']/li[.//span/small]")

    assert len(places) == len(NOTES) == 12
    assert "Trade Balance Exports minus imports Category 125" in places
