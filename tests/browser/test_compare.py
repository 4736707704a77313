"""A comparison on a phone, and under the keys of somebody who sorts it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import Portal, number_of
from tests.fake_service import a_tag

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def path(portal: Portal) -> str:
    numbers = []
    for count in (1, 2):
        whole = [a_tag(name, group_id=group) for name, group in (("annual", "freq"), ("nsa", "seas"))]
        path = portal.add_tags([*whole, a_tag("trade in goods and services", series_count=count)])
        numbers.append(number_of(path))
    return f"{portal.url}/compare/?a=category:{numbers[0]}&b=category:{numbers[1]}"


@pytest.mark.parametrize("width", [320, 345])
def test_a_phone_shows_the_picture_and_every_source(page: Page, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(path)

    expect(page.locator(".dot-plot [role=img]")).to_be_visible()
    expect(page.locator("thead th:visible")).to_have_text([re.compile(x) for x in ("Tag", "Category", "Category")])
    expect(page.locator("tbody tr").first.locator(":scope > :visible")).to_have_count(3)
    assert page.locator(".table-scroll").evaluate("box => box.scrollWidth <= box.clientWidth")


def test_a_desk_shows_every_column(page: Page, path: str) -> None:
    page.goto(path)

    expect(page.locator("thead th:visible")).to_have_count(6)


def test_the_head_that_sorts_keeps_the_focus(page: Page, path: str) -> None:
    page.goto(path)
    page.locator("#by-ratio").focus()
    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{path}&order_by=ratio")
    expect(page.locator("th[aria-sort=descending] a")).to_be_focused()
    expect(page.locator("th[aria-sort=descending] a")).to_have_id("by-ratio")
    page.keyboard.press("Enter")

    expect(page.locator("th[aria-sort=ascending] a")).to_be_focused()
    expect(page.locator("main")).to_have_count(1)
