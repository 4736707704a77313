"""Saved views: saved from the keyboard, opened by others, on a phone and without JavaScript."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import find_violations
from tests.browser.served import Portal
from tests.fake_service import a_tag, tags_of

pytestmark = pytest.mark.slow
HAN = "語" * 200


def save(page: Page, url: str, path: str, title: str, note: str = "") -> str:
    """Save the view for everybody, and return the address of its page."""
    page.goto(f"{url}/me/save/?target={quote(path)}")
    page.get_by_label("Title (at most 200 characters)").fill(title)
    page.get_by_label("Note").fill(note)
    page.get_by_label("Who may see it").select_option(label="Everyone")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("region", name="Saved view")).to_contain_text(title)
    return page.url


def test_view_is_saved_from_the_keyboard_and_another_filter_leaves_it(portal: Portal, page: Page) -> None:
    path = portal.add_tags(tags_of(5))
    page.goto(portal.url + path)
    page.get_by_text("Share", exact=True).press("Enter")
    page.get_by_role("button", name="Save this view").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Title (at most 200 characters)")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("Five tags")
    page.keyboard.press("Tab")
    page.keyboard.type("For table 2")
    page.keyboard.press("Tab")
    page.keyboard.type("Everyone")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    line = page.get_by_role("region", name="Saved view")
    expect(line).to_contain_text("Five tags")
    saved = page.url

    assert saved.startswith(f"{portal.url}/saved/five-tags-")
    assert page.locator("link[rel=canonical]").get_attribute("href") == portal.url + path
    page.locator("#words").fill("0001")
    expect(page).to_have_url(f"{portal.url}{path}?search_text=0001")
    expect(line).to_have_count(0)
    page.go_back()
    expect(page).to_have_url(saved)
    expect(line).to_contain_text("For table 2")


def test_saved_view_opens_in_a_fresh_browser_without_javascript(portal: Portal, page: Page, browser: Browser) -> None:
    path = portal.add_tags([a_tag()])
    address = save(page, portal.url, path, "One plain tag")
    fresh = browser.new_context(java_script_enabled=False).new_page()
    fresh.goto(address)
    expect(fresh.get_by_role("region", name="Saved view")).to_contain_text("One plain tag")
    assert fresh.context.cookies() == []
    fresh.get_by_role("link", name="Open without the title").click()
    expect(fresh).to_have_url(portal.url + path)
    fresh.goto(f"{portal.url}/saved/")
    fresh.get_by_label("Title or note").fill("one plain")
    fresh.get_by_role("button", name="Apply").click()
    expect(fresh).to_have_url(f"{portal.url}/saved/?q=one+plain")
    expect(fresh.get_by_role("rowheader")).to_have_count(1)
    fresh.get_by_role("link", name="One plain tag").click()
    expect(fresh).to_have_url(address)
    fresh.context.close()


def test_second_of_two_people_keeps_the_text_and_removes_the_view(portal: Portal, page: Page) -> None:
    address = save(page, portal.url, portal.add_tags([a_tag()]), "Of both")
    page.goto(address.replace("/saved/", "/me/saved/"))
    page.get_by_role("link", name="Edit", exact=True).click()
    expect(page.get_by_role("button", name="Save")).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_label("Title (at most 200 characters)").fill("Of the other")
    other.get_by_role("button", name="Save").click()
    expect(other).to_have_url(address)
    page.get_by_label("Title (at most 200 characters)").fill("Of me")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Of the other")
    expect(page.get_by_label("Title (at most 200 characters)")).to_have_value("Of me")
    page.get_by_text("Remove it").click()
    page.get_by_role("button", name="Remove").click()
    expect(page).to_have_url(f"{portal.url}/me/saved/")
    page.goto(address.replace("/saved/", "/me/saved/"))

    expect(page.get_by_role("alert")).to_contain_text("This saved view was removed")


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("title", [HAN, "<script>alert(1)</script>"])
def test_pages_of_a_saved_view_fit_and_are_accessible(portal: Portal, browser: Browser, width: int, title: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 700})
    page = context.new_page()
    address = save(page, portal.url, portal.add_tags([a_tag()]), title, "x" * 500)
    own = address.replace("/saved/", "/me/saved/")
    page.goto(own)
    for path in (
        address,
        own,
        f"{portal.url}/saved/",
        f"{portal.url}/me/saved/",
        page.locator("a[href$='/edit/']").get_attribute("href"),
    ):
        page.goto(portal.url + str(path) if str(path).startswith("/") else str(path))
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), path
        assert find_violations(page) == []
    context.close()


def test_browser_stores_nothing_of_personal_pages(sample_site: str, page: Page) -> None:
    """A title may be private, and others use this browser after a person signed out."""
    page.goto(f"{sample_site}/category/106/tags/")
    old = {"path": "/me/compare/", "title": "Stored by an earlier version"}
    page.evaluate("(old) => localStorage.recent = JSON.stringify([old, ...JSON.parse(localStorage.recent)])", old)
    page.goto(f"{sample_site}/")
    expect(page.locator("#recent a")).to_have_count(1)
    page.goto(f"{sample_site}/me/save/?target=/category/125/tags/")
    page.get_by_label("Title (at most 200 characters)").fill("Mine")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("region", name="Saved view")).to_contain_text("Mine")
    assert "/me/saved/" in page.url
    page.goto(f"{sample_site}/me/freeze/?target=/series/GNPCA/")
    page.get_by_label("Title (at most 200 characters)").fill("Private copy")
    page.get_by_label("Who may see it").select_option(index=0)
    page.get_by_role("button", name="Freeze", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Private copy")
    page.goto(f"{sample_site}/me/compare/?a=frozen:{page.url.split('/')[5]}&b=series:GDPC1")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Private copy")
    assert "/me/" not in page.evaluate("localStorage.recent")

    page.goto(f"{sample_site}/")
    expect(page.locator("#recent a")).to_have_count(1)
    assert "Private copy" not in page.evaluate("JSON.stringify(localStorage)")
