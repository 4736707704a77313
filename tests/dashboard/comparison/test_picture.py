"""The sentence above a comparison, and the picture below it."""

from typing import Any

import pytest
from django.test import Client
from lxml import html

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.dashboard.reading import document, words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
LINK = "/compare/?a=category:125&b=release:53"
SVG = {"": "http://www.w3.org/2000/svg"}


def whole(count: int) -> list[dict[str, Any]]:
    return [a_tag("annual", group_id="freq", series_count=count), a_tag("nsa", group_id="seas", series_count=count)]


@pytest.fixture(autouse=True)
def named(stand_in: FakeService) -> FakeService:
    """Two sources with 1,000 and 200 series: `trade` is at 61.3 and 58 %, `balance` at 93.5 and 5 %."""
    here = [a_tag("trade", series_count=613), a_tag("balance", series_count=935), a_tag("bop", series_count=3)]
    there = [a_tag("trade", series_count=116), a_tag("balance", series_count=10), a_tag("gdp", series_count=200)]
    stand_in.has("category", 125, [*whole(1000), *here])
    stand_in.has("release", 53, [*whole(200), *there])
    save_labels(
        [
            Label(kind="category", number=125, name="Trade Balance"),
            Label(kind="release", number=53, name="Gross Domestic Product"),
        ]
    )
    return stand_in


def lines_of(client: Client, link: str = LINK) -> dict[str, html.HtmlElement]:
    plot = document(client.get(link)).xpath("//figure//*[@role='img']")[0]
    names = [" ".join(name.text_content().split()) for name in plot.xpath("./p")]
    return dict(zip(names, plot.xpath("./*[@class='line']"), strict=True))


def positions_of(line: html.HtmlElement) -> list[tuple[str, str]]:
    return [(mark.get("href"), mark.get("x")) for mark in line.xpath(".//*[local-name()='use']")]


def test_comparison_summary_names_shared_tags_and_largest_difference(client: Client) -> None:
    (summary,) = words(client.get(LINK), "//main//p[@class='summary']")

    assert summary == (
        "4 tags in both (largest gap: balance, 94 % against 5 %), "
        "1 only in Trade Balance, 1 only in Gross Domestic Product."
    )


def test_comparison_summary_of_three_sources_names_ends_of_largest_gap(client: Client, named: FakeService) -> None:
    named.has("category", 1, [*whole(10), a_tag("trade", series_count=9), a_tag("balance", series_count=4)])
    (summary,) = words(client.get(f"{LINK}&c=category:1"), "//main//p[@class='summary']")

    assert summary.startswith("4 tags in all three (largest gap: balance, 94 % against 5 %), 1 only in Trade")
    assert summary.endswith("0 only in Category 1.")


def test_comparison_summary_without_difference_names_no_gap(client: Client, named: FakeService) -> None:
    named.has("category", 125, whole(7))
    named.has("release", 53, whole(5))
    (summary,) = words(client.get(LINK), "//main//p[@class='summary']")

    assert summary == "The same 2 tags in both, with the same shares."


@pytest.mark.parametrize(
    ("link", "everywhere"),
    [("", "both"), ("&c=category:125@2020-01-02", "all three")],
)
def test_comparison_summary_of_what_did_not_change_says_so_in_words(client: Client, link: str, everywhere: str) -> None:
    """It said `0 only in …` twice over a table without any difference."""
    page = client.get(f"/compare/?a=category:125@2020-01-01&b=category:125{link}")
    (summary,) = words(page, "//main//p[@class='summary']")

    assert summary == f"The same 5 tags in {everywhere}, with the same numbers of series: nothing differs."
    assert words(page, "//th[@scope='col']//time")[0] == "2020-01-01"
    assert words(page, "//figure//li//time")[0] == "2020-01-01"


def test_comparison_page_shows_names_not_parameter_letters(client: Client) -> None:
    """The page named its sources a and b."""
    page = client.get(LINK)

    assert words(page, "//title | //h1") == [
        "Trade Balance compared with Gross Domestic Product · econweb",
        "Trade Balance compared with Gross Domestic Product",
    ]
    assert words(page, "//th[@scope='col']")[2:4] == ["Trade Balance", "Gross Domestic Product"]
    assert words(page, "//nav[@aria-label='Where a tag is']/a") == [
        *("All tags 6", "In both 4", "Only in Trade Balance 1", "Only in Gross Domestic Product 1")
    ]
    assert words(page, "//figure//li") == ["Trade Balance", "Gross Domestic Product"]


def test_comparison_page_has_summary_then_table_then_picture(client: Client) -> None:
    """The picture came first and took the whole screen."""
    text = client.get(LINK).text

    assert text.index('class="summary"') < text.index("<table") < text.index("<figure")
    assert text.index("Counts are approximate.") > text.index("<table")


def test_comparison_picture_places_marks_to_scale(client: Client) -> None:
    """Positions were rounded, so that 61.3 % and 58.1 % were the same."""
    lines = lines_of(client)

    assert positions_of(lines["trade"]) == [("#mark-a", "61.3%"), ("#mark-b", "58.0%")]
    assert positions_of(lines["balance"]) == [("#mark-a", "93.5%"), ("#mark-b", "5.0%")]


def test_comparison_picture_starts_with_largest_difference(client: Client) -> None:
    assert list(lines_of(client)) == ["balance", "trade", "annual", "nsa"]
    assert list(lines_of(client, f"{LINK}&order_by=name&sort_order=asc")) == ["balance", "trade", "annual", "nsa"]
    assert not words(client.get(f"{LINK}&only=a"), "//figure")


def test_comparison_picture_names_its_content_and_scale(client: Client) -> None:
    page = client.get(LINK)

    assert words(page, "//figcaption") == [
        "Share of series that carry each tag 4 tags in both, the largest difference first"
    ]
    assert words(page, "//figure//*[@class='scale']/*") == ["0 %", "25 %", "50 %", "75 %", "100 %"]


def test_comparison_picture_marks_differ_by_shape(client: Client) -> None:
    page = client.get(LINK)
    shapes = document(page).xpath("//*[@class='mark-shapes']/*")

    assert positions_of(lines_of(client)["nsa"]) == [("#mark-a", "100.0%"), ("#mark-b", "100.0%")]
    assert len({(shape.tag, shape.get("r"), shape.get("d")) for shape in shapes}) == 6


def test_comparison_picture_of_counts_scales_to_largest(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, [a_tag("usa", series_count=3), a_tag("peru", series_count=1200)])
    stand_in.has("category", 2, [a_tag("usa", series_count=12), a_tag("peru", series_count=300)])
    page = client.get("/compare/?a=category:1&b=category:2")

    assert words(page, "//figcaption")[0].startswith("Number of series that carry each tag")
    assert words(page, "//figure//*[@class='scale']/*") == ["0", "1,200"]
    assert "(largest gap: peru, 1,200 against 300 series)" in words(page, "//main//p[@class='summary']")[0]


@pytest.mark.parametrize("numbers", [(1, 2), (1, 2, 3)])
def test_comparison_of_tags_that_no_series_has_any_more_is_a_page(
    client: Client, stand_in: FakeService, numbers: tuple[int, ...]
) -> None:
    """The picture divided by the largest count."""
    groups = {"usa": "geo", "annual": "freq", "nsa": "seas"}
    tags = [a_tag(name, group_id=group, series_count=0) for name, group in groups.items()]
    for number in numbers:
        stand_in.has("category", number, tags)
    sources = "&".join(f"{letter}=category:{number}" for letter, number in zip("abc", numbers, strict=False))
    page = client.get(f"/compare/?{sources}")

    assert page.status_code == 200
    assert words(page, "//figure//*[@class='scale']/*") == ["0", "1"]
    assert {position for _, position in positions_of(lines_of(client, f"/compare/?{sources}")["usa"])} == {"0.0%"}
    assert not words(client.get(f"/compare/?{sources}&only=a"), "//figure")
    assert {client.get(f"/category/1/tags/{end}").status_code for end in ("", "profile")} == {200}
