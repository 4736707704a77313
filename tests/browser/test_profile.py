"""The pictures of a view: there before their place is seen, with names where the eye is."""

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from tests.stand_in import StandIn, tags_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def a_service(stand_in: StandIn) -> None:
    stand_in.has("category", 125, tags_of(121))


def test_a_profile_comes_before_its_place_is_seen_and_its_dots_have_names(
    live_server: LiveServer, page: Page
) -> None:
    page.goto(f"{live_server.url}/category/125/tags/")
    expect(page.locator("#profile .pictures")).to_have_count(0)
    page.locator("tbody tr").nth(20).scroll_into_view_if_needed()
    expect(page.locator("#profile")).not_to_be_in_viewport()
    expect(page.locator("#profile .pictures")).to_have_count(1)
    page.locator(".dots circle", has_text="tag 0117:").hover()
    expect(page.locator(".named")).to_have_text("tag 0117: 8 series, popularity 16")
    page.locator(".dots circle").nth(1).focus()
    expect(page.locator(".named")).to_have_text("tag 0001: 240 series, popularity 1")
    expect(page).to_have_url(f"{live_server.url}/category/125/tags/")

    expect(page).to_have_title("Category 125 · econweb")

    page.locator("#profile button").first.click()
    expect(page.locator("#results .chip")).to_have_count(1)


def test_a_profile_that_cannot_be_had_stays_a_link(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/category/125/tags/")
    page.route("**/tags/profile*", lambda route: route.fulfill(status=503, body="<p>Busy</p>"))
    with page.expect_response("**/tags/profile*"):
        page.locator(".pager").scroll_into_view_if_needed()
    expect(page.locator("#rows")).to_contain_text("1–50 of 121 tags")
    page.unroute("**/tags/profile*")

    page.get_by_role("link", name="Profile of 121 tags").click()
    expect(page.locator(".dots circle")).to_have_count(121)
    expect(page).to_have_url(f"{live_server.url}/category/125/tags/profile")
    expect(page.locator("h1")).to_have_count(1)


def test_who_has_lost_the_portal_is_not_told_by_scrolling(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/category/125/tags/")
    page.route("**/tags/profile*", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.locator(".pager").scroll_into_view_if_needed()

    expect(page.locator("[role=alert]")).to_have_count(0)


def test_the_focus_stays_where_it_was_when_the_pictures_come(live_server: LiveServer, page: Page) -> None:
    held: list[Route] = []
    page.route("**/tags/profile*", lambda route, _: held.append(route))
    page.goto(f"{live_server.url}/category/125/tags/")
    page.get_by_role("link", name="Profile of 121 tags").focus()
    while not held:
        page.wait_for_timeout(10)
    held.pop().continue_()

    expect(page.locator("#profile .pictures")).to_have_count(1)
    expect(page.get_by_role("link", name="Profile of 121 tags")).to_be_focused()
