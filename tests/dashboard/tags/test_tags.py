"""The tag page of a category and release: rows, headers, groups, chips and pages."""

import pytest
from django.test import Client

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.dashboard.reading import alert, canonical, document, links, names, words
from tests.fake_service import FakeService, a_tag, tags_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
RESULTS = {"HX-Request": "true", "HX-Target": "results"}


@pytest.mark.parametrize(("kind", "number"), [("category", 125), ("release", 125)])
def test_tag_page_sorts_by_series_count_by_default(
    client: Client, stand_in: FakeService, kind: str, number: int
) -> None:
    stand_in.has(kind, number, stand_in.tags["category", "125"])

    assert names(client.get(f"/{kind}/{number}/tags/")) == ["usa", "monthly", "seas", "annual"]


def test_tag_row_shows_every_field(client: Client) -> None:
    row = words(client.get("/category/125/tags/"), "//tbody/tr[1]/*")

    assert row == ["usaonly", "Geography", "47", "100", "2012-02-27", "A country"]


def test_tag_row_shows_missing_notes_and_negative_popularity(client: Client) -> None:
    row = words(client.get("/category/125/tags/?tag_group_id=cc"), "//tbody/tr[1]/*")

    assert row == ["seasonly", "Citation", "40", "-31", "2012-02-27", "none"]


def test_tag_timestamp_has_its_offset(client: Client) -> None:
    stamps = document(client.get("/category/125/tags/")).xpath("//tbody//time/@datetime")

    assert set(stamps) == {"2012-02-27T10:18:19-0600"}


def test_tag_timestamp_date_is_in_its_own_offset(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, [a_tag("late", created="2012-02-27 23:18:19-06")])

    assert words(client.get("/category/125/tags/"), "//tbody//time") == ["2012-02-27"]


def test_tag_table_has_caption_and_headers(client: Client) -> None:
    page = client.get("/category/125/tags/?order_by=name&sort_order=asc")

    assert words(page, "//caption") == ["4 tags, A to Z"]
    assert words(page, "//th[@scope='col']") == ["Tag", "Group", "Series", "Popularity", "Tag created", "Notes"]
    assert len(document(page).xpath("//tbody//th[@scope='row']")) == 4


@pytest.mark.parametrize(
    ("order_by", "sort_order", "expected"),
    [
        ("name", "asc", ["annual", "monthly", "seas", "usa"]),
        ("popularity", "desc", ["usa", "annual", "monthly", "seas"]),
        ("group_id", "asc", ["seas", "annual", "monthly", "usa"]),
    ],
)
def test_tag_rows_are_in_requested_order(client: Client, order_by: str, sort_order: str, expected: list[str]) -> None:
    page = client.get("/category/125/tags/", {"order_by": order_by, "sort_order": sort_order})

    assert names(page) == expected
    assert len(document(page).xpath("//th[@aria-sort]")) == 1


def test_sorted_header_links_to_other_direction(client: Client) -> None:
    heads = document(client.get("/category/125/tags/?offset=2")).xpath("//thead//a")

    assert [(head.get("title"), head.get("href")) for head in heads[1:3]] == [
        ("Sort: by group", "/category/125/tags/?order_by=group_id&sort_order=asc"),
        ("Series with this tag. Sort: fewest series first", "/category/125/tags/?sort_order=asc"),
    ]


def test_group_counts_follow_the_other_filters_and_every_group_stays(client: Client) -> None:
    groups = words(client.get("/category/125/tags/?tag_names=usa;annual&tag_group_id=freq"), "//nav[@class='groups']/*")

    assert groups == [
        "All 2",
        "Frequency 1",
        "Topic 0",
        "Geography 1",
        "Area type 0",
        "Release 0",
        "Seasonal adjustment 0",
        "Source agency 0",
        "Citation 0",
    ]


def test_tag_filter_accepts_unknown_group(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, [a_tag("x", group_id="new & <strange>"), a_tag("y")])
    page = client.get("/category/1/tags/")
    link = links(page)["new & <strange> 1"]

    assert link == "/category/1/tags/?tag_group_id=new+%26+%3Cstrange%3E"
    assert names(client.get(link)) == ["x"]


def test_filter_chip_removes_one_filter(client: Client) -> None:
    page = client.get("/category/125/tags/?tag_names=usa;annual&search_text=a&limit=25&offset=25")

    chips = {chip.text_content(): chip.get("href") for chip in document(page).xpath("//a[@class='chip']")}
    assert {name.split(" remove")[0].strip(): link for name, link in chips.items()} == {
        "Words: a": "/category/125/tags/?tag_names=annual%3Busa&limit=25",
        "annual": "/category/125/tags/?tag_names=usa&search_text=a&limit=25",
        "usa": "/category/125/tags/?tag_names=annual&search_text=a&limit=25",
    }
    assert links(page)["Clear all filters"] == "/category/125/tags/?limit=25"


def test_tag_pages_link_to_each_other(client: Client) -> None:
    page = client.get("/release/53/tags/?offset=50")

    assert words(page, "//*[@class='span']") == ["51–100 of 188 tags"]
    steps = {"First", "Previous", "Next", "Last"}
    assert {name: link for name, link in links(page).items() if name in steps} == {
        "First": "/release/53/tags/",
        "Previous": "/release/53/tags/",
        "Next": "/release/53/tags/?offset=100",
        "Last": "/release/53/tags/?offset=150",
    }
    before, after = page["Link"].split(", ")[:2]
    assert before == '</release/53/tags/>; rel="prev"; anchor="#rows"'
    assert after == '</release/53/tags/?offset=100>; rel="next"; anchor="#rows"'


def test_tag_pages_show_every_tag_once(client: Client) -> None:
    link, seen = "/release/53/tags/?limit=25", []
    while link:
        page = client.get(link)
        seen += names(page)
        link = links(page).get("Next", "")

    assert seen == [f"tag {n:04}" for n in range(188)]


def test_one_request_to_the_service_answers_every_filter_sort_and_page(client: Client, stand_in: FakeService) -> None:
    for query in ("", "?tag_group_id=geo", "?order_by=name", "?offset=50", "?tag_names=usa", "?limit=1000"):
        client.get(f"/release/53/tags/{query}")

    assert len(stand_in.asked) == 1


def test_tag_page_is_named_by_label_book(client: Client) -> None:
    save_labels([Label(kind="category", number=125, name="Trade Balance", note="Goods\nand services")])
    page = client.get("/category/125/tags/?tag_group_id=freq")

    assert words(page, "//h1") == ["Trade Balance"]
    assert words(page, "//head/title") == ["Trade Balance · Category 125 · Frequency · econweb"]
    assert words(page, "//header//details/summary") == ["Goods …"]
    assert words(page, "//header//details") == ["Goods … and services"]


def test_tag_page_offers_to_name_unnamed_owner(client: Client) -> None:
    page = client.get("/category/125/tags/")

    assert words(page, "//h1") == ["Category 125"]
    assert links(page)["Add a name"] == "/me/names/category/125/"


def test_tag_page_shows_facts_of_the_set(client: Client, stand_in: FakeService) -> None:
    stand_in.has(
        "category",
        2,
        [a_tag("a", group_id="freq", series_count=6), a_tag("b", group_id="seas", series_count=6)],
    )

    page = client.get("/category/2/tags/?realtime_start=2020-01-01&realtime_end=2020-02-01")

    facts = words(page, "//section/p")
    assert facts[0].startswith(
        "2 tags on about 6 series, which the provider's API does not list · as of 2020-01-01 to 2020-02-01 "
        "· popularity is today's · fetched 20"
    )
    assert "popularity is today's" not in client.get("/category/2/tags/").text


def test_long_notes_are_folded(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 3, [a_tag("x", notes="word " * 800)])
    cell = document(client.get("/category/3/tags/")).xpath("//tbody/tr/td[5]")[0]

    assert len(cell.xpath(".//summary")[0].text_content()) < 150
    assert cell.text_content().count("word") == 800


def test_tag_names_have_suggestions(client: Client) -> None:
    answer = client.get("/category/125/tags/names", headers={"HX-Request": "true"})

    assert document(answer).xpath("//option/@value") == ["annual", "monthly", "seas", "usa"]


def test_tag_page_without_trailing_slash_is_redirected(client: Client) -> None:
    assert client.get("/category/125/tags")["Location"] == "/category/125/tags/"


@pytest.mark.parametrize(
    "path", ["/category/x/tags/", "/category/-1/tags/", "/category//tags/", "/release/1/tags/x.css"]
)
def test_invalid_tag_url_is_not_found(client: Client, path: str) -> None:
    answer = client.get(path)

    assert answer.status_code == 404
    assert alert(answer)


def test_real_time_period_is_sent_to_the_service(client: Client, stand_in: FakeService) -> None:
    page = client.get("/category/125/tags/?realtime_start=2014-01-01&realtime_end=2014-12-31")

    assert stand_in.asked[0][1]["realtime_start"] == "2014-01-01"
    assert canonical(page) == "/category/125/tags/?realtime_start=2014-01-01&realtime_end=2014-12-31"
    assert document(page).xpath("//input[@name='realtime_end']/@value") == ["2014-12-31"]


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (50, []),
        (51, ["Print all 51 rows"]),
        (1000, ["Print all 1,000 rows"]),
        (1001, ["Print the first 1,000 rows"]),
    ],
)
def test_tag_page_offers_all_rows_for_print(
    client: Client, stand_in: FakeService, count: int, words: list[str]
) -> None:
    stand_in.has("category", 8, tags_of(count))
    first = client.get("/category/8/tags/?offset=10&limit=50" if count > 50 else "/category/8/tags/")

    assert [word for word in links(first) if word.startswith("Print ")] == words
    assert not any(word.startswith("Print ") for word in links(client.get("/category/8/tags/?limit=1000")))
    # Not all of them are on this page, though as many may be.
    assert "Print " in client.get("/category/8/tags/?limit=1000&offset=5").text


@pytest.mark.parametrize("query", ["", "?tag_names=usa&order_by=name", "?embed=1&search_text=50%25+%C3%A9"])
@pytest.mark.parametrize("path", ["/category/125/", "/release/53/"])
def test_address_of_a_category_or_release_leads_to_its_tags(client: Client, path: str, query: str) -> None:
    answer = client.get(path + query)

    assert (answer.status_code, answer["Location"]) == (301, f"{path}tags/{query}")
    assert client.post(path).status_code == 405
