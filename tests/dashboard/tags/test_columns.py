"""Columns, orders and shares of the tag table, and the strip above it."""

import pytest
from django.test import Client

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


def test_a_choice_of_columns_is_in_the_link_and_hides_the_others(client: Client) -> None:
    assert table_class(client, "") == "tag-table"
    assert table_class(client, "columns=name,series_count,notes") == "tag-table no-group no-rank no-made"
    page = client.get(f"{PATH}?columns=notes&columns=series_count&order_by=name")

    assert canonical(page).endswith(f"{PATH}?order_by=name&columns=series_count,notes")
    assert links(page)["Popularity"].endswith("order_by=popularity&columns=series_count,notes")
    boxes = document(page).xpath("//input[@type='checkbox' and @checked]/@value")
    assert boxes == ["series_count", "notes"]


@pytest.mark.parametrize("query", ["columns=", "columns=group_id,series_count,popularity,created,notes,name"])
def test_all_columns_are_the_default_and_leave_the_link(client: Client, query: str) -> None:
    assert canonical(client.get(f"{PATH}?{query}")).endswith(PATH)


def test_the_name_may_stand_alone(client: Client) -> None:
    assert canonical(client.get(f"{PATH}?columns=name")).endswith(f"{PATH}?columns=name")


def test_an_unknown_column_is_named(client: Client) -> None:
    page = client.get(f"{PATH}?columns=colour")

    assert page.status_code == 400
    assert "colour is none of them" in page.text


def test_a_table_file_has_the_chosen_columns_and_json_whole_records(client: Client) -> None:
    csv = client.get("/release/53/tags.csv?columns=series_count").getvalue().decode()
    json = client.get("/release/53/tags.json?columns=series_count").getvalue().decode()

    assert "name,series_count\n" in csv.replace("\r", "")
    assert '"popularity"' in json


@pytest.mark.parametrize(
    ("sort", "query", "first"),
    [("name asc", "order_by=name&sort_order=asc", "annual"), ("series_count desc", "", "sa")],
)
def test_the_sort_menu_names_an_order_and_its_direction(client: Client, sort: str, query: str, first: str) -> None:
    page = client.get(PATH, {"sort": sort}, headers={"HX-Request": "true", "HX-Target": "results"})

    assert names(page)[0] == first
    plain = client.get(PATH, {"form": "plain", "sort": sort})
    assert plain["Location"].removeprefix(PATH) == (f"?{query}" if query else "")


def test_the_share_of_the_series_stands_beside_their_number(client: Client) -> None:
    counts = words(client.get(PATH), "//td[@class='count']")

    assert counts == ["200 100 %", "199 99 %", "130 65 %", "1 <1 %"]


def test_a_share_is_left_out_where_the_number_of_series_is_unknown(client: Client, stand_in: FakeService) -> None:
    stand_in.has("release", 53, [a_tag("a", series_count=3), a_tag("b", series_count=2), a_tag("c", series_count=1)])

    assert words(client.get(PATH), "//td[@class='count']") == ["3", "2", "1"]
    assert words(client.get(PATH), "//ul[@class='overview']") == []


def test_a_search_keeps_the_shares_of_the_whole_list(client: Client) -> None:
    before = client.get(f"{PATH}?search_text=usa")
    client.get(PATH)
    after = client.get(f"{PATH}?search_text=usa", headers={"If-None-Match": before["ETag"]})

    assert words(before, "//td[@class='count']") == ["130"]
    assert words(after, "//td[@class='count']") == ["130 65 %"]


def test_a_strip_above_the_table_says_what_the_series_are(client: Client) -> None:
    said = words(client.get(f"{PATH}?tag_group_id=geo"), "//ul[@class='overview']/li")

    assert said == ["Frequency: quarterly 99 %, annual <1 %", "Seasonal adjustment: sa 100 %", "Geography: usa 65 %"]


def test_a_name_that_is_no_tag_here_is_struck_through(client: Client) -> None:
    page = client.get(f"{PATH}?tag_names=annual;gdp")

    assert names(page) == ["annual"]
    assert words(page, "//a[@class='chip missing']") == ["gdp not here remove"]


def test_a_period_without_tags_leads_to_today(client: Client, stand_in: FakeService) -> None:
    stand_in.has("release", 53, [])
    page = client.get(f"{PATH}?realtime_start=1990-01-01&realtime_end=1990-12-31")

    assert words(page, "//*[@id='rows']") == ["No tags in this release in that period"]
    assert links(page)["See it as of today"] == PATH
    assert document(page).xpath("//nav[@class='groups']") == []


def test_a_group_without_a_match_is_no_link_and_letters_are_not_read_out(client: Client) -> None:
    page = document(client.get(PATH))

    assert page.xpath("//nav[@class='groups']/span[@class='zero']/text()")[:1] == ["Topic "]
    assert page.xpath("//nav[@class='groups']//i[not(@aria-hidden='true')]") == []


@pytest.mark.parametrize("kind", ["category", "release"])
def test_a_view_of_named_tags_explains_its_counts(client: Client, stand_in: FakeService, kind: str) -> None:
    stand_in.has(kind, 53, tags_of(9))
    said = "Showing only these tags. Series counts are for the whole " + kind

    assert said in client.get(f"/{kind}/53/tags/?tag_names=tag+0003").text
    assert said not in client.get(f"/{kind}/53/tags/?tag_group_id=geo").text
