"""The pictures of a view: what they say, and where they lead."""

import math
import re
from itertools import accumulate

import pytest
from django.test import Client
from lxml.html import HtmlElement

from tests.dashboard.reading import document, links, words
from tests.stand_in import StandIn, a_tag, tags_of

pytestmark = pytest.mark.django_db
PATH = "/category/125/tags/"


@pytest.fixture(autouse=True)
def category_125(stand_in: StandIn) -> None:
    stand_in.has(
        "category",
        125,
        [
            a_tag("annual", group_id="freq", series_count=10, created="2012-02-27 10:18:19-06"),
            a_tag("monthly", group_id="freq", series_count=30, created="2012-02-27 10:18:19-06"),
            a_tag("nsa", group_id="seas", series_count=40, popularity=-31, created="2019-08-02 08:50:12-05"),
            a_tag("none", group_id="seas", series_count=0, created="2019-08-02 08:50:12-05"),
        ],
    )


def picture(client: Client, title: str, query: str = "") -> list[str]:
    path = f"//figure[normalize-space(figcaption/a)='{title}']//li"
    return words(client.get(PATH + query), path)


def marks(page: HtmlElement) -> set[tuple[int, int]]:
    """Where the marks without a name are; each is a step from the one before."""
    steps = re.findall(r"m(-?\d+) ?(-?\d+)h0", page.xpath("string(//path[@class='marks']/@d)"))
    return set(
        accumulate(((int(x), int(y)) for x, y in steps), lambda at, by: (at[0] + by[0], at[1] + by[1]))
    )


def test_bars_are_the_share_of_all_series(client: Client) -> None:
    bars = document(client.get(PATH)).xpath("//ul[@class='bars freq']/li/svg/@width")

    assert picture(client, "Frequency") == ["monthly30", "annual10"]
    assert bars == ["75%", "25%"]


def test_years_are_counted(client: Client) -> None:
    assert picture(client, "Created by year") == ["20122", "20192"]


def test_pictures_obey_the_filters(client: Client) -> None:
    assert picture(client, "Frequency", "?tag_group_id=seas") == []
    assert picture(client, "Created by year", "?tag_names=annual;nsa") == ["20121", "20191"]


def test_each_picture_leads_to_its_view(client: Client) -> None:
    found = links(client.get(f"{PATH}?search_text=n"))

    assert found["Frequency"] == f"{PATH}?tag_group_id=freq&search_text=n"
    assert found["Popularity against series"] == f"{PATH}dots?search_text=n"
    assert found["Created by year"] == f"{PATH}?search_text=n&order_by=created"


def test_dots_lie_at_powers_of_ten_and_keep_within_the_picture(client: Client) -> None:
    dots = document(client.get(f"{PATH}dots")).xpath("//circle")

    places = {dot.xpath("string(title)").split(":")[0]: (dot.get("cx"), dot.get("cy")) for dot in dots}
    assert places["annual"] == ("150", "75")
    assert places["nsa"][1] == "150"
    assert places["none"][0] == "0"


def test_the_dots_of_a_view_lead_back_to_it_and_to_their_table(client: Client) -> None:
    found = links(client.get(f"{PATH}dots?tag_group_id=freq"))

    assert found["Back to the view"] == f"{PATH}?tag_group_id=freq"
    assert found["The same as a table"] == f"{PATH}?tag_group_id=freq&order_by=popularity"
    assert "Popularity against series" not in found


def test_in_the_place_of_the_small_picture_the_dots_still_lead_to_their_page(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-Target": "dots"}
    (figure,) = document(client.get(f"{PATH}dots?tag_group_id=freq", headers=headers)).xpath("//figure")

    (link,) = figure.xpath("figcaption/a")
    assert link.get("href") == f"{PATH}dots?tag_group_id=freq"
    assert link.get("title") == "All dots with their names"
    assert figure.get("hx-get") is None


def test_the_dots_have_a_legend_of_the_groups_that_are_there(client: Client, stand_in: StandIn) -> None:
    assert words(client.get(f"{PATH}dots"), "//ul[@class='legend']/li") == ["FFrequency", "AAdjustment"]
    stand_in.has("category", 1, [a_tag("a", group_id="zeta"), a_tag("b", group_id="src")])
    page = document(client.get("/category/1/tags/dots"))
    hues = page.xpath("//ul[@class='legend']//i/@class")

    assert words(client.get("/category/1/tags/dots"), "//ul[@class='legend']/li") == ["SSource", "·zeta"]
    assert set(hues) == set(page.xpath("//circle/@class"))


def test_dots_obey_the_filters_and_have_one_address(client: Client) -> None:
    drawn = document(client.get(f"{PATH}dots?tag_group_id=freq"))
    assert len(drawn.xpath("//circle")) == 2

    assert words(client.get(f"{PATH}dots?tag_names=nowhere"), "//figure") == []
    plain = client.get(f"{PATH}dots?form=plain&tag_group_id=freq&order_by=name&limit=25")
    assert (plain.status_code, plain["Location"]) == (302, f"{PATH}dots?tag_group_id=freq")


def test_a_bad_parameter_of_the_dots_is_named(client: Client) -> None:
    answer = client.get(f"{PATH}dots?realtime_start=soon")

    assert answer.status_code == 400
    assert "realtime_start is a day" in answer.content.decode()
    assert "tag_group_id is one of" in client.get(f"{PATH}dots?tag_group_id=zzz").content.decode()
    misspelt = client.get(f"{PATH}dots?serach_text=x")
    assert "serach_text is not known here" in " ".join(words(misspelt, "//p[@class='notice']"))


def test_what_is_left_out_is_counted(client: Client, stand_in: StandIn) -> None:
    stand_in.has("category", 1, tags_of(1600))
    captions = words(client.get("/category/1/tags/"), "//figcaption")

    assert "Frequency and 194 more" in captions
    assert "Popularity against series and 1,500 more" in captions


def test_the_largest_tags_are_marked_and_under_an_address_of_their_own_named(
    client: Client, stand_in: StandIn
) -> None:
    tags = [a_tag(f"t{n}", series_count=10**4 - 8 * n, popularity=n % 101) for n in range(1100)]
    stand_in.has("category", 1, tags)
    places = [(75 * math.log10(10**4 - 8 * n), 150 * (1 - n % 101 / 100)) for n in range(100)]

    assert marks(document(client.get("/category/1/tags/"))) == {
        (round(round(x) / 3), round(round(y) / 3)) for x, y in places
    }
    page = document(client.get("/category/1/tags/dots"))
    names = [title.split(":")[0] for title in page.xpath("//svg[@class='dots']//title/text()")]
    assert names == [f"t{n}" for n in range(1000)]
    assert words(client.get("/category/1/tags/dots"), "//figcaption") == [
        "Popularity against series and 100 more"
    ]
    assert len(page.xpath("//circle[@tabindex]")) == 25


def test_both_axes_say_what_they_count(client: Client) -> None:
    said = words(client.get(PATH), "//svg[@class='dots']/text")

    assert said == ["100", "50", "0", "1", "10", "100", "popularity", "series"]


def test_nothing_is_drawn_of_nothing(client: Client) -> None:
    assert words(client.get(f"{PATH}?tag_names=nowhere"), "//figure") == []
