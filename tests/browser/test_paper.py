"""A printed view has every row and its address, and no controls."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.served import Portal, number_of
from tests.builders import a_series
from tests.fake_service import tags_of

pytestmark = pytest.mark.slow
# True if the last row lies within the box that cuts off the rest.
UNCUT = """() => {
  const box = document.querySelector(".table-scroll");
  const row = box.querySelector("tbody tr:last-child").getBoundingClientRect();
  return row.height > 0 && row.bottom <= box.getBoundingClientRect().bottom + 1;
}"""
# The height of the content of each cell, not of its row.
HEIGHTS = """(cells) => cells.map((cell) => {
  const inside = document.createRange();
  inside.selectNodeContents(cell);
  return inside.getBoundingClientRect().height;
})"""

# The words that are broken over two lines.
BROKEN = """(cells) => cells.flatMap((cell) => [...cell.textContent.matchAll(/[^\\s-]+/g)].filter((word) => {
  const range = document.createRange();
  range.setStart(cell.firstChild, word.index);
  range.setEnd(cell.firstChild, word.index + word[0].length);
  return range.getClientRects().length > 1;
}).map(String))"""


def test_printed_page_has_every_row(portal: Portal, page: Page) -> None:
    path = portal.add_tags(tags_of(188), "release")
    page.goto(f"{portal.url}{path}?search_text=tag&limit=100")
    assert not page.evaluate(UNCUT)
    page.emulate_media(media="print")

    assert page.evaluate(UNCUT)
    expect(page.locator("#rows")).to_contain_text("1–100 of 188 tags")
    printed = page.locator(".only-print")
    expect(printed).to_be_visible()
    expect(printed).to_contain_text(f"{portal.url}{path}?search_text=tag&limit=100 · Release {number_of(path)}")
    expect(printed).to_contain_text("· as of ")
    # A browser repeats these on every sheet.
    for part, display in (("thead", "table-header-group"), ("tfoot", "table-footer-group")):
        expect(page.locator(f".tag-table {part}")).to_have_css("display", display)
    for control in (".filters", ".groups", "#add-name", "#clear", ".pager", ".actions", ".view-menu"):
        expect(page.locator(control).first).to_be_hidden()


def test_page_that_is_dark_by_its_button_is_printed_light(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/help/")
    for theme in ("automatic", "light"):
        page.get_by_role("button", name=f"Theme: {theme}").click()
    expect(page.get_by_role("button", name="Theme: dark. Switch to automatic", exact=True)).to_be_visible()
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.emulate_media(media="print")
    printed = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.evaluate("localStorage.clear()")

    assert (dark, printed) == ("rgb(20, 22, 26)", "rgb(251, 250, 247)")


@pytest.mark.parametrize("width", [360, 718])
def test_printed_table_is_a_table(portal: Portal, page: Page, width: int) -> None:
    notes = "What the tag stands for, in the words of those who gave it to a series"
    path = portal.add_tags([tag | {"notes": notes} for tag in tags_of(30)], "release")
    page.set_viewport_size({"width": width, "height": 1047})
    page.goto(f"{portal.url}{path}")
    page.emulate_media(media="print")

    for part, display in (("thead", "table-header-group"), ("tbody tr", "table-row")):
        expect(page.locator(f".tag-table {part}").first).to_have_css("display", display)
    if width > 700:
        # Each name of a group stands on one line.
        heights = page.locator(".tag-table tbody td:nth-child(2)").evaluate_all(HEIGHTS)
        assert max(heights) < 30
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width


def test_printed_page_has_the_loaded_profile(portal: Portal, page: Page) -> None:
    short, long = (portal.add_tags(tags_of(count), "release") for count in (30, 80))
    page.emulate_media(media="print")

    page.goto(portal.url + short)
    expect(page.locator("#dots")).to_be_visible()
    page.goto(portal.url + long)
    expect(page.locator("#profile")).to_be_hidden()


def test_print_link_shows_all_rows_on_one_page(portal: Portal, browser: Browser) -> None:
    path = portal.add_tags(tags_of(188), "release")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{portal.url}{path}?search_text=tag&order_by=name&offset=50")
    page.get_by_text("Export", exact=True).click()
    page.get_by_role("link", name="Print all 188 rows").click()
    page.emulate_media(media="print")

    expect(page).to_have_url(f"{portal.url}{path}?search_text=tag&order_by=name&limit=1000")
    expect(page.locator(".tag-table tbody tr")).to_have_count(188)
    expect(page.get_by_role("link", name="Print all")).to_have_count(0)
    context.close()


def test_printed_series_has_its_url(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/series/gnpca/?realtime_end=2014-01-01")
    page.emulate_media(media="print")

    expect(page.locator(".only-print")).to_contain_text(
        f"{portal.url}/series/GNPCA/?realtime_end=2014-01-01 · as of 2014-01-01"
    )
    expect(page.get_by_text("See an earlier version", exact=True)).to_be_hidden()


def test_printed_picture_keeps_its_bars(portal: Portal, page: Page) -> None:
    path = portal.add_tags(tags_of(24), "release")
    page.goto(f"{portal.url}{path}")
    page.emulate_media(media="print")

    expect(page.locator(".bars svg").first).to_have_css("print-color-adjust", "exact")


@pytest.mark.parametrize("kind", ["list", "comparison"])
def test_printed_lists_and_comparisons_have_their_url(portal: Portal, page: Page, kind: str) -> None:
    one, two = (portal.add_series(a_series()) for _ in range(2))
    a, b = (f"release:{number_of(portal.add_tags(tags_of(90), 'release'))}" for _ in range(2))
    paths = {"list": f"/series/?ids={one},{two}&order_by=id", "comparison": f"/compare/?a={a}&b={b}&only=all"}
    page.goto(portal.url + paths[kind])
    page.emulate_media(media="print")

    assert page.evaluate(UNCUT)
    expect(page.locator(".only-print")).to_contain_text(portal.url + paths[kind])
    for control in (".view-menu", ".query-form", ".change", ".groups a:not([aria-current])", ".pager"):
        assert not page.locator(control).first.is_visible()


def test_printed_list_has_no_brackets_of_proposals(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/series/?ids={portal.add_series(a_series())},UNRAT")
    expect(page.locator("#list-missing")).to_contain_text("UNRAT (UNRATE?)")
    page.emulate_media(media="print")

    assert page.locator("#list-missing").inner_text().strip() == "1 of 2 ids was not found: UNRAT."


def test_printed_list_fits_the_sheet_and_breaks_no_word(portal: Portal, page: Page) -> None:
    long = "A939RX0Q048SBEA"
    portal.service.seriess[long] = [
        a_series(id=long, title="Major Currencies, Goods (DISCONTINUED)") | {"popularity": 9}
    ]
    ids = [portal.add_series(a_series(title="Unemployment Rate")), long]
    page.set_viewport_size({"width": 718, "height": 1047})
    page.goto(f"{portal.url}/series/?ids={','.join(ids)}")
    expect(page.locator("#list-rows tr:not(:has(.pending))")).to_have_count(2)
    page.emulate_media(media="print")

    assert page.evaluate("document.documentElement.scrollWidth") <= 718
    assert page.locator("#list-rows td").evaluate_all(BROKEN) == []
    # A day and a time, each on a line.
    assert max(page.locator("#list-rows td:nth-child(8)").evaluate_all(HEIGHTS)) < 36
    expect(page.get_by_role("button", name="Check series ids")).to_be_hidden()
