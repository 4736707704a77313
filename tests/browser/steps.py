"""Steps that several journeys share, and the browsers that take them."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.served import Portal

IN_EACH_BROWSER = pytest.mark.parametrize("browser", ["chromium", "firefox"], indirect=True)


# What a browser does when Back leads to a page that it kept whole; Playwright's Chromium keeps none.
RETURN_AS_KEPT = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"


def rows(page: Page) -> list[str]:
    return page.locator(".tag-table tbody th > :first-child").all_text_contents()


def expect_caption(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator("#rows")).to_contain_text(text)
    # htmx binds new elements a moment after it shows them.
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


def go_back(page: Page) -> None:
    # The page sends the request by itself, which Playwright's own step back takes for a failure.
    page.evaluate("history.back()")


def expect_query(page: Page, portal: Portal, query: str) -> None:
    expect(page).to_have_url(f"{portal.url}/category/125/tags/{query}")


# To ask after each Tab whether it was the last one would take as long again: the page ignores those that follow.
STOP_AT = """(control) => {
    if (!("stopAt" in window)) addEventListener("keydown", (event) => {
        if (event.key !== "Tab" || !window.stopAt || document.activeElement !== window.stopAt) return;
        event.preventDefault();
        event.stopImmediatePropagation();
    }, { capture: true });
    window.stopAt = control;
    return control === document.activeElement;
}"""


def walk_to(page: Page, control: Locator) -> None:
    """Press Tab until the control has the focus."""
    control.first.wait_for()
    # A page of 50 rows has two stops a row.
    for _ in range(20):
        if control.first.evaluate(STOP_AT):
            page.evaluate("() => { window.stopAt = null; }")
            return
        for _ in range(8):
            page.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {control}")
