"""Axe finds nothing on any page or state, in both themes; nothing is wider than a narrow window."""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, resolve
from playwright.sync_api import Browser, Page, expect

from econweb.dashboard import urls
from econweb.upstream.errors import BadReply, Busy, Refused, Unavailable, UpstreamError
from tests.browser.addresses import PATHS
from tests.browser.axe import find_violations, find_violations_in_both_themes
from tests.browser.served import LONG, Portal
from tests.browser.stand_in import StandInService
from tests.builders import a_series
from tests.fake_service import a_tag, tags_of

pytestmark = pytest.mark.slow
# Parts that a page loads by itself.
FORMS = {"end_sessions", "sign_out", "undo_change"}
PARTS = {"mcp", "suggest", "tag_names", "browse_children", "browser_suggestions", "opensearch"}


def test_accessibility_tests_visit_every_page() -> None:
    files = r"<(file|citation):|[.](atom|csv|zip)$"
    pages = {route.name for route in urls.urlpatterns if not re.search(files, str(route.pattern))}
    visited = set()
    for path in PATHS:
        with suppress(Resolver404):
            visited.add(resolve(urlsplit(path).path).view_name)

    missing = pages - visited - PARTS - FORMS
    assert not missing, f"tests/browser/addresses.py has no address of {', '.join(map(str, missing))}."


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_no_violation_in_either_theme(portal: Portal, page: Page, path: str) -> None:
    page.goto(portal.url + path)

    assert find_violations_in_both_themes(page) == []


def paths_to_failures(portal: Portal) -> list[str]:
    """Return paths for which each worker needs the service."""
    tags = [portal.add_tags([a_tag()]) for _ in range(3)]
    one, two, three = (portal.add_series(a_series()) for _ in range(3))
    a, b = (f"category:{path.split('/')[2]}" for path in tags[:2])
    return [tags[2], f"/series/{one}/", f"/series/?ids={two},{three}", f"/compare/?a={a}&b={b}"]


def find_violations_on_a_narrow_page(page: Page, address: str) -> list[str]:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(address)
    expect(page.locator("[role=alert], .notice, progress, .list-table").first).to_be_visible()

    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    return find_violations_in_both_themes(page)


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(
    "error", [Unavailable(""), Refused(f"The value for variable api_key is not registered. {LONG}"), BadReply("?")]
)
def test_axe_finds_no_violation_when_the_service_fails(
    portal: Portal, page: Page, service: StandInService, error: UpstreamError, number: int
) -> None:
    service.error = error

    assert find_violations_on_a_narrow_page(page, portal.url + paths_to_failures(portal)[number]) == []


def test_axe_finds_no_violation_when_the_service_is_busy(second_portal: Portal, page: Page) -> None:
    second_portal.service.error = Busy("", retry_after=4)

    for path in paths_to_failures(second_portal):
        assert find_violations_on_a_narrow_page(page, second_portal.url + path) == []


def test_axe_finds_no_violation_in_stale_or_truncated_list(second_portal: Portal, page: Page) -> None:
    path = second_portal.add_tags(tags_of(20_001))
    second_portal.visit_with_each_worker(path)
    second_portal.service.error = Unavailable("")
    page.goto(f"{second_portal.url}{path}?limit=25")

    expect(page.get_by_text("Showing cached data")).to_be_visible()
    expect(page.get_by_text("There are more tags than")).to_be_visible()
    assert find_violations_in_both_themes(page) == []


def test_axe_finds_no_violation_at_first_and_later_visits(second_portal: Portal, page: Page) -> None:
    page.goto(second_portal.url)
    expect(page.get_by_text("have no names yet")).to_be_visible()
    expect(page.get_by_role("heading", name="Recently viewed")).to_be_hidden()
    first = find_violations_in_both_themes(page)
    page.goto(f"{second_portal.url}/series/VERSIONS/")
    page.goto(second_portal.url)
    expect(page.get_by_role("heading", name="Recently viewed")).to_be_visible()

    assert first + find_violations_in_both_themes(page) == []


def test_axe_finds_no_violation_in_loading_list(portal: Portal, page: Page, service: StandInService) -> None:
    # A page waits for one second, and leaves what has not come by then to its next request.
    service.seconds = 2.0
    ids = ",".join(portal.add_series(a_series()) for _ in range(9))
    page.goto(f"{portal.url}/series/?ids={ids}")
    expect(page.get_by_role("progressbar")).to_be_visible()

    assert find_violations_in_both_themes(page) == []


def test_axe_finds_no_violation_where_a_view_cannot_be_pinned(portal: Portal, page: Page) -> None:
    series_id = portal.add_series(a_series())
    portal.service.without_past.add(series_id)
    day = datetime.now(UTC).date() - timedelta(days=1)
    past = f"/series/{series_id}/?realtime_start={day}&realtime_end={day}"
    assert {*portal.visit_with_each_worker(past)} == {404}
    page.goto(portal.url + past)
    expect(page.get_by_role("link", name="See it as of today")).to_be_visible()
    violations = find_violations_in_both_themes(page)
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{portal.url}/series/{series_id}/")
    page.get_by_text("Share", exact=True).click()
    expect(page.get_by_text("Cannot be fixed")).to_be_visible()

    assert violations + find_violations_in_both_themes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("path", ["/category/16/tags/", "/series/VERSIONS/", "/series/?ids=VERSIONS"])
def test_axe_finds_no_violation_on_a_phone_with_all_details_open(portal: Portal, page: Page, path: str) -> None:
    page.set_viewport_size({"width": 375, "height": 1500})
    page.goto(portal.url + path)
    page.evaluate("for (const e of document.querySelectorAll('details')) e.open = !e.matches('.menu')")
    assert find_violations_in_both_themes(page) == []
    page.get_by_text("Share", exact=True).click()

    # Axe would count what an open menu covers in part as too small.
    assert find_violations(page, {"runOnly": ["cat.color", "cat.name-role-value", "cat.keyboard"]}) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_axe_finds_no_violation_with_shortcuts_and_suggestions_open(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    assert find_violations(page) == []
    # This page has no controls where the list opens: axe would count one that it covers in part as too small.
    page.goto(f"{portal.url}/about/")
    page.locator("[role=search] input:visible").press_sequentially("price")
    page.get_by_role("option", name="Prices 10").wait_for()

    assert find_violations(page) == []


def test_pages_fit_a_window_of_320_pixels(portal: Portal, page: Page) -> None:
    # A window of 1280 by 1024 pixels at 400 %.
    page.set_viewport_size({"width": 320, "height": 256})
    widths = {}
    for path in PATHS:
        page.goto(portal.url + path)
        widths[path] = page.evaluate("document.documentElement.scrollWidth")
        for menu in page.locator(".menu summary:visible").all():
            menu.click()
            widths[path] = max(widths[path], page.evaluate("document.documentElement.scrollWidth"))
            # An open menu may cover the next one.
            page.keyboard.press("Escape")

    assert {path: width for path, width in widths.items() if width > 320} == {}


@pytest.mark.parametrize("path", ["/", "/series/VERSIONS/", "/category/16/tags/"])
def test_controls_are_large_enough(portal: Portal, page: Page, path: str) -> None:
    page.goto(portal.url + path)
    small = """() => [...document.querySelectorAll("button, select, input:not([type=hidden]), summary")]
        .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 24)
        .map((e) => e.outerHTML)"""

    assert page.evaluate(small) == []


def test_pictures_are_visible_with_forced_colours(portal: Portal, browser: Browser) -> None:
    context = browser.new_context(forced_colors="active")
    page = context.new_page()
    page.goto(f"{portal.url}/category/16/tags/")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    bar = page.evaluate("getComputedStyle(document.querySelector('td svg')).backgroundColor")
    context.close()

    assert bar != paper


def test_only_the_current_item_is_marked_with_forced_colours(portal: Portal, page: Page) -> None:
    marked = """(links) => links.filter((link) =>
        getComputedStyle(link).borderBottomColor !== getComputedStyle(document.documentElement).backgroundColor
    ).map((link) => link.textContent)"""
    page.emulate_media(forced_colors="active")
    page.goto(f"{portal.url}{portal.add_tags(tags_of(30))}?tag_group_id=gen")
    groups = page.locator(".groups a").evaluate_all(marked)
    arrows = page.locator(".tag-table thead a").evaluate_all(
        "(links) => links.filter((a) => getComputedStyle(a, '::after').visibility === 'visible').map((a) => a.text)"
    )
    page.goto(f"{portal.url}/help/")

    assert page.locator(".site-nav a").evaluate_all(marked) == ["Help"]
    assert (groups, arrows) == (["Topic 4"], ["Series"])


def test_reduced_motion_stops_animations(portal: Portal, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{portal.url}/category/16/tags/")
    page.evaluate("document.querySelector('#progress').classList.add('htmx-request')")

    assert page.evaluate("getComputedStyle(document.querySelector('#progress')).animationName") == "none"
