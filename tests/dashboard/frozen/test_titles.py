"""Titles of frozen copies: with the filters of the rows that a page shows, and when a title was changed."""

import pytest
from django.test import Client

from econweb.library.models import EVERYONE, FrozenCopy
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.reading import words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
VIEW = "/category/125/tags/?tag_group_id=freq"
HEADING = "//h1"


def freeze_titled(client: Client, title: str, target: str = VIEW) -> FrozenCopy:
    freeze(client, target, title=title)
    return FrozenCopy.objects.latest("created")


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        ("?tag_group_id=freq", "Category 125 · Frequency, as of 2015-01-01"),
        ("", "Category 125, as of 2015-01-01"),
        ("?tag_group_id=geo", "Category 125 · Geography, as of 2015-01-01"),
        ("?tag_names=usa", "Category 125 · usa, as of 2015-01-01"),
        ("?search_text=us", "Category 125 · “us”, as of 2015-01-01"),
    ],
)
def test_heading_of_a_copy_names_the_rows_that_are_shown(client: Client, query: str, heading: str) -> None:
    copy = freeze_titled(client, "Category 125 · Frequency, as of 2015-01-01")
    page = client.get(f"/frozen/{copy.pk}/{query}")

    assert words(page, HEADING) == [heading]
    assert words(page, "//title")[0].count("Frequency") == (query == "?tag_group_id=freq")


def test_heading_follows_the_filters_without_a_new_page(client: Client) -> None:
    copy = freeze_titled(client, "Category 125 · Frequency")
    part = client.get(f"/frozen/{copy.pk}/", headers={"HX-Request": "true", "HX-Target": "results"})

    assert words(part, "//bdi[@id='copy-title']") == ["Category 125"]


@pytest.mark.parametrize(
    ("title", "heading"), [("Table 2", "Table 2"), ("Sales · Frequency of trade", "Sales · Frequency of trade")]
)
def test_title_that_a_person_gave_stays(client: Client, title: str, heading: str) -> None:
    copy = freeze_titled(client, title)

    assert words(client.get(f"/frozen/{copy.pk}/"), HEADING) == [heading]
    assert words(client.get(f"/frozen/{copy.pk}/?tag_group_id=freq"), HEADING) == [heading]


def test_check_names_all_rows_of_a_copy(client: Client) -> None:
    copy = freeze_titled(client, "Category 125 · Frequency")
    page = client.get(f"/frozen/{copy.pk}/check")

    assert words(page, "//p[@class='kicker']/a") == ["Category 125"]
    assert words(page, "//title")[0].startswith("Check of Category 125 ·")
    assert "Frequency" not in page.text
    assert "the same 4 rows" in page.text


def test_comparison_names_all_rows_of_its_copies(client: Client) -> None:
    """It said that 30 tags of every group were only in “Frequency”, and cited them so."""
    copies = [freeze_titled(client, f"Category 125 · Frequency{end}") for end in ("", ", as of 2015-01-01")]
    page = client.get("/compare/?a=frozen:{}&b=frozen:{}".format(*(copy.pk for copy in copies)))
    (citation,) = words(page, "//p[@id='citation']")

    assert "Frequency" not in page.text
    assert words(page, HEADING)[0].startswith("Category 125, frozen ")
    for copy in copies:
        assert f"http://testserver/frozen/{copy.pk}/, all 4 rows, SHA-256 {copy.sha256}" in citation


def test_text_that_the_provider_searched_stays_in_the_title(client: Client) -> None:
    copy = freeze_titled(client, "Category 125 · Frequency · “usa”", f"{VIEW}&search_text=u")
    page = client.get(f"/compare/?a=frozen:{copy.pk}&b=category:125")

    assert words(page, HEADING)[0].startswith("Category 125 · “usa”, frozen ")


def test_page_says_when_the_title_of_a_copy_was_changed(client: Client) -> None:
    copy = freeze_titled(client, "A title")
    path = f"/frozen/{copy.pk}/"
    assert "was last changed" not in client.get(path).text
    entered = {"title": "Another", "reason": "", "audience": EVERYONE, "seen": copy.changed.isoformat()}
    client.post(f"/me{path}edit/", entered)
    copy.refresh_from_db()

    page = " ".join(words(client.get(path), "//header//p"))
    assert f"Its title, reason or audience was last changed on {copy.changed:%Y-%m-%d}." in page
