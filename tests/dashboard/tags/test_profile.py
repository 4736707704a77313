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


def picture(client: Client, title: str, query: str = "") -> list[str]:
    path = f"//figure[normalize-space(figcaption/a)='{title}']//li"
    return words(client.get(PATH + query), path)


def test_bars_are_the_share_of_all_series(client: Client) -> None:
    bars = document(client.get(PATH)).xpath("//ul[@class='bars freq']/li/svg/@width")

    assert picture(client, "Frequency") == ["monthly30", "annual10", "never0"]
    assert bars == ["75%", "25%", "0%"]


def test_pictures_follow_the_filters(client: Client) -> None:
    assert picture(client, "Frequency", "?tag_group_id=seas") == []
    assert picture(client, "Frequency", "?tag_names=annual;monthly;never") != []


def test_each_picture_leads_to_its_view(client: Client) -> None:
    found = links(client.get(f"{PATH}?search_text=n"))

    assert found["Frequency"] == f"{PATH}?tag_group_id=freq&search_text=n"
    assert found["Popularity and number of series"] == f"{PATH}?search_text=n&order_by=popularity"


def test_dots_lie_at_powers_of_ten_and_keep_within_the_picture(client: Client) -> None:
    dots = document(client.get(f"{PATH}profile")).xpath("//circle")

    places = {dot.xpath("string(title)").split(":")[0]: (dot.get("cx"), dot.get("cy")) for dot in dots}
    assert places["annual"] == ("150", "75")
    assert places["nsa"][1] == "150"
    assert places["none"][0] == "0"


def test_a_short_view_includes_its_profile(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, tags_of(50))
    (whole,) = document(client.get("/category/1/tags/")).xpath("//section[@id='profile']")
    assert len(whole.xpath(".//circle")) == 50
    assert whole.get("hx-get") is None

    stand_in.has("category", 2, tags_of(51))
    (later,) = document(client.get("/category/2/tags/?search_text=tag&offset=50")).xpath("//*[@id='profile']")
    assert later.get("hx-get") == "/category/2/tags/profile?search_text=tag"
    assert later.xpath("h2/a/@href") == ["/category/2/tags/profile?search_text=tag"]
    assert later.xpath(".//figure") == []


def test_the_page_of_a_profile_leads_back_and_its_names_narrow_the_view(client: Client) -> None:
    page = client.get(f"{PATH}profile?tag_group_id=freq&search_text=n")

    assert links(page)["Back to Category 125"] == f"{PATH}?tag_group_id=freq&search_text=n"
    assert "Overview of 3 tags" not in links(page)
    (form,) = document(page).xpath("//main//form")
    assert form.get("action") == PATH
    assert dict(form.form_values()) == {"form": "plain", "tag_group_id": "freq", "search_text": "n"}
    assert form.xpath(".//button[@name='tag_names']/@value") == ["monthly", "annual", "never"]


def test_the_profile_below_a_table_links_to_the_page(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-Target": "profile"}
    known = client.get(f"{PATH}profile", headers=headers)["ETag"]
    assert known != client.get(f"{PATH}profile", headers={"HX-Request": "true", "HX-Target": "main"})["ETag"]
    assert client.get(f"{PATH}profile", headers=headers | {"If-None-Match": known}).status_code == 304
    (section,) = document(client.get(f"{PATH}profile?tag_group_id=freq", headers=headers)).xpath("//section")

    assert section.xpath("h2/a/@href") == [f"{PATH}profile?tag_group_id=freq"]
    assert section.get("hx-get") is None


def test_only_the_pictures_are_loaded_below_a_table(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-Target": "profile"}
    whole, none = (client.get(f"{PATH}profile{words}", headers=headers).text for words in ("", "?tag_names=nowhere"))

    assert whole.startswith('<section id="profile"')
    assert whole.endswith("</section>")
    assert "Overview of 0 tags" in none
    assert "<figure" not in none


def test_the_dots_have_a_legend_of_the_groups_that_are_there(client: Client, stand_in: FakeService) -> None:
    assert words(client.get(f"{PATH}profile"), "//ul[@class='legend']/li") == ["FFrequency", "ASeasonal adjustment"]
    stand_in.has("category", 1, [a_tag("a", group_id="zeta"), *(a_tag(name, group_id="src") for name in "bc")])
    page = document(client.get("/category/1/tags/profile"))
    hues = page.xpath("//ul[@class='legend']//i/@class")

    assert words(client.get("/category/1/tags/profile"), "//ul[@class='legend']/li") == ["SSource agency", "·zeta"]
    assert set(hues) == set(page.xpath("//circle/@class"))


def test_a_profile_follows_the_filters_and_has_one_url(client: Client) -> None:
    drawn = document(client.get(f"{PATH}profile?tag_group_id=freq"))
    assert len(drawn.xpath("//circle")) == 3

    assert words(client.get(f"{PATH}profile?tag_names=nowhere"), "//figure") == []
    plain = client.get(f"{PATH}profile?form=plain&tag_group_id=freq&order_by=name&limit=25")
    assert (plain.status_code, plain["Location"]) == (302, f"{PATH}profile?tag_group_id=freq")


def test_an_invalid_parameter_of_a_profile_is_named(client: Client) -> None:
    answer = client.get(f"{PATH}profile?realtime_start=soon")

    assert answer.status_code == 400
    assert "Enter the first day" in answer.content.decode()
    assert "tag_group_id is one of" in client.get(f"{PATH}profile?tag_group_id=zzz").content.decode()
    misspelt = client.get(f"{PATH}profile?serach_text=x")
    assert "“serach_text”, which we ignored" in " ".join(words(misspelt, "//p[@class='notice']"))


def test_tags_left_out_of_a_picture_are_counted(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, tags_of(1600))
    captions = words(client.get("/category/1/tags/profile"), "//figcaption")

    assert "Frequency series + 194 more" in captions
    assert "Popularity and number of series + 600 more" in captions


def test_the_largest_tags_are_drawn_and_a_few_of_them_stop_the_tab_key(client: Client, stand_in: FakeService) -> None:
    tags = [a_tag(f"t{n}", series_count=10**4 - 8 * n, popularity=n % 101) for n in range(1100)]
    stand_in.has("category", 1, tags)
    places = [(75 * math.log10(10**4 - 8 * n), 150 * (1 - n % 101 / 100)) for n in range(1000)]
    page = document(client.get("/category/1/tags/profile"))

    drawn = [(int(dot.get("cx")), int(dot.get("cy"))) for dot in page.xpath("//circle")]
    assert drawn == [(round(x), round(y)) for x, y in places]
    few = client.get("/category/1/tags/profile", headers={"HX-Request": "true", "HX-Target": "profile"})
    assert len(document(few).xpath("//circle")) == 200
    names = [title.split(":")[0] for title in page.xpath("//circle/title/text()")]
    assert names == [f"t{n}" for n in range(1000)]
    assert page.xpath("//circle[@tabindex]/title/text()")[-1].startswith("t24:")


def test_both_axes_say_what_they_count(client: Client) -> None:
    said = words(client.get(PATH), "//svg[@class='dots']/text")

    assert said == ["100", "50", "0", "1", "10", "100", "popularity", "series"]


def test_a_view_without_tags_has_no_picture(client: Client) -> None:
    assert words(client.get(f"{PATH}?tag_names=nowhere"), "//figure") == []


def test_fewer_than_three_tags_have_no_picture(client: Client) -> None:
    assert document(client.get(f"{PATH}?tag_names=annual;monthly")).xpath("//*[@id='profile']") == []
    page = client.get(f"{PATH}profile?tag_names=annual;monthly")
    assert "Fewer than three tags match, so there is no chart." in words(page, "//main/p")
    # A group of two has its numbers in the strip.
    assert picture(client, "Seasonal adjustment") == []
