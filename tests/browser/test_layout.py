"""The frame of every page: the box, the theme, the history, and windows of every width."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.served import LONG, Portal

pytestmark = pytest.mark.slow


def test_the_box_swaps_in_a_series_without_loading_the_page(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    page.evaluate("document.body.dataset.mark = 'same page'")
    page.locator("[role=search] input:visible").fill("gnpca")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")
    expect(page).to_have_url(f"{portal.url}/series/GNPCA/")
    expect(page).to_have_title("GNPCA: Real Gross National Product · econweb")
    expect(page.locator("body")).to_have_attribute("data-mark", "same page")


def test_back_and_forward_and_reload_give_whole_pages(portal: Portal, page: Page) -> None:
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


def test_an_error_is_shown_in_the_page(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    page.locator("[role=search] input:visible").fill("no such thing")
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("No match for “no such thing”")
    expect(page.locator("[role=search] input:visible")).to_have_value("no such thing")


def test_everything_works_without_javascript(portal: Portal, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(portal.url)
    page.get_by_role("searchbox").fill("GNPCA")
    page.get_by_role("button", name="Search").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")
    expect(page.locator("[data-action=theme]")).to_be_hidden()
    context.close()


def test_the_theme_outlives_a_reload(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    button = page.locator("[data-action=theme]")
    button.click()
    button.click()
    page.reload()

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(20, 22, 26)"


@pytest.mark.parametrize("path", ["/", "/series/GNPCA/", "/series/UNRATE/", f"/series/{LONG}/"])
@pytest.mark.parametrize("width", [320, 375, 768, 1440])
def test_nothing_is_wider_than_the_window(portal: Portal, page: Page, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(portal.url + path)

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_first_key_press_offers_to_skip_to_the_content(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/series/GNPCA/")
    page.keyboard.press("Tab")

    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_the_list_of_keys_names_what_works_on_the_page(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/series/GNPCA/")
    page.keyboard.press("?")
    expect(page.locator("#keys dt")).to_have_text(["/", "g h", "b", "c", "?"])
    page.keyboard.press("Escape")

    page.goto(f"{portal.url}/category/125/tags/")
    page.keyboard.press("?")
    expect(page.locator("#keys dt")).to_contain_text(["/", "g h", "b", "j k", "Enter"])


def test_keys_lead_home_and_to_the_directory(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/series/GNPCA/")
    page.keyboard.press("b")
    expect(page.get_by_role("heading", level=1)).to_have_text("Browse")
    page.keyboard.press("g")
    page.keyboard.press("h")

    expect(page.get_by_role("searchbox").or_(page.get_by_role("combobox"))).to_be_focused()


def test_names_are_filtered_while_one_types(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/browse/")
    page.get_by_label("Filter by name").press_sequentially("trade", delay=10)

    expect(page.locator(".directory-names a")).to_have_text(["Trade Balance"])
    expect(page).to_have_url(f"{portal.url}/browse/?q=trade")
    expect(page.get_by_label("Filter by name")).to_be_focused()
    expect(page.locator("#status")).to_have_text("1 category and 0 releases with “trade” in the name")
