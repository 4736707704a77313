"""The directory: names from A to Z, the filter, long lists and links that are wrong."""

import pytest
from django.test import Client

from econweb.dashboard.browse.directory import MAX_ROWS
from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from tests.dashboard.reading import alert, canonical, document, links, words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db

NAMES = "//ul[@class='directory-names']//a"


def save(*found: tuple[str, int, str]) -> None:
    labels.save_labels(Label(kind=kind, number=number, name=name) for kind, number, name in found)


def test_every_page_leads_to_the_directory(client: Client) -> None:
    assert words(client.get("/about/"), "//nav[@aria-label='Site']/a") == ["Browse", "Series list", "Compare", "Help"]
    assert words(client.get("/browse/"), "//nav[@aria-label='Site']/a[@aria-current]") == ["Browse"]


def test_names_are_listed_by_kind_from_a_to_z(client: Client) -> None:
    save(("category", 1, "Wages"), ("category", 2, "Äpfel"), ("release", 53, "GDP"), ("category", 3, "banks"))
    page = client.get("/browse/")

    assert words(page, NAMES) == ["Äpfel", "banks", "Wages", "GDP"]
    assert links(page)["GDP"] == "/release/53/tags/"
    assert words(page, "//*[@id='rows']") == ["3 categories and 1 release"]


@pytest.mark.parametrize("text", ["trade bal", "BALANCE", "125", "  trade   balance "])
def test_the_filter_finds_words_of_names_and_numbers(client: Client, text: str) -> None:
    save(("category", 125, "Trade Balance"), ("category", 9, "Prices"))

    assert words(client.get("/browse/", {"q": text}), NAMES) == ["Trade Balance"]


def test_the_filter_is_a_plain_form_that_leads_to_the_short_link(client: Client) -> None:
    save(("category", 125, "Trade Balance"))
    answer = client.get("/browse/?form=plain&q=trade&kind=")

    assert (answer.status_code, answer["Location"]) == (302, "/browse/?q=trade")
    assert canonical(client.get("/browse/?q=trade")) == "/browse/?q=trade"


def test_typing_gets_the_names_alone(client: Client) -> None:
    save(("category", 125, "Trade Balance"))
    page = client.get("/browse/?q=trade&form=plain", headers={"HX-Request": "true", "HX-Target": "results"})

    assert words(page, NAMES) == ["Trade Balance"]
    assert page["HX-Replace-Url"] == "/browse/?q=trade"
    assert not document(page).xpath("//header")


def test_a_name_that_is_not_there_is_said_with_a_way_out(client: Client) -> None:
    save(("category", 125, "Trade Balance"))
    page = client.get("/browse/?q=zzz")

    assert words(page, "//main//h2") == ["No name matches “zzz”"]
    assert links(page)["Show all names"] == "/browse/"


def test_a_long_list_has_pages_and_letters(client: Client) -> None:
    save(*(("category", number, f"{'AZ'[number > MAX_ROWS]} {number:04}") for number in range(1, 2 * MAX_ROWS + 2)))
    first = client.get("/browse/?kind=category")
    last = client.get(f"/browse/?kind=category&offset={2 * MAX_ROWS}")

    assert len(words(first, NAMES)) == MAX_ROWS
    assert links(first)["Z"] == links(first)["Next"] == f"/browse/?kind=category&offset={MAX_ROWS}"
    assert words(last, NAMES) == [f"Z {2 * MAX_ROWS + 1:04}"]
    assert links(last)["Previous"] == f"/browse/?kind=category&offset={MAX_ROWS}"
    assert words(first, "//h2/small") == [f"1–{MAX_ROWS} of {2 * MAX_ROWS + 1}"]


@pytest.mark.parametrize("link", ["kind=series", "offset=-1", "offset=x", f"q={'x' * 201}", "q=a&q=b"])
def test_a_wrong_link_is_refused(client: Client, link: str) -> None:
    page = client.get(f"/browse/?{link}")

    assert (page.status_code, bool(alert(page))) == (400, True)


def test_a_new_name_is_shown_at_once(client: Client) -> None:
    save(("category", 1, "Old"))
    before = client.get("/browse/")
    save(("category", 2, "New"))

    assert before["ETag"] != client.get("/browse/")["ETag"]


def test_a_tag_page_leads_back_to_the_directory(client: Client, stand_in: FakeService) -> None:
    stand_in.has("release", 53, [a_tag("usa")])
    page = client.get("/release/53/tags/")

    assert words(page, "//nav[@aria-label='Breadcrumb']") == ["Browse › Releases › Release 53"]
    assert links(page)["Releases"] == "/browse/?kind=release"
