"""Twelve tasks of readers, each with the mouse, with the keyboard alone and without JavaScript, in few acts."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.reader import Reader, Way
from tests.browser.steps import expect_caption, go_back, rows
from tests.browser.window import new_window, no_messages

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("way", ["mouse", "keyboard", "no script"])]
KEY = "abcdefghijklmnopqrstuvwxyz123456"
TEN_IDS = "GDP, UNRATE, CPIAUCSL, GNPCA, FEDFUNDS, DGS10, GDPC1, PAYEMS, INDPRO, NOSUCHID"


@pytest.fixture
def reader(request: pytest.FixtureRequest, sample_site: str, way: Way) -> Reader:
    page: Page = request.getfixturevalue("page_without_scripts" if way == "no script" else "page")
    page.goto(sample_site)
    return Reader(page, way)


@pytest.fixture
def page_without_scripts(browser: Browser) -> Iterator[Page]:
    page = new_window(browser, java_script_enabled=False)
    with no_messages(page):
        yield page
    page.context.close()


def test_find_the_record_of_us_gdp_without_its_id(reader: Reader) -> None:
    reader.search("us gdp")
    reader.follow(re.compile(r"^((Open )?Series )?GDP(\s|$)"))
    reader.sees_title("Gross Domestic Product")

    assert "/series/GDP/" in reader.page.url
    assert reader.acts <= 2


def test_list_the_frequency_tags_of_a_category(reader: Reader) -> None:
    reader.follow(re.compile("Trade Balance"))
    reader.follow(re.compile("Frequency"), reader.page.get_by_role("navigation", name="Groups"))
    expect_caption(reader.page, re.compile("^3 tags, "))

    assert rows(reader.page) == ["quarterly", "annual", "monthly"]
    assert reader.acts <= 2


def test_share_a_filtered_view(reader: Reader, browser: Browser) -> None:
    reader.page.goto(reader.page.url + "category/125/tags/")
    reader.follow(re.compile("Frequency"), reader.page.get_by_role("navigation", name="Groups"))
    expect_caption(reader.page, re.compile("^3 tags, "))
    reader.fill(reader.page.get_by_role("searchbox", name="Filter tags"), "qu")
    reader.page.keyboard.press("Enter")
    expect_caption(reader.page, re.compile("^1 tag, "))
    other = browser.new_page()
    other.goto(reader.page.url)

    assert rows(other) == rows(reader.page) == ["quarterly"]
    assert reader.acts <= 2
    other.context.close()


def test_cite_a_series_in_bibtex(reader: Reader) -> None:
    reader.search("GNPCA")
    reader.sees_title("Real Gross National Product")
    reader.unfold("Cite")

    assert reader.download("BibTeX").endswith(".bib")
    assert reader.acts <= 3


def test_see_what_changed_in_a_series_since_2014(reader: Reader) -> None:
    reader.search("GNPCA")
    reader.sees_title("Real Gross National Product")

    expect(reader.page.get_by_role("main")).to_contain_text("Base year 2009 → 2012")
    expect(reader.page.get_by_role("main")).to_contain_text("Base year 2012 → 2017")
    assert reader.acts <= 1


def test_compare_two_releases(reader: Reader) -> None:
    reader.search("release 53")
    reader.sees_title("Gross Domestic Product")
    reader.follow("Compare", reader.page.get_by_role("main"))
    reader.fill(reader.page.get_by_role("group", name="Second").get_by_label("Name, id or link"), "release 51")
    reader.page.keyboard.press("Enter")
    expect(reader.page.get_by_role("table").first).to_be_visible()

    expect(reader.page.get_by_role("heading", level=1)).to_contain_text("International Trade")
    assert reader.acts <= 3


def test_take_all_tags_of_a_release_into_excel(reader: Reader) -> None:
    reader.search("release 53")
    reader.sees_title("Gross Domestic Product")
    reader.unfold("Export")

    assert reader.download("Excel").endswith(".xlsx")
    assert reader.acts <= 3


def test_list_ten_series_of_which_one_does_not_exist(reader: Reader) -> None:
    reader.search(TEN_IDS)
    expect(reader.page.get_by_role("table").first).to_contain_text("Unemployment Rate")

    expect(reader.page.get_by_role("main")).to_contain_text("NOSUCHID")
    assert reader.page.get_by_role("row").filter(has_text="GNPCA").count() >= 1
    assert reader.acts <= 1


@pytest.mark.parametrize(
    "pasted",
    [
        "https://fred.stlouisfed.org/series/GNPCA",
        "https://fred.stlouisfed.org/data/GNPCA",
        f"https://api.stlouisfed.org/fred/series?series_id=GNPCA&api_key={KEY}",
    ],
)
def test_open_a_pasted_address(reader: Reader, pasted: str) -> None:
    reader.search(pasted)
    reader.sees_title("Real Gross National Product")

    assert KEY not in reader.page.url + reader.page.content()
    assert reader.acts <= 1


def test_search_sort_and_turn_pages(reader: Reader) -> None:
    reader.page.goto(reader.page.url + "release/53/tags/")
    reader.follow("Next")
    expect_caption(reader.page, "51–55 of 55 tags")
    reader.fill(reader.page.get_by_role("searchbox", name="Filter tags"), "a")
    reader.page.keyboard.press("Enter")
    expect(reader.page).to_have_url(re.compile("search_text=a"))
    expect_caption(reader.page, "tags")
    # The request of the last letter would replace the one of a click that is faster than any person.
    reader.page.wait_for_load_state("networkidle")
    reader.use(reader.page.get_by_role("columnheader").get_by_role("link").first)
    expect(reader.page).to_have_url(re.compile("order_by=name"))

    assert rows(reader.page) == sorted(rows(reader.page))
    assert reader.acts <= 3


def test_page_announces_its_view_to_screen_readers(reader: Reader) -> None:
    reader.page.goto(reader.page.url + "category/125/tags/")
    reader.follow(re.compile("Frequency"), reader.page.get_by_role("navigation", name="Groups"))
    expect_caption(reader.page, re.compile("^3 tags, "))
    for landmark in ("banner", "search", "main", "contentinfo"):
        expect(reader.page.get_by_role(landmark).first).to_be_visible()

    expect(reader.page.get_by_role("table", name=re.compile("^3 tags, "))).to_be_visible()
    expect(reader.page.locator("th[aria-sort]")).to_have_count(1)
    if reader.way != "no script":
        expect(reader.page.get_by_role("status").first).to_contain_text("3 tags")
    assert reader.acts <= 1


def test_go_back_and_forward_between_views(reader: Reader) -> None:
    reader.follow(re.compile("Trade Balance"))
    reader.follow(re.compile("Frequency"), reader.page.get_by_role("navigation", name="Groups"))
    expect_caption(reader.page, re.compile("^3 tags, "))
    if reader.way == "no script":
        reader.page.go_back()
    else:
        go_back(reader.page)
    expect_caption(reader.page, re.compile("^24 tags, "))
    reader.page.go_forward()
    expect_caption(reader.page, re.compile("^3 tags, "))

    assert reader.acts <= 2
