"""Progress, announcements and focus while htmx swaps one view for another."""

import pytest
from playwright.sync_api import Page, Route, expect

from econweb.upstream.errors import Unavailable
from tests.browser.served import OTHER_CATEGORY, Portal
from tests.browser.stand_in import StandInService
from tests.browser.steps import expect_caption
from tests.fake_service import tags_of

pytestmark = pytest.mark.slow


@pytest.fixture
def view(portal: Portal, page: Page) -> Page:
    page.goto(f"{portal.url}/category/{OTHER_CATEGORY}/tags/")
    return page


def test_a_view_that_takes_long_shows_progress_and_keeps_its_height(view: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    results, height = view.locator("#results"), "document.documentElement.scrollHeight"
    before = view.evaluate(height)
    view.route("**/tags/?*", hold)
    view.locator("#by-name").click()
    expect(view.locator("#status")).to_have_text("Loading")
    expect(results).to_have_attribute("aria-busy", "true")
    expect(view.locator("#progress")).to_have_css("animation-delay", "0.15s")
    assert view.evaluate(height) == before
    held[0].continue_()

    expect_caption(view, "by tag")
    expect(results).not_to_have_attribute("aria-busy", "true")
    expect(view.locator("#status")).to_contain_text("1–50 of 120 tags, A to Z")


def test_the_focus_goes_to_the_heading_when_its_control_is_gone(view: Page) -> None:
    heading = view.locator("#rows")
    view.get_by_role("button", name="tag 0001", exact=True).first.click()
    expect_caption(view, "of 1 tag")
    expect(heading).to_be_focused()
    view.get_by_role("link", name="drop").click()
    expect_caption(view, "of 120 tags")
    expect(heading).to_be_focused()
    view.get_by_role("navigation", name="Groups").get_by_role("link", name="Topic").click()
    expect_caption(view, "of 15 tags")
    expect(view.get_by_role("link", name="Topic 15")).to_be_focused()
    view.get_by_role("link", name="Clear").click()
    expect_caption(view, "of 120 tags")
    expect(heading).to_be_focused()


def test_the_focus_goes_to_the_heading_of_an_error(portal: Portal, page: Page, service: StandInService) -> None:
    page.goto(f"{portal.url}{portal.add_tags(tags_of(120))}?search_text=tag")
    service.error = Unavailable("")
    page.get_by_role("link", name="Clear").click()

    expect(page.get_by_role("alert").get_by_role("heading")).to_be_focused()


@pytest.mark.parametrize(
    ("allowed", "label", "status"),
    [
        ("true", "Link copied", "Link copied."),
        ("false", "Your browser blocked copying. Press Ctrl+C", "Your browser blocked copying. Press Ctrl+C."),
    ],
)
def test_a_link_is_copied_another_way_where_the_clipboard_is_refused(
    view: Page, allowed: str, label: str, status: str
) -> None:
    view.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    view.evaluate(f"() => {{ document.execCommand = () => {allowed}; }}")
    view.get_by_text("Share", exact=True).click()
    view.get_by_role("button", name="Copy link").click()

    expect(view.get_by_role("button", name=label, exact=True)).to_be_focused()
    expect(view.locator("#status")).to_have_text(status)


def test_numbers_are_aligned(view: Page) -> None:
    number = view.locator("tbody tr:first-child td:nth-child(3)")

    expect(number).to_have_css("text-align", "end")
    expect(number).to_have_css("font-variant-numeric", "lining-nums tabular-nums")
