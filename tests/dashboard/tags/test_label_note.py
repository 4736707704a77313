"""The note on the name of a category or release: beside the title, or folded below it where it is long."""

import pytest
from django.test import Client

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.dashboard.reading import document, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
BEGINNING = "This category collects what the editors know about the balance of trade"


@pytest.mark.parametrize(
    ("note", "beginning", "rest"),
    [
        (f"{BEGINNING}: goods and services, by country.", f"{BEGINNING}: goods", "and services, by country."),
        ("Goods.\r\n\r\nServices.", "Goods.", "Services."),
        ("x" * 100, "x" * 80, "x" * 20),
    ],
)
def test_long_note_of_a_name_unfolds_below_the_title(client: Client, note: str, beginning: str, rest: str) -> None:
    save_labels([Label(kind="category", number=125, name="Trade Balance", note=note)])
    page = client.get("/category/125/tags/")
    (folded,) = document(page).xpath("//header[h1]/details")

    assert folded.xpath("string(summary)") == f"{beginning} …"
    assert " ".join(folded.text_content().split()) == f"{beginning} … {rest}"
    assert beginning not in words(page, "//nav[@aria-label='Breadcrumb']")[0]


@pytest.mark.parametrize("note", ["Monthly <sums>", "x" * 80, "Ends with a line\n"])
def test_short_note_of_a_name_is_beside_its_number(client: Client, note: str) -> None:
    save_labels([Label(kind="category", number=125, name="Trade Balance", note=note)])
    page = client.get("/category/125/tags/")

    assert f"Category 125 · {note.strip()} ·" in words(page, "//nav[@aria-label='Breadcrumb']")[0]
    assert document(page).xpath("//header[h1]/details") == []
