"""The pictures of a profile: loaded before scrolling, with the name of each dot."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.served import Portal, number_of
from tests.fake_service import tags_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def path(portal: Portal) -> str:
    return portal.add_tags(tags_of(121))


def test_profile_loads_before_scrolling_and_names_its_dots(portal: Portal, page: Page, path: str) -> None:
    page.goto(f"{portal.url}{path}")
    expect(page.locator("#profile .pictures")).to_have_count(0)
    page.locator("tbody tr").nth(20).scroll_into_view_if_needed()
    expect(page.locator("#profile")).not_to_be_in_viewport()
    expect(page.locator("#profile .pictures")).to_have_count(1)
    page.locator(".dots circle", has_text="tag 0117:").hover()
    expect(page.locator(".named")).to_have_text("tag 0117: 8 series, popularity 16")
    page.locator(".dots circle").nth(1).focus()
    expect(page.locator(".named")).to_have_text("tag 0001: 240 series, popularity 1")
    expect(page).to_have_url(f"{portal.url}{path}")

    expect(page).to_have_title(f"Category {number_of(path)} · econweb")

    page.locator("#profile button").first.click()
    expect(page.locator("#results .chip")).to_have_count(1)


def test_profile_that_fails_to_load_stays_a_link(portal: Portal, page: Page, path: str) -> None:
    page.goto(f"{portal.url}{path}")
    page.route("**/tags/profile*", lambda route: route.fulfill(status=503, body="<p>Busy</p>"))
    with page.expect_response("**/tags/profile*"):
        page.locator(".pager").scroll_into_view_if_needed()
    expect(page.locator("#rows")).to_contain_text("1–50 of 121 tags")
    page.unroute("**/tags/profile*")

    page.get_by_role("link", name="Overview of 121 tags").click()
    expect(page.locator(".dots circle")).to_have_count(121)
    expect(page).to_have_url(f"{portal.url}{path}profile")
    expect(page.locator("h1")).to_have_count(1)


def test_profile_without_connection_shows_no_error(portal: Portal, page: Page, path: str) -> None:
    page.goto(f"{portal.url}{path}")
    page.route("**/tags/profile*", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.locator(".pager").scroll_into_view_if_needed()

    expect(page.locator("[role=alert]")).to_have_count(0)


def test_profile_loading_keeps_focus(portal: Portal, page: Page, path: str) -> None:
    held: list[Route] = []
    page.route("**/tags/profile*", lambda route, _: held.append(route))
    page.goto(f"{portal.url}{path}")
    page.get_by_role("link", name="Overview of 121 tags").focus()
    while not held:
        page.wait_for_timeout(10)
    held.pop().continue_()

    expect(page.locator("#profile .pictures")).to_have_count(1)
    expect(page.get_by_role("link", name="Overview of 121 tags")).to_be_focused()
