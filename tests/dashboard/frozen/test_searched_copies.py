"""A frozen search holds what the data provider found: its pages, files and citations claim no more."""

import json

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.sharing import citations
from econweb.library.models import FrozenCopy
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.reading import document, words
from tests.dashboard.sharing.crate import read_crate
from tests.fake_service import FakeService

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
# Three of the four tags have an “a”, and one of these is of the group.
SEARCH = "/category/125/tags/?search_text=a"
NARROWED = "/category/125/tags/?tag_group_id=freq&search_text=a"
FOUND = "only tags found for “a”"


def freeze_id(client: Client, target: str = NARROWED) -> str:
    freeze(client, target)
    return str(FrozenCopy.objects.latest("created").pk)


def text_of(client: Client, link: str) -> str:
    return " ".join(words(client.get(link), "//main"))


def test_form_of_a_search_says_what_the_copy_will_lack(client: Client) -> None:
    form, search, whole = (
        text_of(client, f"/me/freeze/?target={target.replace('&', '%26')}")
        for target in (NARROWED, SEARCH, "/category/125/tags/?tag_group_id=freq")
    )

    assert "keeps the 1 row of this view, and all 3 rows without its other filters, as of " in form
    assert "keeps 3 rows as of " in search
    assert FOUND in form
    assert FOUND in search
    assert "only tags found" not in whole


@pytest.mark.parametrize("target", [SEARCH, NARROWED])
@pytest.mark.parametrize(
    "end", ["/", "/?search_text=a", "/?search_text=monthly", "/?tag_names=monthly", "/?embed=1", "/profile", "/check"]
)
def test_every_page_of_a_frozen_search_names_its_words(client: Client, target: str, end: str) -> None:
    assert FOUND in text_of(client, f"/frozen/{freeze_id(client, target)}{end}").replace("Only", "only")


def test_page_of_digests_alone_names_the_words_of_its_search(client: Client, settings: Settings) -> None:
    settings.ECON_MAY_STORE = False

    assert "Only tags found for “a”" in text_of(client, f"/frozen/{freeze_id(client)}/")


def test_frozen_search_does_not_say_what_the_category_lacks(client: Client) -> None:
    path = f"/frozen/{freeze_id(client, SEARCH)}/"
    named, searched = text_of(client, f"{path}?tag_names=monthly"), text_of(client, f"{path}?search_text=monthly")

    for text in (named, searched, text_of(client, f"{path}?tag_group_id=freq")):
        assert "not here" not in text
        assert "not used in this category" not in text
        assert "Whole category" not in text
    assert "Only tags found for “a”: 0 tags match “monthly”" in searched
    # A group that only other tags have is known.
    assert client.get(f"{path}?tag_group_id=nowhere").status_code == 200


def test_empty_frozen_search_does_not_say_that_the_category_is_empty(client: Client) -> None:
    text = text_of(client, f"/frozen/{freeze_id(client, '/category/125/tags/?search_text=zebra')}/")

    assert "Only tags found for “zebra”" in text
    assert "No tags in this category" not in text
    assert "listed no series here" not in text


@pytest.mark.parametrize("query", ["?search_text=a", "?search_text=a&tag_names=monthly"])
def test_words_of_a_frozen_search_cannot_be_removed(client: Client, query: str) -> None:
    page = client.get(f"/frozen/{freeze_id(client, SEARCH)}/{query}")

    assert [text for text in words(page, "//a") if "“a”" in text] == []


@pytest.mark.parametrize("query", ["?tag_names=monthly", "?search_text=a&tag_names=monthly"])
def test_empty_view_of_a_frozen_search_offers_to_remove_other_filters_alone(client: Client, query: str) -> None:
    page = client.get(f"/frozen/{freeze_id(client, SEARCH)}/{query}")

    assert words(page, "//ul[@class='removable-filters']/li") == ["Remove the tag filter (shows 3 tags)"]


@pytest.mark.parametrize("suffix", ["csv", "json", "md", "tex", "xml"])
def test_files_of_a_frozen_search_name_its_words(client: Client, suffix: str) -> None:
    path = f"/frozen/{freeze_id(client)}.{suffix}"

    for query in ("", "?tag_group_id=freq&search_text=a", "?tag_names=monthly"):
        assert FOUND in client.get(path + query).getvalue().decode()
    about = json.loads(client.get(f"{path[: -len(suffix)]}json?tag_group_id=freq").getvalue())["about"]
    assert about["filters"] == f"{FOUND}; tag_group_id: freq"


def test_pack_of_a_frozen_search_is_not_complete(client: Client) -> None:
    files, _ = read_crate(client.get(f"/frozen/{freeze_id(client)}.zip").getvalue())
    readme = files["README.txt"].decode()

    assert f"Complete: no, {FOUND}\n" in readme
    assert "complete set" not in readme
    assert FOUND in files["rows.csv"].decode()


@pytest.mark.parametrize(("target", "size"), [(NARROWED, "1 of 3 rows"), (SEARCH, "3 rows")])
def test_citation_of_a_frozen_search_names_its_words(client: Client, target: str, size: str) -> None:
    copy_id = freeze_id(client, target)

    assert f"{size} ({FOUND}" in client.get(f"/frozen/{copy_id}.txt").text
    for suffix in citations.MEDIA_TYPES:
        assert FOUND in client.get(f"/frozen/{copy_id}.{suffix}").text
    (text,) = document(client.get(f"/frozen/{copy_id}/")).xpath("//script[@type='application/ld+json']/text()")
    assert FOUND in json.loads(text)["description"]


@pytest.mark.parametrize("target", [SEARCH, NARROWED])
def test_list_and_citation_lead_to_one_address(client: Client, target: str) -> None:
    copy_id = freeze_id(client, target)
    cited = client.get(f"/frozen/{copy_id}.txt").text.split()[-1]

    for path in ("/frozen/", "/me/frozen/"):
        (link,) = document(client.get(path)).xpath("//tbody//th/a/@href")
        assert cited == f"http://testserver{link}"


def test_copy_with_other_filters_is_whole(client: Client, stand_in: FakeService) -> None:
    copy_id = freeze_id(client, "/category/125/tags/?tag_group_id=freq")
    files, _ = read_crate(client.get(f"/frozen/{copy_id}.zip").getvalue())

    assert "Complete: yes\n" in files["README.txt"].decode()
    assert "not here" in text_of(client, f"/frozen/{copy_id}/?tag_names=daily")
    for suffix in MEDIA_TYPES:
        assert b"only tags found" not in client.get(f"/frozen/{copy_id}.{suffix}").getvalue()
