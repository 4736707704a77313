"""The page as a person meets it."""

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.builders import a_series
from tests.conftest import Loader

pytestmark = pytest.mark.browser
LONG = "Averyveryverylongwordwithoutanyblankinit" * 5


@pytest.fixture(autouse=True)
def two_series(catalogue: Loader) -> None:
    catalogue(series=[a_series(), a_series(id="UNRATE", title=f"Unemployment {LONG}", notes=LONG)])


def test_the_box_shows_a_series_without_loading_the_page_anew(live_server: LiveServer, page: Page) -> None:
    page.goto(live_server.url)
    page.evaluate("document.body.dataset.mark = 'same page'")
    page.get_by_role("searchbox").fill("gnpca")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")
    expect(page).to_have_url(f"{live_server.url}/series/GNPCA/")
    expect(page).to_have_title("GNPCA: Real Gross National Product · econweb")
    expect(page.locator("body")).to_have_attribute("data-mark", "same page")


def test_back_and_forward_and_reload_give_whole_pages(live_server: LiveServer, page: Page) -> None:
    page.goto(live_server.url)
    page.get_by_role("searchbox").fill("GNPCA")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{live_server.url}/series/GNPCA/")

    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Metadata of economic data")
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")
    page.reload()
    expect(page.get_by_role("searchbox")).to_be_visible()


def test_a_fault_lands_in_the_page(live_server: LiveServer, page: Page) -> None:
    page.goto(live_server.url)
    page.get_by_role("searchbox").fill("no such thing")
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("one to 25 letters")
    expect(page.get_by_role("searchbox")).to_have_value("no such thing")


def test_everything_works_without_javascript(live_server: LiveServer, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url)
    page.get_by_role("searchbox").fill("GNPCA")
    page.get_by_role("button", name="Look up").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Real Gross National Product")
    expect(page.locator("[data-action=theme]")).to_be_hidden()
    context.close()


def test_the_colours_are_kept(live_server: LiveServer, page: Page) -> None:
    page.goto(live_server.url)
    button = page.locator("[data-action=theme]")
    button.click()
    button.click()
    page.reload()

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(20, 22, 26)"


@pytest.mark.parametrize("path", ["/", "/series/GNPCA/", "/series/UNRATE/", f"/series/{LONG}/"])
@pytest.mark.parametrize("width", [320, 375, 768, 1440])
def test_nothing_is_wider_than_the_window(live_server: LiveServer, page: Page, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(live_server.url + path)

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_first_key_press_offers_to_skip_to_the_content(live_server: LiveServer, page: Page) -> None:
    page.goto(live_server.url)
    page.keyboard.press("Tab")

    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
