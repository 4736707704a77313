"""Links out of a view: menus, copying, lists that load; and all of it without JavaScript."""

from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.hostile_texts import ALL, HOSTILE
from tests.browser.served import KEY, Portal, number_of
from tests.browser.stand_in import StandInService
from tests.browser.test_hostile_text import SERIES_FIELDS, find_stray_attributes, is_harmless
from tests.builders import a_series
from tests.fake_service import a_tag, tags_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def category(portal: Portal) -> str:
    return portal.add_tags(tags_of(60))


@pytest.fixture
def plain(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False, accept_downloads=True)
    yield context.new_page()
    context.close()


def test_request_of_a_view_is_copied_without_a_key(
    portal: Portal, page: Page, context: BrowserContext, category: str
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{portal.url}{category}?tag_group_id=geo")
    page.get_by_text("Share", exact=True).click()
    page.get_by_role("link", name="API code").click()
    page.locator(".snippet").first.get_by_role("button").click()
    expect(page.locator(".snippet").first).to_contain_text("Copied")

    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#snippet-1").text_content()
    assert copied.endswith(
        "&tag_group_id=geo&order_by=series_count&sort_order=desc&limit=50&offset=0&file_type=json&api_key=<API_KEY>"
    )
    assert KEY not in page.content()


def test_menus_follow_the_swapped_view(portal: Portal, page: Page, category: str) -> None:
    page.goto(f"{portal.url}{category}")
    page.get_by_role("navigation", name="Groups").get_by_role("link", name="Topic").click()
    expect(page.locator("#rows")).to_contain_text("8 tags")
    page.get_by_text("Export", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV", exact=True).click()

    assert download.value.suggested_filename.startswith(f"category-{number_of(category)}-tags-gen-")
    assert download.value.path().read_text().count("\n") == 10 + 8


def test_series_list_shows_rows_as_they_load(portal: Portal, page: Page, service: StandInService) -> None:
    service.seconds = 0.6
    ids = [portal.add_series(a_series()) for _ in range(5)]
    page.goto(f"{portal.url}/series/?ids={','.join(ids)}")
    expect(page.locator(".list-table")).to_contain_text("loading…")
    expect(page.locator(".list-table caption")).to_have_text("5 series")
    expect(page.locator("progress")).to_have_count(0)

    # Each worker has a cache of its own, and sends one request for each id at most.
    requests = Counter(parameters.get("series_id", "") for _, parameters in service.asked)
    assert all(1 <= requests[series_id] <= 2 for series_id in ids)
    assert f"ids={','.join(ids)}" in page.url


def test_export_links_work_without_javascript(portal: Portal, plain: Page, category: str) -> None:
    plain.goto(f"{portal.url}{category}?tag_group_id=geo")
    plain.get_by_text("Share", exact=True).click()
    plain.get_by_role("link", name="Link fixed at").click()
    assert "realtime_start=" in plain.url
    plain.get_by_text("Share", exact=True).click()
    plain.get_by_role("link", name="API code").click()
    expect(plain.locator("#snippet-2")).to_contain_text("curl")
    plain.get_by_role("link", name="Back to Category").click()
    plain.get_by_text("Export", exact=True).click()
    with plain.expect_download() as download:
        plain.get_by_role("link", name="Excel").click()

    assert download.value.suggested_filename.endswith(".xlsx")


def test_list_and_comparison_are_plain_forms(portal: Portal, plain: Page, category: str) -> None:
    less, more = portal.add_series(a_series()), portal.add_series(a_series())
    portal.service.seriess[more][0]["popularity"] = 40
    plain.goto(f"{portal.url}/series/")
    plain.get_by_label("Paste up to 200 series ids").fill(f"{less.lower()}\n{more.lower()}")
    plain.get_by_role("button", name="Apply").click()
    expect(plain.locator(".list-table tbody th")).to_have_text([less, more])
    plain.get_by_role("link", name="Popularity").click()
    expect(plain.locator(".list-table tbody th")).to_have_text([more, less])

    plain.goto(f"{portal.url}/compare/?a=category:{number_of(category)}")
    release = number_of(portal.add_tags(tags_of(40), "release"))
    plain.get_by_role("group", name="Second").get_by_label("Name, id or link").fill(f"release:{release}")
    plain.get_by_role("button", name="Compare").click()
    expect(plain.locator(".list-table caption")).to_have_text("60 tags")
    plain.get_by_role("link", name="Only in Category").click()
    expect(plain.locator(".list-table caption")).to_have_text("20 tags")


def test_hostile_fields_are_text_in_lists_and_comparisons(portal: Portal, page: Page, category: str) -> None:
    hostile, other = portal.add_series(a_series() | dict.fromkeys(SERIES_FIELDS, ALL)), portal.add_series(a_series())
    tags = portal.add_tags([a_tag(text, group_id=text, notes=text) for text in HOSTILE.values()])
    for path in (
        f"/series/?ids={hostile},{other}&columns={','.join(SERIES_FIELDS)}",
        f"/compare/?a=series:{hostile}&b=series:{other}",
        f"/compare/?a=category:{number_of(tags)}&b=category:{number_of(category)}",
        f"{tags}?embed=1",
    ):
        page.goto(portal.url + path)
        expect(page.get_by_role("table").first).to_be_visible()
        assert is_harmless(page)
        assert find_stray_attributes(page) == []


def test_menu_closes_on_escape_and_outside_click(portal: Portal, page: Page, category: str) -> None:
    page.goto(f"{portal.url}{category}")
    menu = page.locator(".menu:not(:has(details))").first
    menu.locator("summary").click()
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    menu.locator("summary").click()
    expect(menu).to_have_attribute("open", "")
    page.locator("h1").click()
    expect(menu).not_to_have_attribute("open", "")
