"""One whole way without a mouse, and again without JavaScript: from a name to a link that others open."""

from collections.abc import Callable

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from econweb.shelf import labels
from econweb.shelf.models import Label
from econweb.upstream.errors import Unavailable
from tests.browser.test_journeys import address, back, caption, rows
from tests.builders import a_series
from tests.stand_in import StandIn, a_tag, tags_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMED = "?tag_names=tag+0001%3Btag+0009&tag_group_id=gen&search_text=tag"
SERIES = "Real Gross National Product"


@pytest.fixture(autouse=True)
def a_service(stand_in: StandIn) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    stand_in.has("category", 125, [*tags_of(120), a_tag("rent & lease", group_id="gen", notes="Housing")])
    labels.put([Label(kind="category", number=125, name="Trade Balance")])


def walk_to(page: Page, control: Locator) -> None:
    """With Tab alone, as somebody does who has no mouse."""
    control.first.wait_for()
    for _ in range(120):
        page.keyboard.press("Tab")
        if control.first.evaluate("(e) => e === document.activeElement"):
            return
    pytest.fail(f"Tab does not lead to {control}")


def shows_the_same(browser: Browser, page: Page, **options: bool) -> None:
    fresh = browser.new_context(**options)  # type: ignore[arg-type]  # of many types, one of which is bool
    other = fresh.new_page()
    other.goto(page.url)

    assert rows(other) == rows(page) != []
    fresh.close()


def step_back(page: Page, go: Callable[[Page], object], *seen: str) -> None:
    for words in seen:
        go(page)
        caption(page, words)


def test_without_a_mouse(live_server: LiveServer, page: Page, browser: Browser) -> None:
    page.goto(live_server.url)
    page.keyboard.press("/")
    page.keyboard.type("gnpca")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(SERIES)
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("balance tr", delay=10)
    suggestion = page.locator(".masthead .suggestions a")
    suggestion.wait_for()
    page.keyboard.press("ArrowDown")
    expect(suggestion).to_be_focused()
    page.keyboard.press("Enter")
    address(page, live_server, "")

    walk_to(page, page.get_by_role("navigation", name="Groups").get_by_role("link", name="Concept"))
    page.keyboard.press("Enter")
    caption(page, "of 16 tags")
    page.locator("#main").focus()
    walk_to(page, page.locator("#words"))
    page.keyboard.type("tag", delay=10)
    caption(page, "of 15 tags")
    walk_to(page, page.get_by_role("button", name="tag 0001", exact=True))
    page.keyboard.press("Enter")
    caption(page, "of 1 tag")
    page.locator("#main").focus()
    walk_to(page, page.locator("#add-name"))
    page.keyboard.type("tag 0009")
    page.keyboard.press("Enter")
    caption(page, "of 2 tags")
    for order in ("ascending", "descending"):
        walk_to(page, page.get_by_role("link", name=f"Tag: sort {order}"))
        page.keyboard.press("Enter")
        caption(page, f"by tag, {order}")
        page.locator("#main").focus()
    address(page, live_server, f"{NAMED}&order_by=name")
    shows_the_same(browser, page)
    walk_to(page, page.get_by_role("link", name="Clear 4 filters"))
    page.keyboard.press("Enter")
    caption(page, "1–50 of 121 tags")
    page.keyboard.press("n")
    caption(page, "51–100 of 121 tags")
    step_back(page, back, "1–50 of 121 tags", "of 2 tags, by tag, desc", "of 2 tags, by tag, asc")
    step_back(page, back, "of 2 tags, by series", "of 1 tag", "of 15 tags", "of 16 tags", "1–50 of 121")


def test_a_view_that_was_made_in_place_is_a_whole_page_however_it_is_opened_again(
    live_server: LiveServer, page: Page, context: BrowserContext
) -> None:
    def is_whole(shown: Page) -> None:
        caption(shown, "of 16 tags, by popularity")
        expect(shown.get_by_role("searchbox", name="Series id")).to_be_visible()
        expect(shown.get_by_role("main")).to_have_count(1)

    page.goto(f"{live_server.url}/category/125/tags/")
    page.get_by_role("navigation", name="Groups").get_by_role("link", name="Concept").click()
    caption(page, "of 16 tags")
    page.locator("#by-popularity").click()
    is_whole(page)
    # A tab that was closed and is opened again takes what is kept, however old.
    kept = page.evaluate("fetch(location.href, {cache: 'force-cache'}).then((answer) => answer.text())")
    assert kept.startswith("<!DOCTYPE html>")
    page.reload()
    is_whole(page)
    for away in ("/about/", "/"):
        page.goto(live_server.url + away)
        page.go_back()
        is_whole(page)
    other = context.new_page()
    other.goto(page.url)
    is_whole(other)


def test_a_source_that_fails_and_comes_back_without_a_mouse(
    live_server: LiveServer, page: Page, stand_in: StandIn
) -> None:
    page.goto(f"{live_server.url}/category/125/tags/{NAMED}")
    stand_in.error = Unavailable("The service does not answer.")
    walk_to(page, page.locator("#words"))
    page.keyboard.press("End")
    page.keyboard.type("s")
    expect(page.get_by_role("alert")).to_contain_text("The service does not answer.")
    stand_in.error = None
    cache.clear()
    page.keyboard.press("Backspace")
    caption(page, "of 2 tags")


def test_without_javascript(live_server: LiveServer, browser: Browser, stand_in: StandIn) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url)
    page.get_by_role("searchbox").fill("gnpca")
    page.get_by_role("button", name="Look up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(SERIES)
    page.get_by_label("Go on to a category or a release").fill("trade balance")
    page.get_by_role("button", name="Go on").click()
    address(page, live_server, "")

    page.get_by_role("navigation", name="Groups").get_by_role("link", name="Concept").click()
    page.get_by_label("Search tags").fill("tag")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("button", name="tag 0001", exact=True).first.click()
    page.get_by_label("Tag", exact=True).fill("tag 0009")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="Tag: sort ascending").click()
    page.get_by_role("link", name="Tag: sort descending").click()
    address(page, live_server, f"{NAMED}&order_by=name")
    assert rows(page) == ["tag 0009", "tag 0001"]
    shows_the_same(browser, page, java_script_enabled=False)
    page.get_by_role("link", name="Clear 4 filters").click()
    page.get_by_role("link", name="Next").click()
    address(page, live_server, "?order_by=name&offset=50")

    stand_in.error = Unavailable("The service does not answer.")
    page.get_by_label("Search tags").fill("rent")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("alert")).to_contain_text("The service does not answer.")
    stand_in.error = None
    cache.clear()
    page.get_by_role("link", name="Try again").click()
    caption(page, "1–1 of 1 tag")

    # One step leads past the page of the failure, which had the address of this one.
    page.go_back()
    step_back(page, Page.go_back, "1–50 of 121 tags", "of 2 tags, by tag, desc", "by tag, asc", "by series")
    step_back(page, Page.go_back, "of 1 tag", "of 15 tags", "of 16 tags", "1–50 of 121 tags")
    context.close()
