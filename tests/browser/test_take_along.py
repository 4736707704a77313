"""What leads out of a view, in the browser: menus, copying, lists that load; and without JavaScript."""

from collections.abc import Iterator
from itertools import cycle

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from econweb.dashboard import series_list_views
from econweb.upstream import service
from tests.browser.test_hostile_text import ALL, HOSTILE, SERIES_FIELDS, is_harmless, no_stray_attributes
from tests.builders import a_series
from tests.stand_in import StandIn, a_tag, tags_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
IDS = [f"S{n}" for n in range(5)]


@pytest.fixture(autouse=True)
def a_service(stand_in: StandIn) -> None:
    stand_in.seriess = {name: [{**a_series(id=name), "popularity": n}] for n, name in enumerate(IDS)}
    stand_in.has("category", 125, tags_of(60))
    stand_in.has("release", 51, tags_of(40))


@pytest.fixture
def plain(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False, accept_downloads=True)
    yield context.new_page()
    context.close()


def test_the_request_behind_a_view_can_be_copied_without_a_key(
    live_server: LiveServer, page: Page, context: BrowserContext, api_key: str
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{live_server.url}/category/125/tags/?tag_group_id=geo")
    page.get_by_role("link", name="Code").click()
    page.locator(".snippet").first.get_by_role("button").click()
    expect(page.locator(".snippet").first).to_contain_text("Copied")

    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#snippet-1").text_content()
    assert copied.endswith(
        "&tag_group_id=geo&order_by=series_count&sort_order=desc&limit=50&offset=0"
        "&file_type=json&api_key=<API_KEY>"
    )
    assert api_key not in page.content()


def test_menus_follow_the_view_that_is_filtered_in_place(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/category/125/tags/")
    page.get_by_role("navigation", name="Groups").get_by_role("link", name="Concept").click()
    expect(page.locator("#rows")).to_contain_text("of 8 tags")
    page.get_by_text("Export", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("link", name="csv").click()

    assert download.value.suggested_filename.startswith("category-125-tags-gen-")
    assert download.value.path().read_text().count("\n") == 10 + 8


def test_a_list_shows_rows_as_they_come(
    live_server: LiveServer, page: Page, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The allowance lets two through at a time."""
    left = cycle([1, 1, 0])
    monkeypatch.setattr(service, "state", lambda: {"breaker": "closed", "allowance_left": next(left)})
    monkeypatch.setattr(series_list_views, "AGAIN_SECONDS", 0.3)
    page.goto(f"{live_server.url}/series/?ids={','.join(IDS)}")
    expect(page.locator(".list-table")).to_contain_text("not loaded yet")
    expect(page.locator(".list-table caption")).to_have_text("5 series")
    expect(page.locator("progress")).to_have_count(0)

    assert [parameters["series_id"] for _, parameters in stand_in.asked] == IDS
    assert "ids=S0,S1,S2,S3,S4" in page.url


def test_everything_leads_on_without_javascript(live_server: LiveServer, plain: Page) -> None:
    plain.goto(f"{live_server.url}/category/125/tags/?tag_group_id=geo")
    plain.get_by_role("link", name="Pin to today").click()
    assert "realtime_start=" in plain.url
    plain.get_by_role("link", name="Code").click()
    expect(plain.locator("#snippet-2")).to_contain_text("curl")
    plain.get_by_role("link", name="Back to the view").click()
    plain.get_by_text("Export", exact=True).click()
    with plain.expect_download() as download:
        plain.get_by_role("link", name="xlsx").click()

    assert download.value.suggested_filename.endswith(".xlsx")


def test_a_list_and_a_comparison_are_plain_forms(live_server: LiveServer, plain: Page) -> None:
    plain.goto(f"{live_server.url}/series/")
    plain.get_by_label("Ids, pasted in any form").fill("s3\ns1")
    plain.get_by_role("button", name="Show").click()
    expect(plain.locator(".list-table tbody th")).to_have_text(["S3", "S1"])
    plain.get_by_role("link", name="Popularity").click()
    expect(plain.locator(".list-table tbody th")).to_have_text(["S1", "S3"])

    plain.goto(f"{live_server.url}/compare/?a=category:125")
    plain.get_by_label("b", exact=True).fill("release:51")
    plain.get_by_role("button", name="Compare").click()
    expect(plain.locator(".list-table caption")).to_have_text("1–60 of 60 tags")
    plain.get_by_role("link", name="only in a").click()
    expect(plain.locator(".list-table caption")).to_have_text("1–20 of 20 tags")


def test_every_field_is_text_in_lists_and_comparisons(
    live_server: LiveServer, page: Page, stand_in: StandIn
) -> None:
    hostile = {**a_series(id="X"), "popularity": 1} | dict.fromkeys(SERIES_FIELDS, ALL)
    stand_in.seriess["X"] = [hostile]
    stand_in.has("category", 1, [a_tag(text, group_id=text, notes=text) for text in HOSTILE.values()])
    columns = ",".join(SERIES_FIELDS)
    for path in (
        f"/series/?ids=X,S1&columns={columns}",
        "/compare/?a=series:X&b=series:S1",
        "/compare/?a=category:1&b=category:125",
        "/category/1/tags/?embed=1",
    ):
        page.goto(live_server.url + path)
        assert is_harmless(page)
        assert no_stray_attributes(page) == []


def test_a_menu_closes_on_escape_and_on_a_click_elsewhere(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/category/125/tags/")
    menu = page.locator(".menu")
    menu.locator("summary").click()
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    menu.locator("summary").click()
    expect(menu).to_have_attribute("open", "")
    page.locator("h1").click()
    expect(menu).not_to_have_attribute("open", "")
