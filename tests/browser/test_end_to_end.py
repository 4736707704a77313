"""One whole journey without a mouse, and again without JavaScript: from a name to a link that others open."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from econweb.upstream.errors import Unavailable
from tests.browser.served import FAILURE_MS, Portal
from tests.browser.stand_in import StandInService
from tests.browser.steps import expect_caption, expect_query, go_back, rows, walk_to
from tests.fake_service import tags_of

pytestmark = pytest.mark.slow
NAMED = "?tag_names=tag+0001%3Btag+0009&tag_group_id=gen&search_text=tag"
SERIES = "Real Gross National Product"


def expect_same_rows(browser: Browser, page: Page, **options: bool) -> None:
    fresh = browser.new_context(**options)  # type: ignore[arg-type]  # of many types, one of which is bool
    other = fresh.new_page()
    other.goto(page.url)

    assert rows(other) == rows(page) != []
    fresh.close()


def step_back(page: Page, go: Callable[[Page], object], *captions: str) -> None:
    for text in captions:
        go(page)
        expect_caption(page, text)


def test_journey_works_without_a_mouse(portal: Portal, page: Page, browser: Browser) -> None:
    page.goto(portal.url)
    expect(page.locator("#home-box")).to_be_focused()
    page.locator("h1").click()
    page.keyboard.press("/")
    expect(page.locator("#home-box")).to_be_focused()
    page.keyboard.type("gnpca")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(SERIES)
    page.wait_for_load_state()
    page.keyboard.press("/")
    page.keyboard.type("balance tr", delay=10)
    suggestion = page.locator(".masthead .suggestions a")
    expect(suggestion).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(suggestion).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect_query(page, portal, "")

    walk_to(page, page.get_by_role("navigation", name="Groups").get_by_role("link", name="Topic"))
    page.keyboard.press("Enter")
    expect_caption(page, "16 tags")
    page.locator("#main").focus()
    walk_to(page, page.locator("#words"))
    page.keyboard.type("tag", delay=10)
    expect_caption(page, "15 tags")
    walk_to(page, page.get_by_role("button", name="tag 0001", exact=True))
    page.keyboard.press("Enter")
    expect_caption(page, "1 tag, ")
    page.locator("#main").focus()
    walk_to(page, page.locator("#add-name"))
    page.keyboard.type("tag 0009")
    page.keyboard.press("Enter")
    expect_caption(page, "2 tags")
    for order in ("ascending", "descending"):
        walk_to(page, page.get_by_role("link", name="Tag", exact=True))
        page.keyboard.press("Enter")
        expect_caption(page, {"ascending": "A to Z", "descending": "Z to A"}[order])
        page.locator("#main").focus()
    expect_query(page, portal, f"{NAMED}&order_by=name")
    expect_same_rows(browser, page)
    walk_to(page, page.get_by_role("link", name="Clear all filters"))
    page.keyboard.press("Enter")
    expect_caption(page, "1–50 of 121 tags")
    page.keyboard.press("n")
    expect_caption(page, "51–100 of 121 tags")
    step_back(page, go_back, "1–50 of 121 tags", "2 tags, Z to A", "2 tags, A to Z")
    step_back(page, go_back, "2 tags, most series first", "1 tag", "15 tags", "16 tags", "1–50 of 121")


def test_swapped_view_reopens_as_a_whole_page(portal: Portal, page: Page, context: BrowserContext) -> None:
    def expect_whole_page(shown: Page) -> None:
        expect_caption(shown, "16 tags, most popular first")
        expect(shown.get_by_role("combobox", name="Search")).to_be_visible()
        expect(shown.get_by_role("main")).to_have_count(1)

    page.goto(f"{portal.url}/category/125/tags/")
    page.get_by_role("navigation", name="Groups").get_by_role("link", name="Topic").click()
    expect_caption(page, "16 tags")
    page.locator("#by-popularity").click()
    expect_whole_page(page)
    # A tab that is opened again takes what the browser has cached, however old.
    cached = page.evaluate("fetch(location.href, {cache: 'force-cache'}).then((answer) => answer.text())")
    assert cached.startswith("<!DOCTYPE html>")
    page.reload()
    expect_whole_page(page)
    for away in ("/about/", "/"):
        page.goto(portal.url + away)
        page.go_back()
        expect_whole_page(page)
    other = context.new_page()
    other.goto(page.url)
    expect_whole_page(other)


def test_outage_and_recovery_work_without_a_mouse(portal: Portal, page: Page, service: StandInService) -> None:
    page.goto(f"{portal.url}{portal.add_tags(tags_of(120))}{NAMED}")
    service.error = Unavailable("")
    walk_to(page, page.locator("#words"))
    page.keyboard.press("End")
    page.keyboard.type("s")
    expect(page.get_by_role("alert")).to_contain_text("The data provider is not available")
    service.error = None
    page.keyboard.press("Backspace")
    expect_caption(page, "2 tags")


def test_journey_works_without_javascript(portal: Portal, browser: Browser, service: StandInService) -> None:
    def expect_address(query: str) -> None:
        expect(page).to_have_url(f"{portal.url}/category/127/tags/{query}")

    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(portal.url)
    page.get_by_role("searchbox").fill("gnpca")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(SERIES)
    page.get_by_role("searchbox").fill("balance of payments")
    page.get_by_role("button", name="Search").click()
    expect_address("")

    page.get_by_role("navigation", name="Groups").get_by_role("link", name="Topic").click()
    page.get_by_label("Filter tags").fill("tag")
    page.get_by_role("button", name="Apply").first.click()
    page.get_by_role("button", name="tag 0001", exact=True).first.click()
    page.get_by_label("Show only these tags").fill("tag 0009")
    page.get_by_role("button", name="Apply").first.click()
    page.get_by_role("link", name="Tag", exact=True).click()
    page.get_by_role("link", name="Tag", exact=True).click()
    expect_address(f"{NAMED}&order_by=name")
    assert rows(page) == ["tag 0009", "tag 0001"]
    expect_same_rows(browser, page, java_script_enabled=False)
    page.get_by_role("link", name="Clear all filters").click()
    page.get_by_role("link", name="Next").click()
    expect_address("?order_by=name&offset=50")

    service.error = Unavailable("")
    page.get_by_label("Filter tags").fill("rent")
    page.get_by_role("button", name="Apply").first.click()
    expect(page.get_by_role("alert")).to_contain_text("The data provider is not available")
    service.error = None
    page.wait_for_timeout(FAILURE_MS)
    page.get_by_role("link", name="Try again").click()
    expect_caption(page, "1 tag")

    # The error page had the same address, so one step goes past both.
    page.go_back()
    step_back(page, Page.go_back, "1–50 of 121 tags", "2 tags, Z to A", "A to Z", "most series first")
    step_back(page, Page.go_back, "1 tag", "15 tags", "16 tags", "1–50 of 121 tags")
    context.close()
