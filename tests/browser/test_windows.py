"""The tag page in windows of every width: folded filters, sticky heads, and rows that stay visible."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.served import Portal
from tests.builders import a_series
from tests.fake_service import a_tag, tags_of

pytestmark = pytest.mark.slow
PHONE = ViewportSize(width=375, height=700)


@pytest.fixture(scope="module")
def path(portal: Portal) -> str:
    return portal.url + portal.add_tags(tags_of(188))


def groups(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Groups")


@pytest.mark.parametrize("width", [320, 375])
def test_focus_ring_in_a_strip_that_scrolls_is_whole(page: Page, path: str, width: int) -> None:
    """The strip cut the ring above, below and at its ends."""
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(path)
    page.keyboard.press("Tab")
    link = groups(page).get_by_role("link").first
    link.focus()
    shown = link.evaluate(
        "(link) => { const {outlineStyle, outlineWidth, outlineOffset} = getComputedStyle(link);"
        " return [outlineStyle, parseFloat(outlineWidth) + parseFloat(outlineOffset)]; }"
    )

    assert shown == ["solid", 0]


@pytest.mark.parametrize("scripts", [True, False])
def test_filters_on_a_phone_are_folded_with_a_count(browser: Browser, path: str, scripts: bool) -> None:
    context = browser.new_context(viewport=PHONE, java_script_enabled=scripts)
    page = context.new_page()
    page.goto(f"{path}?tag_group_id=geo&tag_names=tag+0002")
    expect(groups(page)).to_be_in_viewport()
    expect(page.locator(".chip")).to_have_count(2)
    for chip in page.locator(".chip").all():
        expect(chip).to_be_hidden()
    page.get_by_text("Filters (2)").click()
    for chip in page.locator(".chip").all():
        expect(chip).to_be_in_viewport()

    groups(page).get_by_role("link", name="All").click()
    expect(page).to_have_url(f"{path}?tag_names=tag+0002")
    context.close()


def test_filters_stay_unfolded(page: Page, path: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(path)
    page.get_by_text("Filters", exact=True).click()
    groups(page).get_by_role("link", name="Topic").click()
    page.get_by_text("Filters (1)").wait_for()

    expect(groups(page).get_by_role("link", name="Topic")).to_be_focused()
    expect(page.locator("#clear")).to_be_in_viewport()


def test_filters_on_a_desktop_are_visible(page: Page, path: str) -> None:
    page.goto(path)

    expect(groups(page)).to_be_in_viewport()
    expect(page.get_by_text("Filters", exact=True)).to_be_hidden()


@pytest.mark.parametrize("width", [768, 1024, 1440])
def test_table_over_fifty_rows_scrolls_in_its_own_box(page: Page, path: str, width: int) -> None:
    scrolls = "[...document.querySelectorAll('main *')].some((e) => e.scrollHeight > e.clientHeight + 40)"
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(path)
    assert not page.evaluate(scrolls)
    page.goto(f"{path}?limit=100")

    assert page.evaluate(scrolls)


@pytest.mark.parametrize("query", ["", "?limit=100"])
def test_focused_row_is_never_under_the_table_header(page: Page, path: str, query: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 500})
    page.goto(path + query)
    page.keyboard.press("Tab")
    for _ in range(40):
        page.keyboard.press("j")
    # The head sticks to the top of its box, and the row must begin below it.
    gap = "document.activeElement.getBoundingClientRect().top - "
    gap += "document.querySelector('thead th').getBoundingClientRect().bottom"
    gaps = []
    for _ in range(36):
        page.keyboard.press("k")
        gaps.append(page.evaluate(gap))

    expect(page.get_by_role("button", name="tag 0003", exact=True).first).to_be_focused()
    assert min(gaps) >= 0


@pytest.mark.parametrize("width", [320, 375, 768, 1024, 1440])
def test_known_group_names_take_one_line(portal: Portal, page: Page, width: int) -> None:
    path = portal.add_tags([a_tag("x" * 90, group_id="geot", notes="word " * 800)])
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(portal.url + path)
    height = page.evaluate(
        "() => { const text = document.createRange();"
        " text.selectNodeContents(document.querySelector('tbody td'));"
        " return text.getBoundingClientRect().height }"
    )

    assert 10 < height < 24


# In a wide window the column headers sort.
@pytest.mark.parametrize(("width", "count"), [(320, 2), (1440, 1)])
def test_select_is_next_to_its_label(page: Page, path: str, width: int, count: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(path)
    pairs = page.evaluate(
        "[...document.querySelectorAll('label:has(select)')].filter((e) => e.checkVisibility())"
        ".map((e) => ['span', 'select'].map((part) => e.querySelector(part).getBoundingClientRect()))"
    )

    assert len(pairs) == count
    for words, select in pairs:
        assert words["right"] <= select["left"]
        assert select["top"] <= words["top"] < words["bottom"] <= select["bottom"]


@pytest.mark.parametrize("width", [320, 375, 500, 768, 1440])
def test_year_labels_do_not_overlap_and_have_one_size(portal: Portal, page: Page, width: int) -> None:
    ages = {"observation_start": "1776-07-04", "observation_end": "2029-01-01"}
    first = a_series(**ages, realtime_start="1776-07-04", realtime_end="2014-12-31")
    series_id = portal.add_series(first, a_series(**ages, realtime_start="2015-01-01"))
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(f"{portal.url}/series/{series_id}/")
    lines = page.evaluate(
        "[...document.querySelectorAll('.span-line')].map((line) => [...line.querySelectorAll('text')]"
        ".filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect())"
        ".map((r) => [r.left, r.right, r.height]))"
    )

    # The observations, and the versions.
    assert len(lines) == 2
    for boxes in lines:
        assert len(boxes) > 1
        assert all(12 < height < 20 for _, _, height in boxes)
        assert all(before[1] < after[0] for before, after in pairwise(boxes))


def test_timestamp_tooltip_shows_its_age(portal: Portal, page: Page) -> None:
    then = datetime.now(UTC) - timedelta(days=3 * 366)
    page.goto(portal.url + portal.add_tags([a_tag(created=f"{then:%Y-%m-%d %H:%M:%S}-05")]))
    page.locator("tbody time").hover()

    expect(page.locator("tbody time")).to_have_attribute("title", "3 years ago")
    expect(page.locator(".facts time[datetime]")).not_to_have_attribute("title", "3 years ago")


def test_list_of_fifty_series_has_no_scroll_box(portal: Portal, page: Page) -> None:
    names = [portal.add_series(a_series()) for _ in range(51)]
    hidden = "(box) => box.scrollHeight - box.clientHeight"
    page.set_viewport_size({"width": 1280, "height": 500})

    page.goto(f"{portal.url}/series/?ids={','.join(names[:50])}")
    expect(page.locator("#list-rows tr:not(:has(.pending))")).to_have_count(50)
    assert page.locator(".table-scroll").evaluate(hidden) == 0
    page.goto(f"{portal.url}/series/?ids={','.join(names)}")
    expect(page.locator("#list-rows tr:not(:has(.pending))")).to_have_count(51)
    assert page.locator(".table-scroll").evaluate(hidden) > 0
