"""What is seen, heard and focused while one view follows another in its place."""

import pytest
from django.core.cache import cache
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from econweb.upstream import service
from econweb.upstream.errors import Unavailable
from tests.browser.test_journeys import caption
from tests.stand_in import StandIn, tags_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def view(live_server: LiveServer, page: Page, stand_in: StandIn) -> Page:
    stand_in.has("category", 125, tags_of(120))
    page.goto(f"{live_server.url}/category/125/tags/")
    return page


def test_a_view_that_takes_long_is_busy_and_keeps_its_height(view: Page) -> None:
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

    caption(view, "by tag")
    expect(results).not_to_have_attribute("aria-busy", "true")
    expect(view.locator("#status")).to_contain_text("1–50 of 120 tags, by tag, ascending")


def test_the_focus_goes_to_the_heading_when_its_control_is_gone(view: Page, stand_in: StandIn) -> None:
    heading = view.locator("#rows")
    view.get_by_role("button", name="tag 0001", exact=True).first.click()
    caption(view, "of 1 tag")
    expect(heading).to_be_focused()
    view.get_by_role("link", name="drop").click()
    caption(view, "of 120 tags")
    expect(heading).to_be_focused()
    view.get_by_role("navigation", name="Groups").get_by_role("link", name="Concept").click()
    caption(view, "of 15 tags")
    expect(view.get_by_role("link", name="Concept 15")).to_be_focused()
    view.get_by_role("link", name="Clear").click()
    caption(view, "of 120 tags")
    expect(heading).to_be_focused()


def test_the_focus_goes_to_the_words_of_a_problem(view: Page, stand_in: StandIn) -> None:
    stand_in.error = Unavailable("The service does not answer.")
    service.upstream.cache_clear()
    cache.clear()
    view.locator("#by-name").click()

    expect(view.get_by_role("alert").get_by_role("heading")).to_be_focused()


@pytest.mark.parametrize(
    ("allowed", "label", "said"),
    [("true", "Copied", "Copied."), ("false", "Not allowed", "The browser does not allow copying.")],
)
def test_a_link_is_copied_another_way_where_the_clipboard_is_closed(
    view: Page, allowed: str, label: str, said: str
) -> None:
    view.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    view.evaluate(f"() => {{ document.execCommand = () => {allowed}; }}")
    view.get_by_role("button", name="Copy link").click()

    expect(view.get_by_role("button", name=label, exact=True)).to_be_focused()
    expect(view.locator("#status")).to_have_text(said)


def test_numbers_stand_below_each_other(view: Page) -> None:
    number = view.locator("tbody tr:first-child td:nth-child(3)")

    expect(number).to_have_css("text-align", "end")
    expect(number).to_have_css("font-variant-numeric", "lining-nums tabular-nums")
