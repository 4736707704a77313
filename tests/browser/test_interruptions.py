"""Interruptions of a journey: a failing service, a lost connection, a late response."""

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from econweb.upstream.errors import Busy, Unavailable
from tests.browser.axe import find_violations_in_both_themes
from tests.browser.served import FAILURE_MS, Portal
from tests.browser.stand_in import StandInService
from tests.browser.steps import expect_caption, expect_query, go_back
from tests.builders import a_series
from tests.fake_service import a_tag, tags_of

pytestmark = pytest.mark.slow


def test_outage_and_recovery_are_shown(portal: Portal, page: Page, service: StandInService) -> None:
    path = portal.add_tags([*tags_of(120), a_tag("rent & lease")])
    page.goto(portal.url + path)
    service.error = Unavailable("")
    page.locator("#words").fill("rent")
    expect(page.get_by_role("alert")).to_contain_text("The data provider is not available")
    service.error = None
    page.wait_for_timeout(FAILURE_MS)
    page.get_by_role("link", name="Try again").click()

    expect_caption(page, "1 tag")


def test_lost_connection_is_shown(portal: Portal, page: Page, context: BrowserContext) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    context.set_offline(True)
    page.locator("#by-name").click()
    expect(page.get_by_role("alert")).to_contain_text("You seem to be offline")
    assert find_violations_in_both_themes(page) == []
    context.set_offline(False)
    page.get_by_role("link", name="try again").click()

    expect_caption(page, "1–50 of 121 tags")


def test_late_response_never_replaces_a_newer_one(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")

    def late(route: Route) -> None:
        page.wait_for_timeout(600)
        route.continue_()

    slow = "**/tags/?*search_text=tag*"
    page.route(slow, late)
    page.locator("#words").fill("tag")
    page.wait_for_timeout(330)
    page.locator("#words").fill("rent")
    expect_caption(page, "1 tag")
    page.wait_for_timeout(700)

    expect_caption(page, "1 tag")
    expect_query(page, portal, "?search_text=rent")


def test_back_works_while_a_page_loads(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    for column, order in (("Tag", "A to Z"), ("Popularity", "most popular first")):
        page.get_by_role("link", name=column, exact=True).click()
        expect_caption(page, order)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/htmx*", hold)
    go_back(page)
    expect_caption(page, "A to Z")
    assert held, "the page waits for htmx"
    page.unroute("**/htmx*")
    go_back(page)

    expect_caption(page, "most series first")
    expect_query(page, portal, "")


@pytest.mark.usefixtures("context")
def test_busy_service_wait_is_counted_down(second_portal: Portal, page: Page) -> None:
    second_portal.service.error = Busy("", retry_after=4)
    # Otherwise the clock goes on by itself, too. It stands still in this profile for ever.
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.goto(second_portal.url + second_portal.add_tags([]))

    for words in ("in 3 s", "in 2 s", "in 1 s", "now"):
        page.clock.run_for(1000)
        expect(page.locator("[data-wait]")).to_have_text(words)


def test_page_to_sign_in_is_no_suggestion(portal: Portal, page: Page) -> None:
    """After a session has ended, the suggestions of a site for signed-in people lead to that page."""
    page.goto(portal.url)
    box, found = page.locator("[role=search] input:visible"), page.get_by_role("listbox", include_hidden=True)
    page.route("**/suggest?*", lambda route: route.fulfill(status=302, headers={"Location": "/help/"}))
    with page.expect_request("**/suggest?*"):
        box.press_sequentially("prices")
    page.wait_for_load_state("networkidle")
    expect(found.first).to_be_empty()

    page.unroute("**/suggest?*")
    box.press_sequentially(" 1")
    expect(page.get_by_role("search").get_by_role("option")).to_have_count(1)


def test_error_while_a_list_loads_is_shown(portal: Portal, page: Page, service: StandInService) -> None:
    """None of the parts that the list waits for is in the page of an error."""
    service.seconds = 0.6
    ids = [portal.add_series(a_series()) for _ in range(5)]

    def fail(route: Route) -> None:
        if "hx-request" in route.request.headers:
            route.fulfill(status=500, headers={"Vary": "HX-Request"}, content_type="text/html", body="<h1>Error")
        else:
            route.continue_()

    page.route("**/series/?ids=*", fail)
    page.goto(f"{portal.url}/series/?ids={','.join(ids)}")
    expect(page.get_by_role("alert")).to_contain_text("The site could not answer")
    page.unroute("**/series/?ids=*")
    page.get_by_role("alert").get_by_role("link", name="try again").click()

    expect(page.locator("#list-loading")).to_be_empty()
    expect(page.get_by_role("alert")).to_have_count(0)
