"""Journeys through the pages with the mouse and with the keys."""

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.served import Portal
from tests.browser.steps import IN_EACH_BROWSER, expect_caption, expect_query, go_back, rows

pytestmark = [pytest.mark.slow, IN_EACH_BROWSER]


def test_journey_works_with_the_mouse(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    page.locator("[role=search] input:visible").fill("gnpca")
    page.locator("[role=search] button:visible").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")
    page.locator("[role=search] input:visible").press_sequentially("balance trade", delay=10)
    page.get_by_role("option", name="Trade Balance").click()
    expect_query(page, portal, "")
    page.get_by_role("navigation", name="Groups").get_by_role("link", name="Topic").click()
    expect_caption(page, "16 tags")
    page.locator("#words").press_sequentially("tag", delay=10)
    expect_caption(page, "15 tags")
    page.get_by_role("button", name="tag 0001", exact=True).first.click()
    expect_caption(page, "1 tag, ")
    page.locator("#add-name").fill("tag 0009")
    page.keyboard.press("Enter")
    expect_caption(page, "2 tags")
    page.get_by_role("link", name="Tag", exact=True).click()
    expect_query(
        page,
        portal,
        "?tag_names=tag+0001%3Btag+0009&tag_group_id=gen&search_text=tag&order_by=name&sort_order=asc",
    )
    page.get_by_role("link", name="Tag", exact=True).click()
    expect_caption(page, "Z to A")
    assert rows(page) == ["tag 0009", "tag 0001"]
    page.get_by_role("link", name="Clear").click()
    page.get_by_role("link", name="Next").click()
    expect_caption(page, "51–100 of 121 tags")
    expect(page.locator("#rows")).to_be_focused()

    # Each step back shows the page as it was.
    for text in ("1–50 of 121", "2 tags, Z to A", "2 tags, A to Z", "2 tags, most series first"):
        go_back(page)
        expect_caption(page, text)
    go_back(page)
    expect_caption(page, "1 tag, ")
    go_back(page)
    expect_caption(page, "15 tags")
    expect(page.locator("#words")).to_have_value("tag")
    go_back(page)
    expect_caption(page, "16 tags")
    page.evaluate("history.forward()")
    expect_caption(page, "15 tags")


def test_journey_works_with_the_keyboard_alone(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    page.keyboard.press("n")
    expect_caption(page, "51–100")
    page.keyboard.press("p")
    expect_caption(page, "1–50 of")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("j")
    expect(page.get_by_role("button", name="tag 0001", exact=True).first).to_be_focused()
    page.keyboard.press("Enter")
    expect_caption(page, "1 tag")
    page.keyboard.press("s")
    expect(page.locator("th[aria-sort] a")).to_be_focused()
    page.keyboard.press("Enter")
    expect_query(page, portal, "?tag_names=tag+0001&sort_order=asc")
    expect(page.locator("th[aria-sort] a")).to_be_focused()
    page.locator("#limit").focus()
    page.keyboard.press("ArrowDown")
    expect_query(page, portal, "?tag_names=tag+0001&sort_order=asc&limit=100")
    expect(page.locator("#limit")).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator("#limit")).to_be_focused()
    page.locator("#rows").focus()
    page.keyboard.press("/")
    page.keyboard.type("njk?")
    expect(page.locator("[role=search] input:visible")).to_have_value("njk?")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("gnpca")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")


def test_keyboard_shortcuts_can_be_turned_off(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("definition").get_by_text("Sort", exact=True)).to_be_visible()
    page.get_by_label("Enable shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    page.keyboard.press("j")
    page.keyboard.press("?")

    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.evaluate("document.activeElement === document.body")


def test_copied_link_shows_the_same_rows_in_a_fresh_browser(portal: Portal, page: Page, browser: Browser) -> None:
    page.goto(f"{portal.url}/category/125/tags/?limit=50&order_by=series_count&utm=1")
    page.locator("#by-popularity").click()
    expect_caption(page, "most popular first")
    fresh = browser.new_context()
    other = fresh.new_page()
    other.goto(page.url)

    assert rows(other) == rows(page)
    fresh.close()


def test_page_url_becomes_canonical_on_load(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/?limit=50&tag_group_id=geo&utm=1")

    expect_query(page, portal, "?tag_group_id=geo")


def test_typed_word_is_one_history_step(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    before = page.evaluate("history.length")
    for part, typed in (("re", "re"), ("nt", "rent"), (" & le", "rent+%26+le")):
        page.locator("#words").press_sequentially(part)
        expect_query(page, portal, f"?search_text={typed}")
    page.keyboard.press("Enter")
    expect_caption(page, "1 tag")

    assert page.evaluate("history.length") == before + 1
    expect(page.locator("#words")).to_be_focused()
    expect(page.locator("#status")).to_have_text("1 tag, most series first")


def test_link_can_be_copied(portal: Portal, page: Page, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{portal.url}/category/125/tags/?tag_group_id=geo")
    page.keyboard.press("c")
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()

    assert page.evaluate("navigator.clipboard.readText()") == page.url
    expect(page.locator("#status")).to_have_text("Link copied.")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()


def test_second_tag_name_is_completed_like_the_first(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    for name in ("tag 0001", "tag 0002"):
        page.locator("#add-name").press_sequentially(name[:5], delay=10)
        expect(page.locator(f'#names option[value="{name}"]')).to_have_count(1)
        page.locator("#add-name").fill(name)
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name=f"{name} remove")).to_be_visible()


def test_canonical_link_follows_the_view(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    page.get_by_role("link", name="Tag", exact=True).click()
    expect(page.locator("link[rel=canonical]")).to_have_attribute(
        "href", f"{portal.url}/category/125/tags/?order_by=name&sort_order=asc"
    )
