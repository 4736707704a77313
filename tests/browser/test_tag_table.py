"""The table of tags where each tag has a page: its name opens that page, and a button narrows the view."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import served
from tests.browser.served import Portal
from tests.browser.steps import expect_caption, rows
from tests.fake_service import a_tag

pytestmark = pytest.mark.slow
LONG = "word " * 40 + "end"


@pytest.fixture(scope="module")
def storing_portal() -> Iterator[Portal]:
    with served.portal(ECON_MAY_STORE="true") as portal:
        yield portal


def test_only_narrows_the_view_and_the_name_opens_the_tag(storing_portal: Portal, page: Page) -> None:
    path = f"{storing_portal.url}/category/125/tags/"
    page.goto(f"{path}?tag_group_id=gen")
    row = page.locator(".tag-table tbody tr").filter(has=page.get_by_role("link", name="tag 0001", exact=True))
    row.get_by_role("button", name="show only").click()
    expect_caption(page, "1 tag, ")
    expect(page).to_have_url(f"{path}?tag_names=tag+0001&tag_group_id=gen")
    expect(row.get_by_role("button", name="show only")).to_have_count(0)
    page.get_by_role("link", name="tag 0001", exact=True).click()
    expect(page).to_have_url(f"{storing_portal.url}/tag/tag%200001/")


def test_key_o_shows_only_the_tag_of_the_row(storing_portal: Portal, page: Page) -> None:
    page.goto(f"{storing_portal.url}/category/125/tags/")
    page.keyboard.press("j")
    first = rows(page)[0]
    page.keyboard.press("o")
    expect_caption(page, "1 tag, ")
    assert rows(page) == [first]


@pytest.mark.parametrize("width", [320, 375])
def test_short_notes_are_read_whole_on_a_phone(storing_portal: Portal, page: Page, width: int) -> None:
    notes = "Receipts minus payments of goods, services and income"
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(storing_portal.url + storing_portal.add_tags([a_tag("balance", notes=notes), a_tag("long", notes=LONG)]))
    cells = page.locator("tbody td.notes")

    expect(cells.first).to_have_text(notes)
    assert cells.first.evaluate("(cell) => cell.scrollWidth - cell.clientWidth") == 0
    # What is folded opens by a tap, and its beginning has a line of its own.
    cells.nth(1).locator("summary").click()
    expect(cells.nth(1)).to_contain_text("end")
    assert cells.nth(1).evaluate("(cell) => cell.scrollWidth - cell.clientWidth") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("path", ["/browse/overview/", "/category/125/similar/", "/tag/tag%200001/"])
def test_pages_of_the_index_fit_a_narrow_phone(storing_portal: Portal, page: Page, path: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(storing_portal.url + path)

    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_number_of_series_is_whole_in_a_very_narrow_window(portal: Portal, page: Page) -> None:
    page.set_viewport_size({"width": 280, "height": 700})
    tags = [a_tag(name, group_id=group, series_count=357) for name, group in (("annual", "freq"), ("nsa", "seas"))]
    page.goto(portal.url + portal.add_tags(tags))
    row = page.locator(".tag-table tbody tr").first

    right = row.locator("th").evaluate("(cell) => cell.getBoundingClientRect().right")
    assert right <= row.locator(".count").evaluate("(cell) => cell.getBoundingClientRect().left")
