"""The label book under the strict content policy: an editor names a category, and every page shows the name."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.axe import find_violations
from tests.browser.served import LABEL_MS, PASSWORD, USERNAME, Portal, number_of
from tests.fake_service import a_tag

pytestmark = pytest.mark.slow


def sign_in(page: Page) -> None:
    page.get_by_label("Name").fill(USERNAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_local_editor_names_a_category_in_its_place_and_undoes_it(portal: Portal, page: Page) -> None:
    path = portal.add_tags([a_tag()])
    page.goto(portal.url + path)
    page.get_by_role("link", name="Add a name").click()
    expect(page.get_by_label("Name (at most 200 characters)")).to_be_focused()
    page.keyboard.type("Current Account")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Saved: Current Account")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Current Account")
    page.wait_for_timeout(LABEL_MS)
    page.goto(portal.url + path)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Current Account")
    page.goto(f"{portal.url}/changes/?q={number_of(path)}")
    page.get_by_role("button", name="Undo added Current Account").click()

    expect(page.get_by_role("rowheader", name="undone Current Account")).to_be_visible()


@pytest.mark.parametrize("is_online", [True, False])
def test_entered_name_survives_a_response_that_is_not_of_this_site(portal: Portal, page: Page, is_online: bool) -> None:
    """The page of a proxy replaced the form and what was entered."""
    page.goto(portal.url + portal.add_tags([a_tag()]))
    page.get_by_role("link", name="Add a name").click()
    name = page.get_by_label("Name (at most 200 characters)")
    name.fill("Services Account")
    fail = "**/me/names/**"
    page.route(fail, lambda route: route.fulfill(status=502, body="Bad Gateway") if is_online else route.abort())
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("then press the button again.")
    # The link would load the page without the text.
    expect(page.get_by_role("alert").get_by_role("link")).to_have_count(0)
    expect(name).to_have_value("Services Account")
    page.unroute(fail)
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_text("Saved: Services Account")).to_be_visible()


def test_form_of_a_name_that_could_not_be_loaded_can_be_opened_again(portal: Portal, page: Page) -> None:
    page.goto(portal.url + portal.add_tags([a_tag()]))
    page.route("**/me/names/**", lambda route: route.fulfill(status=502, body="Bad Gateway"))
    page.get_by_role("link", name="Add a name").click()
    again = page.get_by_role("alert").get_by_role("link", name="try again")
    expect(again).to_be_visible()
    page.unroute("**/me/names/**")
    again.click()

    expect(page.get_by_label("Name (at most 200 characters)")).to_be_focused()


def test_name_is_edited_on_its_own_page_which_takes_it_without_an_error(portal: Portal, page: Page) -> None:
    path = portal.add_tags([a_tag()])
    page.goto(f"{portal.url}/me/names/category/{number_of(path)}/")
    page.get_by_label("Name (at most 200 characters)").fill("Financial Account")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_text("Saved: Financial Account")).to_be_visible()
    expect(page.locator(".kicker")).to_contain_text("Financial Account")


def test_name_is_edited_without_javascript_on_a_phone(portal: Portal, browser: Browser) -> None:
    path = portal.add_tags([a_tag()])
    context = browser.new_context(java_script_enabled=False, viewport={"width": 375, "height": 800})
    page = context.new_page()
    page.goto(portal.url + path)
    page.get_by_role("link", name="Add a name").click()
    page.get_by_label("Name (at most 200 characters)").fill("Capital Account")
    page.get_by_label("Part of category (number)").fill("99999")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Category 99999 has no name yet.")
    page.get_by_label("Part of category (number)").fill("")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_text("Saved: Capital Account")).to_be_visible()
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violation_in_the_label_book(
    portal: Portal, context: BrowserContext, theme: Literal["light", "dark"]
) -> None:
    # On a page that forbids inline styles, axe itself causes console messages.
    page = context.new_page()
    page.emulate_media(color_scheme=theme)
    page.goto(f"{portal.url}/admin/shelf/label/")
    found = {"sign in": find_violations(page)}
    sign_in(page)
    change = page.get_by_role("link", name="Trade Balance").get_attribute("href")
    for name, path in (
        ("list", "/admin/shelf/label/"),
        ("add", "/admin/shelf/label/add/"),
        ("change", change),
        ("account", "/me/"),
        ("password", "/me/password/"),
        ("one name", "/me/names/category/125/"),
        ("many names", "/me/names/"),
        ("record", "/changes/"),
    ):
        page.goto(f"{portal.url}{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        found[name] = find_violations(page)
        page.set_viewport_size({"width": 320, "height": 256})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, name
        page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{portal.url}/admin/")

    assert found | {"index": find_violations(page)} == {name: [] for name in [*found, "index"]}


def test_label_book_editor_ends_another_session(portal: Portal, page: Page, browser: Browser) -> None:
    other_context = browser.new_context()
    other = other_context.new_page()
    for each in (other, page):
        each.goto(f"{portal.url}/admin/")
        sign_in(each)
    page.get_by_role("link", name="Your account").click()
    rows = page.locator("main tbody tr")
    expect(rows.filter(has_text="This session")).to_have_count(1)
    page.get_by_role("button", name="Sign out everywhere else").click()

    expect(rows).to_have_count(1)
    expect(page.get_by_role("button", name="Sign out everywhere else")).to_have_count(0)
    other.goto(f"{portal.url}/admin/")
    expect(other.get_by_label("Password")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(f"{portal.url}/")
    other_context.close()
