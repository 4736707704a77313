"""Follow a view: one click from its page, without JavaScript, and on a phone without moving the first row."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import find_violations
from tests.browser.served import LONG, Portal
from tests.builders import a_series
from tests.fake_service import a_tag, tags_of

pytestmark = pytest.mark.slow


def stop_all(page: Page, url: str) -> None:
    """Leave the list of the local editor as it was."""
    page.goto(f"{url}/me/watches/")
    while page.get_by_role("button", name="Stop following").count():
        page.get_by_role("button", name="Stop following").first.click()


def test_view_is_followed_stopped_and_followed_again_without_javascript(portal: Portal, browser: Browser) -> None:
    path = portal.add_tags(tags_of(5))
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{portal.url}{path}?tag_group_id=geo")
        page.get_by_role("button", name="Follow …", exact=True).click()
        page.get_by_role("button", name="Follow").click()
        expect(page.locator(".notice")).to_contain_text("You follow this, since")
        page.get_by_role("link", name="What you follow").click()
        row = page.get_by_role("row").filter(has_text="Group: Geography")
        # No time of a look: the background may have looked already.
        expect(row).to_contain_text("not counted yet")
        row.get_by_role("button", name="Stop following").click()
        expect(page.locator(".notice")).to_contain_text("You no longer follow")
        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".notice")).to_contain_text("You follow this, since")
        stop_all(page, portal.url)
        expect(page.get_by_role("heading", name="You follow nothing yet")).to_be_visible()


@pytest.mark.parametrize("width", [320, 375, 1280])
def test_follow_is_on_every_width_and_leaves_the_rows_where_they_are(portal: Portal, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(portal.url + portal.add_tags(tags_of(9)))
    row, button = page.locator("tbody tr").first, page.locator(".view-menu > .follow")
    top = row.evaluate("row => row.getBoundingClientRect().top")
    button.evaluate("link => link.remove()")

    assert row.evaluate("row => row.getBoundingClientRect().top") == top
    page.get_by_text("Share", exact=True).click()
    expect(page.locator(".menu .follow")).to_be_visible(visible=width < 768)


def test_filter_without_a_page_load_changes_what_is_followed(portal: Portal, page: Page) -> None:
    path = portal.add_tags(tags_of(5))
    page.goto(portal.url + path)
    page.locator("#words").fill("0001")
    expect(page).to_have_url(f"{portal.url}{path}?search_text=0001")
    page.get_by_role("button", name="Follow …", exact=True).click()

    expect(page.get_by_text("Words: 0001")).to_be_visible()


def test_every_part_of_a_row_is_in_view_on_a_phone(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/me/follow/?target={portal.add_tags(tags_of(5))}")
    page.get_by_role("button", name="Follow").click()
    expect(page.get_by_role("button", name="Stop following")).to_be_visible()
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto(f"{portal.url}/me/watches/")
    scroller = page.locator(".table-scroll")

    assert scroller.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert (page.get_by_role("button", name="Stop following").first.bounding_box() or {"x": 999})["x"] < 375
    stop_all(page, portal.url)


def test_list_of_absurd_names_has_no_violations_and_no_overflow(portal: Portal, page: Page) -> None:
    tags = portal.add_tags([a_tag(LONG)])
    series = f"/series/{portal.add_series({**a_series(), 'title': LONG})}/"
    # The page of a series that was just shown has its title.
    page.goto(portal.url + series)
    for target in (
        f"{tags}?tag_names={LONG}",
        series,
        f"/series/?ids={','.join('A' * 22 + str(n) for n in range(50))}",
    ):
        page.goto(f"{portal.url}/me/follow/?target={quote(target)}")
        page.get_by_role("button", name="Follow").click()
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for address in (
            "/me/watches/",
            f"/me/follow/?target={quote(series)}",
            f"/me/watches/?stopped=/series/{LONG[:20]}/",
        ):
            page.goto(portal.url + address)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert find_violations(page) == []
    stop_all(page, portal.url)
