"""The list of tags: rows, orders, groups, words, pages and files."""

import json

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from econweb.dashboard.tag_list.results import ROWS_PER_PAGE
from tests.dashboard.reading import alert, canonical, document, links, row_heads, rows_of, words
from tests.search_index.recorded import record_tags, tag, tags

pytestmark = pytest.mark.django_db


@pytest.fixture
def four_tags() -> None:
    first = [
        tag("annual", group_id="freq", popularity=5),
        tag("gdp", group_id="gen", popularity=80),
        tag("Äpfel & co", group_id="gen", popularity=1),
    ]
    record_tags("category", 125, first, 10, timezone.now())
    record_tags(
        "release", 53, [tag("gdp", group_id="gen", popularity=80), tag("odd", group_id="zz")], 9, timezone.now()
    )


@pytest.mark.usefixtures("four_tags")
def test_tag_list_has_every_tag_with_the_number_of_its_owners(client: Client) -> None:
    page = client.get("/browse/tags/")

    assert words(page, "//tbody/tr/*") == [
        *("gdp", "Topic", "2", "80"),
        *("annual", "Frequency", "1", "5"),
        *("Äpfel & co", "Topic", "1", "1"),
        *("odd", "zz", "1", "50"),
    ]
    assert links(page)["gdp"] == "/tag/gdp/"
    assert canonical(page) == "/browse/tags/"
    assert words(page, "//caption") == ["4 tags"]


@pytest.mark.usefixtures("four_tags")
@pytest.mark.parametrize(
    ("link", "first", "reverse"),
    [
        ("order_by=name", "annual", "odd"),
        ("order_by=popularity", "gdp", "Äpfel & co"),
        ("order_by=occurrence_count", "gdp", "annual"),
    ],
)
def test_tag_list_sorts_by_each_column(client: Client, link: str, first: str, reverse: str) -> None:
    page = client.get(f"/browse/tags/?{link}")
    (head,) = document(page).xpath("//th[@aria-sort]/a/@href")

    assert row_heads(page)[0] == first
    assert row_heads(client.get(head))[0] == reverse


@pytest.mark.usefixtures("four_tags")
def test_tag_list_chooses_a_group_and_words(client: Client) -> None:
    page = client.get("/browse/tags/")
    topics = client.get(links(page)["Topic 2"])

    assert row_heads(topics) == ["gdp", "Äpfel & co"]
    assert row_heads(client.get("/browse/tags/?q=apf")) == ["Äpfel & co"]
    assert words(client.get("/browse/tags/?q=apf"), "//mark") == ["Äpf"]
    assert links(client.get("/browse/tags/?q=nothing"))["Show all tags"] == "/browse/tags/"


@pytest.mark.usefixtures("four_tags")
def test_filter_of_tags_works_with_and_without_javascript(client: Client) -> None:
    plain = client.get("/browse/tags/?form=plain&q=gdp")
    fragment = client.get("/browse/tags/?q=gdp&form=plain", headers={"HX-Request": "true", "HX-Target": "results"})

    assert (plain.status_code, plain["Location"]) == (302, "/browse/tags/?q=gdp")
    assert (fragment["HX-Replace-Url"], row_heads(fragment)) == ("/browse/tags/?q=gdp", ["gdp"])
    assert not document(fragment).xpath("//header")


@pytest.mark.usefixtures("four_tags")
def test_filter_of_tags_keeps_group_and_order(client: Client) -> None:
    form = document(client.get("/browse/tags/?tag_group_id=gen&order_by=popularity")).xpath("//main//form")[-1]
    sent = {**form.fields, "q": "g"}

    answer = client.get(form.action, sent)
    assert answer["Location"] == "/browse/tags/?q=g&tag_group_id=gen&order_by=popularity"


def test_tag_list_has_pages_and_files(client: Client) -> None:
    record_tags("category", 1, tags(**{f"t{n}": n for n in range(1, ROWS_PER_PAGE + 57)}), 200, timezone.now())
    first = client.get("/browse/tags/")
    last = client.get(links(first)["Next"])

    assert (len(row_heads(first)), len(row_heads(last))) == (ROWS_PER_PAGE, 56)
    assert words(last, "//caption") == ["101–156 of 156 tags"]
    assert len(rows_of(client, "/browse/tags.csv")) == 156
    assert json.loads(client.get("/browse/tags.json?q=t7").getvalue())["count"] == 11
    assert links(client.get("/browse/tags/?offset=900"))["Show all tags"] == "/browse/tags/"


def test_tag_list_without_tags_has_a_next_step(client: Client, settings: LazySettings) -> None:
    page = client.get("/browse/tags/")
    assert links(page)["Open a category or release"] == "/browse/"
    assert "none has one yet" in page.text
    assert not document(page).xpath("//main//input")

    settings.ECON_MAY_STORE = False
    assert "This site may not store what the provider sends" in client.get("/browse/tags/").text


@pytest.mark.usefixtures("four_tags")
def test_tag_list_changes_with_the_index(client: Client) -> None:
    before = client.get("/browse/tags/")
    record_tags("category", 9, tags(new=1), 10, timezone.now())

    assert client.get("/browse/tags/", headers={"If-None-Match": before["ETag"]}).status_code == 200
    assert "new" in row_heads(client.get("/browse/tags/"))


@pytest.mark.parametrize("link", ["order_by=size", "sort_order=up", "offset=-1", f"q={'x' * 201}", "q=a&q=b"])
def test_tag_list_rejects_invalid_parameters(client: Client, link: str) -> None:
    page = client.get(f"/browse/tags/?{link}")

    assert (page.status_code, bool(alert(page))) == (400, True)
