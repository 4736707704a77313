"""The tree of categories in a browser: opened in place by keyboard, on a phone, and without JavaScript."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import find_violations_in_both_themes
from tests.browser.served import LONG, Portal

pytestmark = pytest.mark.slow
INSIDE = f"Prices 9 {LONG} 9"


def test_branch_opens_in_place_by_keyboard(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/browse/categories/")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("link", name=INSIDE)).to_be_visible()
    expect(page.locator("summary").first).to_be_focused()
    expect(page).to_have_url(f"{portal.url}/browse/categories/")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name=INSIDE)).to_be_hidden()


def test_branch_within_a_branch_opens_on_a_narrow_phone(portal: Portal, page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"{portal.url}/browse/categories/")
    page.locator("summary").first.click()
    page.locator("details details summary").first.click()
    expect(page.get_by_role("link", name=f"Prices 10 {LONG} 10")).to_be_visible()

    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert find_violations_in_both_themes(page) == []


def test_branch_is_a_page_without_javascript(portal: Portal, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{portal.url}/browse/categories/")
    page.locator("summary").first.click()
    page.get_by_role("link", name="Open").first.click()

    expect(page).to_have_url(f"{portal.url}/browse/categories/?at=8")
    expect(page.get_by_role("link", name=INSIDE)).to_be_visible()
    context.close()
