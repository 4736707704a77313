"""The layout of every page: search box, theme, history, and windows of every width."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.served import LONG, Portal

pytestmark = pytest.mark.slow


def test_search_box_swaps_in_a_series(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    page.evaluate("document.body.dataset.mark = 'same page'")
    page.locator("[role=search] input:visible").fill("gnpca")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")
    expect(page).to_have_url(f"{portal.url}/series/GNPCA/")
    expect(page).to_have_title("GNPCA: Real Gross National Product · econweb")
    expect(page.locator("body")).to_have_attribute("data-mark", "same page")


def test_back_forward_and_reload_give_whole_pages(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    page.locator("[role=search] input:visible").fill("GNPCA")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{portal.url}/series/GNPCA/")

    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Look up what an economic series is")
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")
    page.reload()
    expect(page.locator("[role=search] input:visible")).to_be_visible()


def test_error_is_shown_in_the_page(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    page.locator("[role=search] input:visible").fill("no such thing")
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("No match for “no such thing”")
    expect(page.locator("[role=search] input:visible")).to_have_value("no such thing")


def test_pages_work_without_javascript(portal: Portal, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(portal.url)
    page.get_by_role("searchbox").fill("GNPCA")
    page.get_by_role("button", name="Search").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")
    expect(page.locator("[data-action=theme]")).to_be_hidden()
    context.close()


def test_theme_survives_a_reload(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    button = page.locator("[data-action=theme]")
    button.click()
    button.click()
    page.reload()

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(20, 22, 26)"


@pytest.mark.parametrize("path", ["/", "/series/GNPCA/", "/series/UNRATE/", f"/series/{LONG}/"])
@pytest.mark.parametrize("width", [320, 375, 768, 1440])
def test_pages_fit_the_window(portal: Portal, page: Page, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(portal.url + path)

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_groups_wrap_on_a_tablet(portal: Portal, page: Page) -> None:
    page.set_viewport_size({"width": 768, "height": 1024})
    page.goto(f"{portal.url}/category/125/tags/")

    assert page.locator(".filter-row > .groups").evaluate("groups => groups.scrollWidth <= groups.clientWidth")


@pytest.mark.parametrize("width", [768, 1024, 1152, 1280])
def test_menus_of_a_past_day_take_two_rows_on_a_tablet(portal: Portal, page: Page, width: int) -> None:
    """The menu Columns stood alone in a third row."""
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{portal.url}/category/125/tags/?realtime_start=2014-01-01&realtime_end=2014-01-01")

    controls = page.locator("#view > .filters > :visible, #view .view-menu > :visible").all()
    boxes = [box for one in controls if (box := one.bounding_box())]
    assert len(boxes) >= 6
    rows = {round((box["y"] + box["height"] / 2) / 20) for box in boxes}
    assert len(rows) <= 2
    columns, field = page.get_by_text("Columns", exact=True), page.get_by_label("Filter tags")
    tops = [round(one.bounding_box()["y"] / 20) for one in (columns, field)]  # type: ignore[index]
    assert tops[0] == tops[1]


def test_facts_of_a_checked_series_begin_their_line_on_a_phone(portal: Portal, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{portal.url}/check/?ids=GNPCA")
    why, last = page.locator(".check-table .why"), page.locator(".check-table .last")

    assert why.evaluate("cell => getComputedStyle(cell, '::after').content") == "none"
    assert (last.bounding_box() or {"y": 0})["y"] > (why.bounding_box() or {"y": 9999})["y"]


def test_first_tab_stop_is_the_skip_link(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/series/GNPCA/")
    page.keyboard.press("Tab")

    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_shortcut_list_names_those_of_the_page(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/series/GNPCA/")
    page.keyboard.press("?")
    expect(page.locator("#keys dt")).to_have_text(["/", "g h", "b", "c", "?"])
    page.keyboard.press("Escape")

    page.goto(f"{portal.url}/category/125/tags/")
    page.keyboard.press("?")
    expect(page.locator("#keys dt")).to_contain_text(["/", "g h", "b", "j k", "o"])


@pytest.mark.parametrize("path", ["/category/125/tags/", "/browse/", "/changes/"])
@pytest.mark.parametrize("width", [375, 1280])
def test_shortcut_leads_to_the_filter(portal: Portal, page: Page, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(f"{portal.url}{path}")
    page.keyboard.press("f")
    field = page.locator("main .filters input:not([type=hidden])").first
    expect(field).to_be_focused()
    page.keyboard.type("of")

    expect(field).to_have_value("of")


def test_shortcut_to_the_filter_disturbs_no_typing(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    page.locator("#go-box").focus()
    page.keyboard.type("gdp of")
    expect(page.locator("#go-box")).to_have_value("gdp of")

    page.goto(f"{portal.url}/series/GNPCA/")
    page.keyboard.press("f")
    assert page.evaluate("document.activeElement === document.body")


def test_shortcuts_open_home_and_directory(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/series/GNPCA/")
    page.keyboard.press("b")
    expect(page.get_by_role("heading", level=1)).to_have_text("Browse")
    # The heading is there before the script that listens to keys.
    page.wait_for_load_state()
    page.keyboard.press("g")
    page.keyboard.press("h")

    expect(page.get_by_role("searchbox").or_(page.get_by_role("combobox"))).to_be_focused()


def test_directory_filters_names_while_typing(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/browse/")
    page.get_by_label("Filter by name").press_sequentially("trade", delay=10)

    expect(page.locator(".directory-names bdi")).to_have_text(["Trade Balance"])
    expect(page).to_have_url(f"{portal.url}/browse/?q=trade")
    expect(page.get_by_label("Filter by name")).to_be_focused()
    expect(page.locator("#status")).to_have_text("1 category and 0 releases with “trade” in the name")
