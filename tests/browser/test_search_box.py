"""The search box as a combobox: with the keyboard, the mouse, a screen reader, and while requests are slow."""

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.axe import find_violations_in_both_themes
from tests.browser.served import KEY, Portal

pytestmark = pytest.mark.slow


def type_text(page: Page, text: str) -> None:
    page.locator("[role=search] input:visible").press_sequentially(text, delay=10)
    expect(page.locator("[role=search] input:visible")).to_have_attribute("aria-expanded", "true")


def test_slash_in_the_empty_search_box_is_the_shortcut_alone(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    box = page.get_by_role("combobox", name="Search")
    expect(box).to_be_focused()
    page.keyboard.type("/prices/a")
    expect(box).to_have_value("prices/a")
    box.fill("")
    page.keyboard.insert_text("/category/125/tags/")
    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{portal.url}/category/125/tags/")
    # Without shortcuts it is a letter as any other.
    page.evaluate("localStorage.setItem('keys', 'off')")
    page.goto(portal.url)
    expect(box).to_be_focused()
    page.keyboard.type("/prices")
    expect(box).to_have_value("/prices")
    page.evaluate("localStorage.removeItem('keys')")


def test_suggestions_keep_focus_in_the_box(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    box, status = page.get_by_role("combobox", name="Search"), page.locator("#status")
    type_text(page, "prices")
    options = page.get_by_role("search").get_by_role("option")
    expect(options).to_have_count(5)
    expect(status).to_have_text("Enter: Show results for “prices”. 4 suggestions.")
    for at in (0, 1, 2):
        page.keyboard.press("ArrowDown")
        expect(box).to_be_focused()
        expect(options.nth(at)).to_have_attribute("aria-selected", "true")
        expect(box).to_have_attribute("aria-activedescendant", options.nth(at).get_attribute("id") or "")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[aria-selected=true]")).to_have_count(1)

    # A letter goes on with the word: it is no shortcut.
    page.keyboard.type(" 1")
    expect(box).to_have_value("prices 1")
    expect(page.get_by_role("search").get_by_role("option")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{portal.url}/category/10/tags/")


def test_enter_follows_the_first_suggestion(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    for text, row, path in (
        ("GNPCA", "Open series GNPCA", "/series/GNPCA/"),
        ("125", "Category 125 — Trade Balance", "/category/125/tags/"),
        ("balance", "Show results for “balance”", "/go?q=balance"),
    ):
        type_text(page, text)
        expect(page.get_by_role("search").get_by_role("option").first).to_contain_text(row)
        page.keyboard.press("Enter")
        expect(page).to_have_url(portal.url + path)
        expect(page.get_by_role("listbox")).to_be_hidden()
        page.locator("[role=search] input:visible").fill("")


def test_unmatched_text_is_tried_as_an_id(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    type_text(page, "zzqqxx")

    expect(page.get_by_role("search").get_by_role("option")).to_have_text(
        "Nothing found. Press Enter to try it as an id. Enter"
    )


def test_late_suggestions_never_open_after_enter(portal: Portal, page: Page) -> None:
    page.goto(portal.url)

    def late(route: Route) -> None:
        page.wait_for_timeout(400)
        route.continue_()

    page.route("**/suggest?*", late)
    page.locator("[role=search] input:visible").press_sequentially("prices", delay=10)
    page.wait_for_timeout(200)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Results for “prices”")
    page.wait_for_timeout(600)

    expect(page.get_by_role("listbox")).to_be_hidden()


def test_suggestions_close_on_escape_and_blur(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    box, found = page.locator("[role=search] input:visible"), page.get_by_role("listbox")
    type_text(page, "balance")
    page.keyboard.press("Escape")
    expect(found).to_be_hidden()
    expect(box).to_have_value("balance")
    page.keyboard.press("ArrowDown")
    expect(found).to_be_visible()
    page.keyboard.press("Tab")

    expect(found).to_be_hidden()
    expect(box).to_have_attribute("aria-expanded", "false")


def test_suggestions_open_with_the_mouse(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    type_text(page, "balance")
    page.get_by_role("search").get_by_role("option", name="Trade Balance").click()

    expect(page).to_have_url(f"{portal.url}/category/125/tags/")
    expect(page.locator("[role=search] input:visible")).to_have_value("")


def test_pressed_suggestion_stays_until_the_button_is_released(portal: Portal, page: Page) -> None:
    """Open what a person pressed: newer suggestions would replace the list, and the click would be lost."""
    page.goto(f"{portal.url}/series/GNPCA/")
    type_text(page, "balance")
    option = page.get_by_role("option", name="Trade Balance").element_handle()
    page.evaluate(
        """() => {
            const box = document.querySelector("[role=combobox][aria-expanded=true]");
            box.dispatchEvent(new Event("input"));
            box.combobox.list.dispatchEvent(new MouseEvent("mousedown", { cancelable: true }));
        }"""
    )
    # Longer than the wait before suggestions are asked for.
    page.wait_for_timeout(400)

    assert option.is_visible()


def test_suggestions_put_recently_opened_first(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/9/tags/")
    page.goto(f"{portal.url}/about/")
    type_text(page, "prices")

    expect(page.locator(".masthead").get_by_role("option").nth(1)).to_contain_text("Prices 9")


def test_suggestions_fill_a_field(portal: Portal, page: Page) -> None:
    def as_field(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('data-combobox="open"', 'data-combobox="fill"'))

    page.route("**/about/", as_field)
    page.goto(f"{portal.url}/about/")
    type_text(page, "trade")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page.locator("[role=search] input:visible")).to_have_value("Trade Balance")
    expect(page).to_have_url(f"{portal.url}/about/")


def test_page_from_search_box_gets_focus_and_is_announced(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    type_text(page, "balance")
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    expect(page.locator("#status")).to_have_text("Results for “balance” · econweb")
    expect(page.locator("[role=search] input:visible")).to_have_value("balance")
    page.locator("[role=search] input:visible").fill("/category/125/tags/?limit=50&utm=1")
    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{portal.url}/category/125/tags/")
    expect(page.locator("[role=search] input:visible")).to_have_value("")


@pytest.mark.parametrize("pasted", [f"api_key = '{KEY}'", f'{{"apikey": "{KEY}"}} GDP', f"API_KEY%3D{KEY}"])
def test_key_in_pasted_code_stays_in_the_browser(portal: Portal, page: Page, pasted: str) -> None:
    page.goto(portal.url)
    with page.expect_request("**/suggest?*") as asked:
        page.locator("[role=search] input:visible").fill(pasted)

    assert KEY not in asked.value.url


def test_pasted_key_is_stored_nowhere(portal: Portal, page: Page, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(portal.url)
    page.locator("[role=search] input:visible").fill(
        f"https://api.example.org/econ/series?series_id=GNPCA&api_key={KEY}"
    )
    page.wait_for_timeout(300)
    assert not [url for url in asked if KEY in url]
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()

    expect(page.locator("[role=search] input:visible")).to_have_value("")
    expect(page).to_have_url(f"{portal.url}/series/GNPCA/")
    page.keyboard.press("c")
    expect(page.locator("#status")).to_contain_text("copied", ignore_case=True)
    assert page.evaluate("navigator.clipboard.readText()") == f"{portal.url}/series/GNPCA/"
    page.go_back()
    expect(page.locator("[role=search] input:visible")).to_have_value("")


@pytest.mark.parametrize("width", [320, 1280])
def test_open_suggestions_fit_and_pass_axe(portal: Portal, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{portal.url}/about/")
    type_text(page, "prices")
    page.keyboard.press("ArrowDown")

    assert find_violations_in_both_themes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_error_from_search_box_is_announced_once(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    expect(page.get_by_role("combobox", name="Search")).to_be_focused()
    page.keyboard.type("no such thing")
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("No match")
    expect(page.locator("#status")).to_be_empty()


def test_menus_and_lists_have_names_without_signs(portal: Portal, page: Page) -> None:
    page.goto(portal.url)
    assert 'list "Categories"' in page.locator("main").aria_snapshot()
    page.goto(f"{portal.url}/series/GNPCA/")

    assert "▾" not in page.locator("main").aria_snapshot()


@pytest.mark.parametrize(
    ("width", "hint"), [(375, "Search"), (1440, "Search: series id or title, category, release, or a link")]
)
def test_hint_in_the_box_fits_the_window(portal: Portal, page: Page, width: int, hint: str) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(f"{portal.url}/help/")

    expect(page.locator("#go-box")).to_have_attribute("placeholder", hint)
