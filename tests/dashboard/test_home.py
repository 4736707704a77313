"""The first page."""

import pytest
from django.test import Client

from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.startup.sample_labels import NOTES, sample_labels
from tests.dashboard.reading import document, links, words

pytestmark = pytest.mark.django_db


def test_it_has_one_box_that_works_as_a_plain_form(client: Client) -> None:
    box = document(client.get("/")).xpath("//header//form")[0]

    assert (box.get("action"), box.xpath(".//input/@name")) == ("/go", ["q"])


def test_each_kind_has_a_plain_form(client: Client) -> None:
    forms = document(client.get("/")).xpath("//main//form")

    kinds = [form.xpath("string(.//input[@name='kind']/@value)") for form in forms]
    assert kinds == ["series", "category", "release"]


def test_it_leads_on_to_places_of_the_label_book_and_first_to_those_with_a_note(client: Client) -> None:
    labels.save_labels(Label(kind="category", number=number, name=f"Name {number}") for number in range(1, 10))
    labels.save_labels([Label(kind="category", number=99, name="Cared for", note="Yes")])

    places = [name for name in links(client.get("/")) if name.startswith("Category")]
    assert places == ["Category 99 Cared for Yes", *(f"Category {n} Name {n}" for n in range(1, 6))]


def test_the_sample_begins_with_what_most_people_look_for(client: Client) -> None:
    labels.save_labels(sample_labels())
    places = words(client.get("/"), "//ul[@class='place-list']/li[.//small]")

    assert len(places) == len(NOTES) == 12
    assert "Category 125 Trade Balance Exports less imports" in places
