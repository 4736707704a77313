"""Columns, orders and shares of the tag table, and the strip above it."""

import msgspec
import pytest
from django.conf import LazySettings
from django.test import Client

from econweb.dashboard.tags.columns import BY_KEY, Scale, name_button
from econweb.dashboard.tags.sheet import FIELDS
from econweb.upstream.records import Tag
from tests.dashboard.reading import canonical, document, links, names, words
from tests.fake_service import FakeService, a_tag, tags_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("release_53")]
PATH = "/release/53/tags/"


@pytest.fixture
def release_53(stand_in: FakeService) -> None:
    stand_in.has(
        "release",
        53,
        [
            a_tag("quarterly", group_id="freq", series_count=199),
            a_tag("annual", group_id="freq", series_count=1),
            a_tag("sa", group_id="seas", series_count=200),
            a_tag("usa", group_id="geo", series_count=130),
        ],
    )


def table_class(client: Client, query: str) -> str:
    return str(document(client.get(f"{PATH}?{query}")).xpath("string(//table/@class)"))


def test_table_of_one_tag_does_not_offer_to_show_it_only(client: Client) -> None:
    assert table_class(client, "tag_names=usa") == "tag-table no-only"
    assert table_class(client, "tag_names=usa;sa") == "tag-table"


def test_tag_columns_are_chosen_by_link(client: Client) -> None:
    assert table_class(client, "") == "tag-table"
    assert table_class(client, "columns=name,series_count,notes") == "tag-table no-group no-rank no-made"
    page = client.get(f"{PATH}?columns=notes&columns=series_count&order_by=name")

    assert canonical(page).endswith(f"{PATH}?order_by=name&columns=series_count,notes")
    assert links(page)["Popularity"].endswith("order_by=popularity&columns=series_count,notes")
    boxes = document(page).xpath("//input[@type='checkbox' and @checked]/@value")
    assert boxes == ["series_count", "notes"]


@pytest.mark.parametrize("query", ["columns=", "columns=group_id,series_count,popularity,created,notes,name"])
def test_tag_columns_are_omitted_from_link_by_default(client: Client, query: str) -> None:
    assert canonical(client.get(f"{PATH}?{query}")).endswith(PATH)


def test_tag_columns_may_be_the_name_alone(client: Client) -> None:
    assert canonical(client.get(f"{PATH}?columns=name")).endswith(f"{PATH}?columns=name")


def test_tag_columns_name_unknown_value(client: Client) -> None:
    page = client.get(f"{PATH}?columns=colour")

    assert page.status_code == 400
    assert "Columns: “colour” is not known. Choose: name, " in page.text


def test_tag_columns_apply_to_table_files_not_json(client: Client) -> None:
    csv = client.get("/release/53/tags.csv?columns=series_count").getvalue().decode()
    json = client.get("/release/53/tags.json?columns=series_count").getvalue().decode()

    assert "name,series_count\n" in csv.replace("\r", "")
    assert '"popularity"' in json


@pytest.mark.parametrize(
    ("sort", "query", "first"),
    [("name asc", "order_by=name&sort_order=asc", "annual"), ("series_count desc", "", "sa")],
)
def test_sort_menu_names_order_and_direction(client: Client, sort: str, query: str, first: str) -> None:
    page = client.get(PATH, {"sort": sort}, headers={"HX-Request": "true", "HX-Target": "results"})

    assert names(page)[0] == first
    plain = client.get(PATH, {"form": "plain", "sort": sort})
    assert plain["Location"].removeprefix(PATH) == (f"?{query}" if query else "")


def test_tag_share_is_beside_series_count(client: Client) -> None:
    counts = words(client.get(PATH), "//td[@class='count']")

    assert counts == ["200 100 %", "199 99 %", "130 65 %", "1 <1 %"]


def test_tag_share_is_omitted_if_total_is_unknown(client: Client, stand_in: FakeService) -> None:
    stand_in.has("release", 53, [a_tag("a", series_count=3), a_tag("b", series_count=2), a_tag("c", series_count=1)])

    assert words(client.get(PATH), "//td[@class='count']") == ["3", "2", "1"]
    assert words(client.get(PATH), "//ul[@class='frequent-tags']") == []


def test_tag_share_under_search_is_of_the_whole_list(client: Client) -> None:
    before = client.get(f"{PATH}?search_text=usa")
    client.get(PATH)
    after = client.get(f"{PATH}?search_text=usa", headers={"If-None-Match": before["ETag"]})

    assert words(before, "//td[@class='count']") == ["130"]
    assert words(after, "//td[@class='count']") == ["130 65 %"]


def test_tag_page_summarises_series_above_table(client: Client) -> None:
    said = words(client.get(PATH), "//ul[@class='frequent-tags']/li")
    filtered = words(client.get(f"{PATH}?tag_names=usa"), "//ul[@class='frequent-tags']/li")

    assert said == ["Frequency: quarterly 99 %, annual <1 %", "Seasonal adjustment: sa 100 %", "Geography: usa 65 %"]
    assert filtered == ["Whole release:", *said]


def test_tag_filter_marks_name_without_tag(client: Client) -> None:
    page = client.get(f"{PATH}?tag_names=annual;gdp")

    assert names(page) == ["annual"]
    assert words(page, "//a[@class='chip missing']") == ["gdp not here remove"]


def test_tag_page_without_tags_links_to_today(client: Client, stand_in: FakeService) -> None:
    """B20 of the review: a past period had groups of nothing, a box for tags and no way back."""
    stand_in.has("release", 53, [])
    page = client.get(f"{PATH}?realtime_start=1990-01-01&realtime_end=1990-12-31")

    assert words(page, "//*[@id='rows']") == ["No tags in this release in that period"]
    assert links(page)["See it as of today"] == PATH
    assert document(page).xpath("//nav[@class='groups'] | //input[@name='tag_names']") == []


def test_tag_group_without_match_is_not_linked(client: Client) -> None:
    page = document(client.get(PATH))

    assert page.xpath("//nav[@class='groups']/span[@class='zero']/text()")[:1] == ["Topic "]
    assert page.xpath("//nav[@class='groups']//i/text()") == []


@pytest.mark.parametrize("kind", ["category", "release"])
def test_tag_page_of_named_tags_explains_counts(client: Client, stand_in: FakeService, kind: str) -> None:
    stand_in.has(kind, 53, tags_of(9))
    said = "Showing only these tags. Series counts are for the whole " + kind

    assert said in client.get(f"/{kind}/53/tags/?tag_names=tag+0003").text
    assert said not in client.get(f"/{kind}/53/tags/?tag_group_id=geo").text


def test_files_have_every_column_of_the_table() -> None:
    assert set(FIELDS) == BY_KEY.keys()


@pytest.mark.usefixtures("category_125")
def test_name_column_opens_the_tag_and_narrows_the_view(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 7, [a_tag("u.s. & <b>"), a_tag("gdp", series_count=9)])
    heads = document(client.get("/category/7/tags/")).xpath("//tbody/tr/th")

    assert [head.xpath("string(a/@href)") for head in heads] == ["/tag/u.s.%20%26%20%3Cb%3E/", "/tag/gdp/"]
    assert [head.xpath("string(button[@name='tag_names']/@value)") for head in heads] == ["u.s. & <b>", "gdp"]


@pytest.mark.parametrize("name", ["gdp", "usa", "quarterly", "inflation", "interest"])
def test_name_column_costs_30_bytes_more_than_a_button_at_most(name: str) -> None:
    tag = msgspec.convert(a_tag(name), Tag)
    both, button = BY_KEY["name"].cell(tag, Scale(1, None)), f"<th scope=row>{name_button(tag)}"

    assert len(both) - len(button) <= 30


@pytest.mark.usefixtures("category_125")
def test_name_column_is_a_button_where_no_page_of_a_tag_can_be(client: Client, settings: LazySettings) -> None:
    settings.ECON_MAY_STORE = False

    assert words(client.get("/category/125/tags/"), "//tbody//th/button")[0] == "usa"
    assert words(client.get("/category/125/tags/"), "//tbody//th/a") == []
