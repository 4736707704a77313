"""A list of series in a browser: what loads leaves the rest alone, and a series is added to the last list."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import Portal
from tests.browser.stand_in import StandInService
from tests.builders import a_series

pytestmark = pytest.mark.slow


def test_rows_that_load_leave_focus_and_other_rows_alone(portal: Portal, page: Page, service: StandInService) -> None:
    service.seconds = 0.6
    ids = [portal.add_series(a_series()) for _ in range(5)]
    page.goto(f"{portal.url}/series/?ids={','.join(ids)}")
    first = page.locator(f"#row-{ids[0]} a")
    first.focus()
    first.evaluate("(link) => (link.seen = true)")
    expect(page.locator("#list-loading")).to_contain_text("left")
    expect(page.locator(".list-table caption")).to_have_text("5 series", timeout=30_000)

    expect(page.locator("#list-loading")).to_be_empty()
    expect(page.locator("#list-rows .not-there")).to_have_count(0)
    expect(first).to_be_focused()
    assert first.evaluate("(link) => link.seen")
    expect(page.locator("#status")).to_have_text("Loaded 5 series.")


def test_a_series_is_added_to_the_list_that_was_opened_last(portal: Portal, page: Page) -> None:
    one, two, other = (portal.add_series(a_series()) for _ in range(3))
    page.goto(f"{portal.url}/series/?ids={one},{two}&columns=units")
    page.goto(f"{portal.url}/series/{other}/")
    page.get_by_role("link", name="Add to a list").click()

    expect(page).to_have_url(f"{portal.url}/series/?ids={one},{two},{other}&columns=units")


def test_a_printed_list_fits_the_sheet(portal: Portal, page: Page) -> None:
    ids = [portal.add_series(a_series()) for _ in range(3)]
    # A4 upright with the margins of a browser.
    page.set_viewport_size({"width": 718, "height": 1047})
    page.goto(f"{portal.url}/series/?ids={','.join(ids)}")
    page.emulate_media(media="print")

    box = page.locator(".list-table").bounding_box()
    assert box
    assert box["x"] + box["width"] <= 718
