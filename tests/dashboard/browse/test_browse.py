"""The directory: names from A to Z, the filter, long lists and links that are wrong."""

import pytest
from django.test import Client

from econweb.dashboard.browse.directory import MAX_ROWS
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.dashboard.reading import alert, canonical, document, links, words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db

NAMES = "//section[@aria-labelledby][not(@aria-labelledby='popular-names')]//li/a/bdi"


def save(*found: tuple[str, int, str]) -> None:
    save_labels(Label(kind=kind, number=number, name=name) for kind, number, name in found)


def test_directory_is_linked_from_every_page(client: Client) -> None:
    assert words(client.get("/about/"), "//nav[@aria-label='Site']/a") == ["Browse", "Series list", "Compare", "Help"]
    assert words(client.get("/browse/"), "//nav[@aria-label='Site']/a[@aria-current]") == ["Browse"]


def test_directory_lists_names_by_kind_from_a_to_z(client: Client) -> None:
    save(("category", 1, "Wages"), ("category", 2, "Äpfel"), ("release", 53, "GDP"), ("category", 3, "banks"))
    page = client.get("/browse/")

    assert words(page, NAMES) == ["Äpfel", "banks", "Wages", "GDP"]
    assert links(page)["GDP 53"] == "/release/53/tags/"
    assert words(page, "//*[@id='rows']") == ["3 categories and 1 release"]


@pytest.mark.parametrize("text", ["trade bal", "BALANCE", "125", "  trade   balance "])
def test_directory_filter_matches_words_of_names_and_numbers(client: Client, text: str) -> None:
    save(("category", 125, "Trade Balance"), ("category", 9, "Prices"))

    assert words(client.get("/browse/", {"q": text}), NAMES) == ["Trade Balance"]


def test_directory_filter_redirects_to_canonical_link_without_javascript(client: Client) -> None:
    save(("category", 125, "Trade Balance"))
    answer = client.get("/browse/?form=plain&q=trade")

    assert (answer.status_code, answer["Location"]) == (302, "/browse/?q=trade")
    assert canonical(client.get("/browse/?q=trade")) == "/browse/?q=trade"


def test_directory_filter_fragment_has_names_only(client: Client) -> None:
    save(("category", 125, "Trade Balance"))
    page = client.get("/browse/?q=trade&form=plain", headers={"HX-Request": "true", "HX-Target": "results"})

    assert words(page, NAMES) == ["Trade Balance"]
    assert page["HX-Replace-Url"] == "/browse/?q=trade"
    assert not document(page).xpath("//header")


def test_directory_without_matches_links_back_to_all_names(client: Client) -> None:
    save(("category", 125, "Trade Balance"))
    page = client.get("/browse/?q=zzz")

    assert words(page, "//main//h2") == ["No name matches “zzz”"]
    assert links(page)["Show all names"] == "/browse/"


def test_directory_has_pages_and_letters_for_long_lists(client: Client) -> None:
    save(*(("release", number, f"{'AZ'[number > MAX_ROWS]} {number:04}") for number in range(1, 2 * MAX_ROWS + 2)))
    first = client.get("/browse/releases/")
    last = client.get(f"/browse/releases/?offset={2 * MAX_ROWS}")

    assert len(words(first, NAMES)) == MAX_ROWS
    assert links(first)["Z"] == links(first)["Next"] == f"/browse/releases/?offset={MAX_ROWS}"
    assert words(last, NAMES) == [f"Z {2 * MAX_ROWS + 1:04}"]
    assert links(last)["Previous"] == f"/browse/releases/?offset={MAX_ROWS}"
    assert words(first, "//h2/small") == [f"1–{MAX_ROWS} of {2 * MAX_ROWS + 1}"]


def test_directory_past_the_last_name_leads_back(client: Client) -> None:
    save(("release", 53, "Gross Domestic Product"))
    page = client.get("/browse/releases/?offset=1000")

    assert words(page, "//h2/small") == ["none of 1"]
    assert links(page)["Show the first page"] == "/browse/releases/"
    assert not document(page).xpath("//ul[@class='directory-names']")


@pytest.mark.parametrize("link", ["offset=-1", "offset=x", f"q={'x' * 201}", "q=a&q=b"])
def test_directory_rejects_invalid_parameters(client: Client, link: str) -> None:
    page = client.get(f"/browse/?{link}")

    assert (page.status_code, bool(alert(page))) == (400, True)


def test_directory_shows_new_label_at_once(client: Client) -> None:
    save(("category", 1, "Old"))
    before = client.get("/browse/")
    save(("category", 2, "New"))

    assert before["ETag"] != client.get("/browse/")["ETag"]


def test_tag_page_links_back_to_directory(client: Client, stand_in: FakeService) -> None:
    stand_in.has("release", 53, [a_tag("usa")])
    page = client.get("/release/53/tags/")

    assert words(page, "//nav[@aria-label='Breadcrumb']") == ["Browse › Releases › Release 53 · Similar · Add a name"]
    assert links(page)["Releases"] == "/browse/releases/"


def test_directory_link_says_the_number_too(client: Client) -> None:
    """A name such as “Information” alone says too little as the text of a link."""
    save(("category", 33500, "Information"))

    assert links(client.get("/browse/"))["Information 33500"] == "/category/33500/tags/"
