"""Journeys through the pages with the mouse and with the keys, and what may interrupt them."""

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from econweb.upstream.errors import Busy, Unavailable
from tests.browser.axe import find_violations_in_both_themes
from tests.browser.served import FAILURE_MS, Portal
from tests.browser.stand_in import StandInService
from tests.fake_service import a_tag, tags_of

pytestmark = pytest.mark.slow


def rows(page: Page) -> list[str]:
    return page.locator(".tag-table tbody th").all_text_contents()


def expect_caption(page: Page, text: str) -> None:
    expect(page.locator("#rows")).to_contain_text(text)
    # htmx binds new elements a moment after it shows them.
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


def go_back(page: Page) -> None:
    # The page sends the request by itself, which Playwright's own step back takes for a failure.
    page.evaluate("history.back()")


def expect_query(page: Page, portal: Portal, query: str) -> None:
    expect(page).to_have_url(f"{portal.url}/category/125/tags/{query}")


def test_a_journey_with_the_mouse(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    page.get_by_label("Its id").fill("gnpca")
    page.get_by_role("button", name="Open").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")
    page.locator("#go-box").press_sequentially("balance trade", delay=10)
    page.get_by_role("link", name="Trade Balance").first.click()
    expect_query(page, portal, "")
    page.get_by_role("navigation", name="Groups").get_by_role("link", name="Concept").click()
    expect_caption(page, "of 16 tags")
    page.locator("#words").press_sequentially("tag", delay=10)
    expect_caption(page, "of 15 tags")
    page.get_by_role("button", name="tag 0001", exact=True).first.click()
    expect_caption(page, "of 1 tag")
    page.locator("#add-name").fill("tag 0009")
    page.keyboard.press("Enter")
    expect_caption(page, "of 2 tags")
    page.get_by_role("link", name="Tag: sort ascending").click()
    expect_query(
        page,
        portal,
        "?tag_names=tag+0001%3Btag+0009&tag_group_id=gen&search_text=tag&order_by=name&sort_order=asc",
    )
    page.get_by_role("link", name="Tag: sort descending").click()
    expect_caption(page, "by tag, descending")
    assert rows(page) == ["tag 0009", "tag 0001"]
    page.get_by_role("link", name="Clear").click()
    page.get_by_role("link", name="Next").click()
    expect_caption(page, "51–100 of 121 tags")
    expect(page.locator("#rows")).to_be_focused()

    # Each step back shows the page as it was.
    for text in ("1–50 of 121", "of 2 tags, by tag, desc", "of 2 tags, by tag, asc", "of 2 tags, by series"):
        go_back(page)
        expect_caption(page, text)
    go_back(page)
    expect_caption(page, "of 1 tag")
    go_back(page)
    expect_caption(page, "of 15 tags")
    expect(page.locator("#words")).to_have_value("tag")
    go_back(page)
    expect_caption(page, "of 16 tags")
    page.evaluate("history.forward()")
    expect_caption(page, "of 15 tags")


def test_a_journey_with_the_keyboard_alone(portal: Portal, page: Page) -> None:
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
    expect_caption(page, "1–1 of 1 tag")
    page.keyboard.press("s")
    expect(page.locator("#order_by")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect_query(page, portal, "?tag_names=tag+0001&order_by=popularity")
    expect(page.locator("#order_by")).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator("#order_by")).to_be_focused()
    page.locator("#rows").focus()
    page.keyboard.press("/")
    page.keyboard.type("njk?")
    expect(page.locator("#go-box")).to_have_value("njk?")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("gnpca")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")


def test_the_keys_can_be_turned_off(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_label("Keys are on").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    page.keyboard.press("j")
    page.keyboard.press("?")

    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.evaluate("document.activeElement === document.body")


def test_a_link_shows_the_same_rows_in_a_fresh_browser(portal: Portal, page: Page, browser: Browser) -> None:
    page.goto(f"{portal.url}/category/125/tags/?limit=50&order_by=series_count&utm=1")
    page.locator("#by-popularity").click()
    expect_caption(page, "by popularity")
    fresh = browser.new_context()
    other = fresh.new_page()
    other.goto(page.url)

    assert rows(other) == rows(page)
    fresh.close()


def test_the_address_is_made_short_on_arrival(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/?limit=50&tag_group_id=geo&utm=1")

    expect_query(page, portal, "?tag_group_id=geo")


def test_a_word_is_one_step_of_the_history(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    before = page.evaluate("history.length")
    for part, typed in (("re", "re"), ("nt", "rent"), (" & le", "rent+%26+le")):
        page.locator("#words").press_sequentially(part)
        expect_query(page, portal, f"?search_text={typed}")
    page.keyboard.press("Enter")
    expect_caption(page, "1–1 of 1 tag")

    assert page.evaluate("history.length") == before + 1
    expect(page.locator("#words")).to_be_focused()
    expect(page.locator("#status")).to_have_text("1–1 of 1 tag, by series, descending")


def test_a_service_that_fails_and_recovers(portal: Portal, page: Page, service: StandInService) -> None:
    path = portal.add_tags([*tags_of(120), a_tag("rent & lease")])
    page.goto(portal.url + path)
    service.error = Unavailable("")
    page.locator("#words").fill("rent")
    expect(page.get_by_role("alert")).to_contain_text("The service is not available")
    service.error = None
    page.wait_for_timeout(FAILURE_MS)
    page.get_by_role("link", name="Try again").click()

    expect_caption(page, "1–1 of 1 tag")


def test_the_page_says_that_the_connection_is_lost(portal: Portal, page: Page, context: BrowserContext) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    context.set_offline(True)
    page.locator("#by-name").click()
    expect(page.get_by_role("alert")).to_contain_text("This portal cannot be reached")
    assert find_violations_in_both_themes(page) == []
    context.set_offline(False)
    page.get_by_role("link", name="try again").click()

    expect_caption(page, "1–50 of 121 tags")


def test_a_late_response_never_replaces_a_newer_one(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")

    def late(route: Route) -> None:
        page.wait_for_timeout(600)
        route.continue_()

    slow = "**/tags/?*search_text=tag*"
    page.route(slow, late)
    page.locator("#words").fill("tag")
    page.wait_for_timeout(330)
    page.locator("#words").fill("rent")
    expect_caption(page, "1–1 of 1 tag")
    page.wait_for_timeout(700)

    expect_caption(page, "1–1 of 1 tag")
    expect_query(page, portal, "?search_text=rent")


def test_back_works_while_a_page_still_loads(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    for order in ("Tag: sort ascending", "Popularity: sort descending"):
        page.get_by_role("link", name=order).click()
        expect_caption(page, f"by {order.split(':')[0].lower()}")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/htmx*", hold)
    go_back(page)
    expect_caption(page, "by tag")
    assert held, "the page waits for htmx"
    page.unroute("**/htmx*")
    go_back(page)

    expect_caption(page, "by series")
    expect_query(page, portal, "")


def test_the_link_can_be_copied(portal: Portal, page: Page, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{portal.url}/category/125/tags/?tag_group_id=geo")
    page.keyboard.press("c")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()

    assert page.evaluate("navigator.clipboard.readText()") == page.url
    expect(page.locator("#status")).to_have_text("Copied.")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()


def test_the_wait_for_a_busy_service_is_counted_down(second_portal: Portal, page: Page) -> None:
    second_portal.service.error = Busy("", retry_after=4)
    page.goto(second_portal.url + second_portal.add_tags([]))

    expect(page.locator("[data-wait]")).to_have_text("in 1 s")
    expect(page.locator("[data-wait]")).to_have_text("now")


def test_a_second_name_is_completed_like_the_first(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    for name in ("tag 0001", "tag 0002"):
        page.locator("#add-name").press_sequentially(name[:5], delay=10)
        expect(page.locator(f'#names option[value="{name}"]')).to_have_count(1)
        page.locator("#add-name").fill(name)
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name=f"{name} drop")).to_be_visible()


def test_the_canonical_link_follows_what_is_shown(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    page.get_by_role("link", name="Tag: sort ascending").click()
    expect(page.locator("link[rel=canonical]")).to_have_attribute(
        "href", "/category/125/tags/?order_by=name&sort_order=asc"
    )
