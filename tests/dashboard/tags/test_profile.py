"""The pictures of a view and their links."""

import math

import pytest
from django.test import Client

from tests.dashboard.reading import document, links, words
from tests.fake_service import FakeService, a_tag, tags_of

pytestmark = pytest.mark.django_db
PATH = "/category/125/tags/"


@pytest.fixture(autouse=True)
def category_125(stand_in: FakeService) -> None:
    stand_in.has(
        "category",
        125,
        [
            a_tag("annual", group_id="freq", series_count=10, created="2012-02-27 10:18:19-06"),
            a_tag("monthly", group_id="freq", series_count=30, created="2012-02-27 10:18:19-06"),
            a_tag("nsa", group_id="seas", series_count=40, popularity=-31, created="2019-08-02 08:50:12-05"),
            a_tag("none", group_id="seas", series_count=0, created="2019-08-02 08:50:12-05"),
            a_tag("never", group_id="freq", series_count=0),
        ],
    )


def test_no_name_of_a_dot_is_struck_through_by_the_axis(client: Client) -> None:
    page = document(client.get(PATH))
    (axis,) = {dot.get("cy") for dot in page.xpath("//circle[starts-with(title, 'nsa:')]")}
    heights = [int(name.get("y")) for name in page.xpath("//svg[@class='dots']/text[@class]")]

    assert heights
    assert max(heights) < int(axis)


def picture(client: Client, title: str, query: str = "") -> list[str]:
    path = f"//figure[normalize-space(figcaption/a)='{title}']//li"
    return words(client.get(PATH + query), path)


def test_profile_bars_are_shares_of_all_series(client: Client) -> None:
    bars = document(client.get(PATH)).xpath("//ul[@class='bars freq']/li/svg/@width")

    assert picture(client, "Frequency") == ["monthly30", "annual10", "never0"]
    assert bars == ["75%", "25%", "0%"]


def test_profile_follows_filters(client: Client) -> None:
    assert picture(client, "Frequency", "?tag_group_id=seas") == []
    assert picture(client, "Frequency", "?tag_names=annual;monthly;never") != []


def test_profile_pictures_link_to_their_views(client: Client) -> None:
    found = links(client.get(f"{PATH}?search_text=n"))

    assert found["Frequency"] == f"{PATH}?tag_group_id=freq&search_text=n"
    assert found["Popularity and number of series"] == f"{PATH}?search_text=n&order_by=popularity"


def test_profile_dots_are_on_a_log_scale_within_bounds(client: Client) -> None:
    dots = document(client.get(f"{PATH}profile")).xpath("//circle")

    places = {dot.xpath("string(title)").split(":")[0]: (dot.get("cx"), dot.get("cy")) for dot in dots}
    assert places["annual"] == ("150", "0")
    assert places["nsa"][1] == "150"
    assert places["never, none"][0] == "0"


def test_profile_is_included_in_short_views(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, tags_of(50))
    (whole,) = document(client.get("/category/1/tags/")).xpath("//section[@id='profile']")
    assert len(whole.xpath(".//circle")) == 50
    assert whole.get("hx-get") is None

    stand_in.has("category", 2, tags_of(51))
    (later,) = document(client.get("/category/2/tags/?search_text=tag&offset=50")).xpath("//*[@id='profile']")
    assert later.get("hx-get") == "/category/2/tags/profile?search_text=tag"
    assert later.xpath("h2/a/@href") == ["/category/2/tags/profile?search_text=tag"]
    assert later.xpath(".//figure") == []


def test_profile_page_links_back_and_its_names_filter(client: Client) -> None:
    page = client.get(f"{PATH}profile?tag_group_id=freq&search_text=n")

    assert links(page)["Back to Category 125"] == f"{PATH}?tag_group_id=freq&search_text=n"
    assert "Overview of 3 tags" not in links(page)
    (form,) = document(page).xpath("//main//form")
    assert form.get("action") == PATH
    assert dict(form.form_values()) == {"form": "plain", "tag_group_id": "freq", "search_text": "n"}
    assert form.xpath(".//button[@name='tag_names']/@value") == ["monthly", "annual", "never"]


def test_profile_below_table_links_to_its_page(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-Target": "profile"}
    known = client.get(f"{PATH}profile", headers=headers)["ETag"]
    assert known != client.get(f"{PATH}profile", headers={"HX-Request": "true", "HX-Target": "main"})["ETag"]
    assert client.get(f"{PATH}profile", headers=headers | {"If-None-Match": known}).status_code == 304
    (section,) = document(client.get(f"{PATH}profile?tag_group_id=freq", headers=headers)).xpath("//section")

    assert section.xpath("h2/a/@href") == [f"{PATH}profile?tag_group_id=freq"]
    assert section.get("hx-get") is None


def test_profile_fragment_has_pictures_only(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-Target": "profile"}
    whole, none = (client.get(f"{PATH}profile{words}", headers=headers).text for words in ("", "?tag_names=nowhere"))

    assert whole.startswith('<section id="profile"')
    assert whole.endswith("</section>")
    assert "Overview of 0 tags" in none
    assert "<figure" not in none


def test_profile_legend_names_groups_present(client: Client, stand_in: FakeService) -> None:
    assert words(client.get(f"{PATH}profile"), "//ul[@class='legend']/li") == ["Frequency", "Seasonal adjustment"]
    stand_in.has(
        "category", 1, [a_tag("a", group_id="zeta", popularity=9), a_tag("b", group_id="src", popularity=8), a_tag("c")]
    )
    page = document(client.get("/category/1/tags/profile"))
    hues = page.xpath("//ul[@class='legend']//i/@class")

    assert words(client.get("/category/1/tags/profile"), "//ul[@class='legend']/li") == [
        "Geography",
        "Source agency",
        "zeta",
    ]
    assert set(hues) == set(page.xpath("//circle/@class"))


def test_profile_has_one_canonical_link(client: Client) -> None:
    drawn = document(client.get(f"{PATH}profile?tag_group_id=freq"))
    assert len(drawn.xpath("//circle")) == 3

    assert words(client.get(f"{PATH}profile?tag_names=nowhere"), "//figure") == []
    plain = client.get(f"{PATH}profile?form=plain&tag_group_id=freq&order_by=name&limit=25")
    assert (plain.status_code, plain["Location"]) == (302, f"{PATH}profile?tag_group_id=freq")


def test_profile_names_invalid_parameter(client: Client) -> None:
    answer = client.get(f"{PATH}profile?realtime_start=soon")

    assert answer.status_code == 400
    assert "Enter the first day" in answer.content.decode()
    assert "Tag group: “zzz” is not known." in client.get(f"{PATH}profile?tag_group_id=zzz").content.decode()
    misspelt = client.get(f"{PATH}profile?serach_text=x")
    assert "“serach_text”, which we ignored" in " ".join(words(misspelt, "//p[@class='notice']"))


def test_profile_counts_omitted_tags(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, tags_of(1600))
    captions = words(client.get("/category/1/tags/profile"), "//figcaption")

    assert "Frequency series + 194 more" in captions
    assert "Popularity and number of series + 600 more" in captions


def test_profile_draws_largest_tags_with_few_tab_stops(client: Client, stand_in: FakeService) -> None:
    tags = [a_tag(f"t{n}", series_count=10**4 - 8 * n, popularity=n % 101) for n in range(1100)]
    stand_in.has("category", 1, tags)
    places = [(300 * (math.log10(10**4 - 8 * n) - 3), 150 * (1 - n % 101 / 100)) for n in range(1000)]
    page = document(client.get("/category/1/tags/profile"))

    drawn = [(int(dot.get("cx")), int(dot.get("cy"))) for dot in page.xpath("//circle")]
    assert drawn == [(round(x), round(y)) for x, y in places]
    few = client.get("/category/1/tags/profile", headers={"HX-Request": "true", "HX-Target": "profile"})
    assert len(document(few).xpath("//circle")) == 200
    names = [title.split(":")[0] for title in page.xpath("//circle/title/text()")]
    assert names == [f"t{n}" for n in range(1000)]
    assert page.xpath("//circle[@tabindex]/title/text()")[-1].startswith("t24:")


def test_profile_axes_are_labelled(client: Client) -> None:
    said = words(client.get(PATH), "//svg[@class='dots']/text[not(@class)]")

    assert said == ["50", "25", "0", "1", "10", "100", "popularity", "series"]


def test_profile_axes_end_next_to_outermost_dots(client: Client, stand_in: FakeService) -> None:
    wide = [a_tag(f"t{n}", series_count=2000 + n, popularity=62 + 7 * n) for n in range(4)]
    same = [a_tag(f"s{n}", series_count=1, popularity=0) for n in range(3)]
    for number, tags in enumerate((wide, same)):
        stand_in.has("release", number, tags)
    said = [words(client.get(f"/release/{number}/tags/"), "//svg/text[not(@class)]")[:-2] for number in range(2)]

    assert said == [["90", "75", "60", "1k", "10k"], ["10", "5", "0", "1", "10"]]


def test_profile_names_outermost_dots_without_overlap(client: Client, stand_in: FakeService) -> None:
    corners = [("low & few", 1, 2), ("high & few", 1, 98), ("low & many", 900, 2), ("high & many", 900, 98)]
    tags = [a_tag(name, series_count=count, popularity=rank) for name, count, rank in corners]
    between = a_tag("between", series_count=6, popularity=98)
    stand_in.has("release", 1, [*tags, a_tag("middle", series_count=30, popularity=50)])
    stand_in.has("release", 2, [*tags, between])
    stand_in.has("release", 3, [a_tag(f"t{n}", series_count=10 ** (n % 4), popularity=8 * n) for n in range(12)])
    named = [words(client.get(f"/release/{number}/tags/"), "//svg/text[@class]") for number in (1, 2, 3)]

    assert named[0] == ["high & few", "low & few", "high & many", "low & many", "middle"]
    # The name would cover the dot of the other tag.
    assert "high & few" not in named[1]
    assert len(named[2]) == 8


def test_profile_dot_names_all_tags_at_its_place(client: Client, stand_in: FakeService) -> None:
    """Half of the dots were exactly under others, and their names could not be read."""
    alone = a_tag("alone", series_count=900, popularity=2)
    twins = [a_tag(name, series_count=51, popularity=88) for name in ("a & b", "c", "d")]
    stand_in.has("release", 1, [alone, *twins, a_tag("near", series_count=100_000), a_tag("by", series_count=100_001)])
    page = client.get("/release/1/tags/profile")
    dots = document(page).xpath("//circle")

    assert len({(dot.get("cx"), dot.get("cy")) for dot in dots}) == len(dots) == 3
    assert {dot.xpath("string(title)") for dot in dots} == {
        "by: 100,001 series, popularity 50; near: 100,000 series, popularity 50",
        "alone: 900 series, popularity 2",
        "a & b, c, d: 51 series, popularity 88",
    }
    assert "a & b +2" in words(page, "//svg/text[@class]")
    assert "Each dot is a tag, or several at one place, in the colour of the first." in page.text


def test_profile_without_tags_has_no_picture(client: Client) -> None:
    assert words(client.get(f"{PATH}?tag_names=nowhere"), "//figure") == []


def test_profile_of_fewer_than_three_tags_has_no_picture(client: Client) -> None:
    assert document(client.get(f"{PATH}?tag_names=annual;monthly")).xpath("//*[@id='profile']") == []
    page = client.get(f"{PATH}profile?tag_names=annual;monthly")
    assert "Fewer than three tags match, so there is no chart." in words(page, "//main/p")
    # A group of two has its numbers in the strip.
    assert picture(client, "Seasonal adjustment") == []


@pytest.mark.parametrize(
    ("count", "query", "sentence"),
    [
        (0, "", "No tags in this release, so there is no chart."),
        (2, "", "Fewer than three tags in this release, so there is no chart."),
        (2, "?search_text=nowhere", "No tags match, so there is no chart."),
    ],
)
def test_profile_speaks_of_a_match_only_with_a_filter(
    client: Client, stand_in: FakeService, count: int, query: str, sentence: str
) -> None:
    stand_in.has("release", 1, [a_tag(f"t{n}") for n in range(count)])

    assert sentence in words(client.get(f"/release/1/tags/profile{query}"), "//main/p")
