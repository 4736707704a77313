"""A page and a fragment share one URL, and caches and the history keep them apart."""

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser.served import Portal
from tests.browser.steps import expect_caption, go_back

pytestmark = pytest.mark.slow
FRAGMENT = {"HX-Request": "true", "HX-Target": "results"}
GROUP = "?tag_group_id=gen"


def expect_whole_page(page: Page, text: str) -> None:
    expect_caption(page, text)
    expect(page.get_by_role("combobox", name="Search")).to_be_visible()
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.locator("#results")).to_have_count(1)


def fetch(page: Page, cache: str, headers: dict[str, str]) -> str:
    """Return the text that the browser gets for the address of the page, from its own cache if it may."""
    code = "([cache, headers]) => fetch(location.href, {cache, headers}).then((response) => response.text())"
    return str(page.evaluate(code, [cache, headers]))


@pytest.mark.parametrize("cache", ["default", "no-cache", "force-cache"])
def test_browser_cache_separates_page_and_fragment(portal: Portal, page: Page, cache: str) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    page.get_by_role("navigation", name="Groups").get_by_role("link", name="Topic").click()
    expect_whole_page(page, "16 tags")
    for _ in range(3):
        whole, fragment = fetch(page, cache, {}), fetch(page, cache, FRAGMENT)
        assert whole.startswith("<!DOCTYPE html>")
        assert "<!DOCTYPE" not in fragment
        assert "16 tags" in fragment


def test_response_cache_separates_page_and_fragment(portal: Portal) -> None:
    """Each worker has its own response cache; a new connection goes to either."""
    address = f"{portal.url}/category/125/tags/{GROUP}"
    for coding in ("gzip", "br", "identity"):
        for _ in range(6):
            for headers in ({}, FRAGMENT):
                response = requests.get(address, headers={**headers, "Accept-Encoding": coding}, timeout=30)
                assert {"HX-Request", "Accept-Encoding"} <= {*response.headers["Vary"].split(", ")}
                if coding != "br":
                    assert response.text.startswith("<!DOCTYPE html>") == (not headers)
                assert response.headers.get("Content-Encoding", "identity") == coding


def test_back_and_forward_work_across_swaps_and_whole_pages(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    page.get_by_role("navigation", name="Groups").get_by_role("link", name="Topic").click()
    expect_whole_page(page, "16 tags, most series first")
    page.locator("#by-popularity").click()
    expect_whole_page(page, "16 tags, most popular first")
    page.goto(f"{portal.url}/about/")
    page.goto(f"{portal.url}/category/125/tags/{GROUP}")
    expect_whole_page(page, "16 tags, most series first")

    page.go_back()
    page.go_back()
    expect_whole_page(page, "16 tags, most popular first")
    go_back(page)
    expect_whole_page(page, "16 tags, most series first")
    go_back(page)
    expect_whole_page(page, "1–50 of 121 tags")
    page.evaluate("history.forward()")
    expect_whole_page(page, "16 tags, most series first")
    page.evaluate("history.forward()")
    expect_whole_page(page, "16 tags, most popular first")
    page.reload()
    expect_whole_page(page, "16 tags, most popular first")
