"""The user's own list of series, where several tabs or pages that a browser kept show it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import Portal
from tests.browser.steps import RETURN_AS_KEPT
from tests.builders import a_series

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("context")]


def test_series_of_several_tabs_are_added_to_one_list(portal: Portal, page: Page) -> None:
    """A tab that was older than the list dropped its series."""
    ids = [portal.add_series(a_series()) for _ in range(3)]
    tabs = [page, *(page.context.new_page() for _ in ids[1:])]
    for tab, series_id in zip(tabs, ids, strict=True):
        tab.goto(f"{portal.url}/series/{series_id}/")
    for tab, words in zip(tabs, ("Add to a list", "Add to list (1)", "Add to list (2)"), strict=True):
        tab.get_by_role("link", name=words).click()
        tab.wait_for_url("**/series/?ids=*")

    expect(tabs[-1]).to_have_url(f"{portal.url}/series/?ids={','.join(ids)}")
    expect(tabs[-1].locator("#own")).to_be_hidden()


def test_series_of_a_page_that_the_browser_kept_is_added(portal: Portal, page: Page) -> None:
    other = portal.add_series(a_series())
    page.goto(f"{portal.url}/series/{other}/")
    page.evaluate("localStorage.setItem('list', '?ids=GNPCA')")
    expect(page.get_by_role("link", name="Add to a list")).to_be_visible()
    page.evaluate(RETURN_AS_KEPT)
    page.get_by_role("link", name="Add to list (1)").click()

    expect(page).to_have_url(f"{portal.url}/series/?ids=GNPCA,{other}")


def test_apply_that_never_arrives_makes_no_list_of_another_tab_ones_own(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/series/GNPCA/")
    page.get_by_role("link", name="Add to a list").click()
    page.wait_for_url("**/series/?ids=GNPCA")
    page.route("**/series/?*", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.locator("#list-form").get_by_role("button", name="Apply").click()
    other = page.context.new_page()
    other.goto(f"{portal.url}/series/?ids=UNRATE")

    expect(other.locator("#own")).to_contain_text("Your list: GNPCA")
