"""Progress, announcements and focus while htmx swaps one view for another."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from econweb.upstream.errors import Unavailable
from tests.browser.served import OTHER_CATEGORY, Portal
from tests.browser.stand_in import StandInService
from tests.browser.steps import RETURN_AS_KEPT, expect_caption
from tests.builders import a_series
from tests.fake_service import a_tag, tags_of

pytestmark = pytest.mark.slow


@pytest.fixture
def view(portal: Portal, page: Page) -> Page:
    page.goto(f"{portal.url}/category/{OTHER_CATEGORY}/tags/")
    return page


def test_slow_view_shows_progress_and_keeps_its_height(view: Page) -> None:
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

    expect_caption(view, "A to Z")
    expect(results).not_to_have_attribute("aria-busy", "true")
    expect(view.locator("#status")).to_contain_text("1–50 of 120 tags, A to Z")


def test_focus_moves_to_heading_if_its_control_is_gone(view: Page) -> None:
    heading = view.locator("#rows")
    view.get_by_role("button", name="tag 0001", exact=True).first.click()
    expect_caption(view, "1 tag, ")
    expect(heading).to_be_focused()
    view.get_by_role("link", name="tag 0001 remove").click()
    expect_caption(view, "of 120 tags")
    expect(heading).to_be_focused()
    view.get_by_role("navigation", name="Groups").get_by_role("link", name="Topic").click()
    expect_caption(view, "15 tags")
    expect(view.get_by_role("link", name="Topic 15")).to_be_focused()
    view.get_by_role("link", name="Clear").click()
    expect_caption(view, "of 120 tags")
    expect(heading).to_be_focused()


def test_focus_moves_to_error_heading(portal: Portal, page: Page, service: StandInService) -> None:
    page.goto(f"{portal.url}{portal.add_tags(tags_of(120))}?search_text=tag")
    service.error = Unavailable("")
    page.get_by_role("link", name="Clear").click()

    expect(page.get_by_role("alert").get_by_role("heading")).to_be_focused()
    # The alert is read by itself.
    expect(page.locator("#status")).to_be_empty()


@pytest.mark.parametrize(
    ("allowed", "label", "status"),
    [
        ("true", "Link copied", "Link copied."),
        ("false", "Your browser blocked copying. Press Ctrl+C", "Your browser blocked copying. Press Ctrl+C."),
    ],
)
def test_copy_link_works_without_clipboard_permission(view: Page, allowed: str, label: str, status: str) -> None:
    view.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    view.evaluate(f"() => {{ document.execCommand = () => {allowed}; }}")
    view.get_by_text("Share", exact=True).click()
    view.get_by_role("button", name="Copy link").click()

    expect(view.get_by_role("button", name=label, exact=True)).to_be_focused()
    expect(view.locator("#status")).to_have_text(status)


def test_table_numbers_are_aligned(view: Page) -> None:
    number = view.locator("tbody tr:first-child td:nth-child(3)")

    expect(number).to_have_css("text-align", "end")
    expect(number).to_have_css("font-variant-numeric", "lining-nums tabular-nums")


def test_filter_click_and_back_keep_scroll_position(portal: Portal, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 400})
    page.goto(f"{portal.url}{portal.add_tags(tags_of(120))}")
    page.evaluate("scrollTo(0, 100)")
    page.get_by_role("navigation", name="Groups").get_by_role("link", name="Topic").click()
    expect_caption(page, "15 tags")
    assert page.evaluate("scrollY") == 100
    page.evaluate("scrollTo(0, 0)")
    page.go_back()
    expect_caption(page, "120 tags")

    page.wait_for_timeout(500)
    assert page.evaluate("scrollY") == 100


def test_cleared_search_adds_no_history_step(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/about/")
    page.goto(f"{portal.url}{portal.add_tags(tags_of(120))}")
    page.locator("#words").fill("tag 0001")
    expect_caption(page, "1 tag, ")
    page.locator("#words").fill("")
    expect_caption(page, "120 tags")
    page.wait_for_timeout(300)
    page.go_back()

    expect(page).to_have_url(f"{portal.url}/about/")


def test_cleared_search_goes_back_to_no_view_before_other_steps(portal: Portal, page: Page) -> None:
    """The address was that of a view with the search text, and the page another one."""
    url = f"{portal.url}{portal.add_tags(tags_of(120))}"
    page.goto(url)
    page.locator("#words").fill("tag")
    expect_caption(page, "most series first")
    expect(page).to_have_url(f"{url}?search_text=tag")
    for column, order in (("Popularity", "most popular first"), ("Series", "most series first")):
        page.get_by_role("link", name=column, exact=True).click()
        expect_caption(page, order)
    page.locator("#words").fill("")
    expect(page).to_have_url(url)
    page.wait_for_timeout(300)

    expect(page).to_have_url(url)


@pytest.mark.parametrize("typed", [["Enter"], ["pause", "9", "pause", "Backspace"]])
def test_typed_search_adds_one_history_step(portal: Portal, page: Page, typed: list[str]) -> None:
    path = portal.add_tags(tags_of(120))
    page.goto(portal.url + path)
    page.locator("#words").press_sequentially("tag 001")
    for key in typed:
        if key == "pause":
            page.wait_for_timeout(700)
        else:
            page.keyboard.press(key)
    page.wait_for_timeout(900)
    expect_caption(page, "10 tags")
    page.go_back()

    expect_caption(page, "120 tags")
    expect(page).to_have_url(portal.url + path)


@pytest.mark.parametrize(
    ("width", "height", "most"), [(1440, 900, 320), (1024, 768, 340), (768, 1024, 380), (375, 812, 420)]
)
def test_first_row_is_near_the_top(portal: Portal, page: Page, width: int, height: int, most: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    tags = [*tags_of(120), a_tag("saar", group_id="seas", notes="Seasonally adjusted, at an annual rate")]
    page.goto(f"{portal.url}{portal.add_tags(tags)}")

    assert page.locator(".tag-table tbody tr").first.evaluate("e => e.getBoundingClientRect().top") <= most
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    right = [page.locator(part).evaluate("e => e.getBoundingClientRect().right") for part in (".tag-table", "#view")]
    assert right[0] <= right[1] + 1


def test_first_row_of_a_deep_category_is_near_the_top_on_a_phone(sample_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"{sample_site}/category/125/tags/")

    assert page.locator(".tag-table tbody tr").first.evaluate("e => e.getBoundingClientRect().top") <= 420
    trail = page.get_by_role("navigation", name="Breadcrumb")
    expect(trail).to_contain_text("Exports minus imports")
    expect(trail.get_by_role("link")).to_have_text(["U.S. Trade & International Transactions", "Similar", "Rename"])


def test_column_choice_is_stored_in_the_browser(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}{portal.add_tags(tags_of(120))}")
    page.get_by_text("Columns", exact=True).click()
    page.get_by_label("Tag created").uncheck()
    expect(page).to_have_url(re.compile("columns=group_id,series_count,popularity,notes$"))
    expect(page.get_by_role("columnheader", name="Tag created")).to_have_count(0)
    page.goto(f"{portal.url}{portal.add_tags(tags_of(60))}")

    expect(page.get_by_role("columnheader")).to_have_text(["Tag", "Group", "Series", "Popularity", "Notes"])


def test_column_choice_holds_on_a_page_of_the_search_box(portal: Portal, page: Page) -> None:
    """The next choice replaced the stored one, since every box was ticked."""
    path = portal.add_tags(tags_of(60))
    page.goto(portal.url)
    page.evaluate("localStorage.setItem('columns', 'no-made no-notes')")
    search_for(page, path)
    expect(page.get_by_role("columnheader")).to_have_text(["Tag", "Group", "Series", "Popularity"])
    page.get_by_text("Columns", exact=True).click()
    expect(page.get_by_label("Tag created")).not_to_be_checked()
    page.get_by_role("checkbox", name="Group").uncheck()
    expect(page.get_by_role("columnheader")).to_have_text(["Tag", "Series", "Popularity"])

    assert page.evaluate("localStorage.getItem('columns')") == "no-group no-made no-notes"
    # A link that names columns decides for its page alone.
    search_for(page, f"{path}?columns=group_id,notes")
    expect(page.get_by_role("columnheader")).to_have_text(["Tag", "Group", "Notes"])
    page.get_by_text("Columns", exact=True).click()
    page.get_by_role("checkbox", name="Group").uncheck()
    expect(page.get_by_role("columnheader")).to_have_text(["Tag", "Notes"])
    assert page.evaluate("localStorage.getItem('columns')") == "no-group no-made no-notes"


def test_hidden_column_of_tags_hides_no_notes_of_a_series(portal: Portal, page: Page) -> None:
    path, series_id = portal.add_tags(tags_of(60)), portal.add_series(a_series(notes="What it means"))
    page.goto(portal.url)
    page.evaluate("localStorage.setItem('columns', 'no-notes')")
    page.goto(portal.url + path)
    search_for(page, f"/series/{series_id}/")

    expect(page.get_by_text("What it means")).to_be_visible()


def search_for(page: Page, path: str) -> None:
    box = page.locator("[role=search] input:visible")
    box.fill(f"https://testserver{path}")
    box.press("Enter")
    expect(page).to_have_url(re.compile(re.escape(path)))
    expect(page.locator("#main > template")).to_have_count(0)


def test_page_that_the_browser_kept_takes_a_new_theme(view: Page) -> None:
    view.evaluate("localStorage.setItem('theme', 'dark')")
    view.evaluate(RETURN_AS_KEPT)

    expect(view.locator("html")).to_have_attribute("data-theme", "dark")
    expect(view.get_by_role("button", name="Theme: dark")).to_be_visible()
