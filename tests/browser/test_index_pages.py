"""The pages of the index of tags and titles, with all that the sample has."""

import time

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import find_violations_in_both_themes
from tests.browser.first_view import MAX_BYTES, MAX_REQUESTS, bytes_of, find_shifts, has_moved, requests_of

# A first view needs a window that has loaded nothing yet.
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("context")]
# Axe takes seconds for a hundred rows.
PATHS = [
    "/browse/",
    "/browse/releases/",
    "/browse/overview/?kind=release",
    "/browse/tags/?offset=300",
    "/tag/monthly/",
    "/category/125/similar/",
    "/search/?q=us+gdp",
]


@pytest.fixture(scope="module")
def index(sample_site: str) -> str:
    """The address of a site that has read all categories and releases."""
    for _ in range(300):
        if (
            "Of 171 known categories and releases 171 were read"
            in requests.get(f"{sample_site}/about/", timeout=30).text
        ):
            return sample_site
        time.sleep(0.1)
    raise AssertionError("The index is not filled.")


@pytest.mark.parametrize("has_javascript", [True, False])
def test_words_lead_from_home_to_real_gdp_in_two_steps(
    browser: Browser, sample_site: str, has_javascript: bool
) -> None:
    page = browser.new_page(java_script_enabled=has_javascript)
    page.goto(sample_site)
    page.locator("[role=search] input:visible").fill("real gdp")
    page.keyboard.press("Enter")
    page.locator("tbody tr").first.get_by_role("link").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross Domestic Product")
    page.context.close()


@pytest.mark.parametrize("path", PATHS)
def test_page_of_the_index_is_small_accessible_and_still(page: Page, index: str, path: str) -> None:
    page.set_viewport_size({"width": 320, "height": 800})
    paths = requests_of(page, index + path)
    assert not has_moved(find_shifts(page))
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert len(paths) <= MAX_REQUESTS, paths
    assert bytes_of(index, paths) <= MAX_BYTES

    page.set_viewport_size({"width": 1440, "height": 800})
    page.reload()
    assert not has_moved(find_shifts(page))
    assert page.locator("#rows, .directory").first.is_visible()
    assert find_violations_in_both_themes(page) == []
