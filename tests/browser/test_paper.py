"""On paper every row of the view stands, with its address, and nothing that can only be pressed."""

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.builders import a_series
from tests.stand_in import StandIn, tags_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# The last row lies within the box that cuts what does not fit.
UNCUT = """() => {
  const box = document.querySelector(".table-scroll");
  const row = box.querySelector("tbody tr:last-child").getBoundingClientRect();
  return row.height > 0 && row.bottom <= box.getBoundingClientRect().bottom + 1;
}"""
# Of what stands in each cell, whatever its row needs.
HEIGHTS = """(cells) => cells.map((cell) => {
  const inside = document.createRange();
  inside.selectNodeContents(cell);
  return inside.getBoundingClientRect().height;
})"""


def test_a_printed_page_has_every_row(live_server: LiveServer, page: Page, stand_in: StandIn) -> None:
    stand_in.has("release", 53, tags_of(188))
    page.goto(f"{live_server.url}/release/53/tags/?search_text=tag&limit=100")
    assert not page.evaluate(UNCUT)
    page.emulate_media(media="print")

    assert page.evaluate(UNCUT)
    expect(page.locator("#rows")).to_contain_text("1–100 of 188 tags")
    printed = page.locator(".only-print")
    expect(printed).to_be_visible()
    expect(printed).to_contain_text(
        f"{live_server.url}/release/53/tags/?search_text=tag&limit=100 · Release 53"
    )
    expect(printed).to_contain_text("· as of ")
    # These a browser repeats on every sheet.
    for part, display in (("thead", "table-header-group"), ("tfoot", "table-footer-group")):
        expect(page.locator(f".tag-table {part}")).to_have_css("display", display)
    for control in (".filters", ".groups", "#add-name", "#clear", ".pager", ".actions", ".take"):
        expect(page.locator(control).first).to_be_hidden()


@pytest.mark.parametrize("width", [360, 718])
def test_the_table_of_a_sheet_is_a_table(
    live_server: LiveServer, page: Page, stand_in: StandIn, width: int
) -> None:
    notes = "What the tag stands for, in the words of those who gave it to a series"
    stand_in.has("release", 53, [tag | {"notes": notes} for tag in tags_of(30)])
    page.set_viewport_size({"width": width, "height": 1047})
    page.goto(f"{live_server.url}/release/53/tags/")
    page.emulate_media(media="print")

    for part, display in (("thead", "table-header-group"), ("tbody tr", "table-row")):
        expect(page.locator(f".tag-table {part}").first).to_have_css("display", display)
    if width > 700:
        # No name of a group is broken.
        heights = page.locator(".tag-table tbody td:nth-child(2)").evaluate_all(HEIGHTS)
        assert max(heights) < 30
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width


def test_a_profile_is_printed_when_it_is_there(
    live_server: LiveServer, page: Page, stand_in: StandIn
) -> None:
    stand_in.has("release", 53, tags_of(30))
    stand_in.has("release", 54, tags_of(80))
    page.emulate_media(media="print")

    page.goto(f"{live_server.url}/release/53/tags/")
    expect(page.locator("#dots")).to_be_visible()
    page.goto(f"{live_server.url}/release/54/tags/")
    expect(page.locator("#profile")).to_be_hidden()


def test_all_rows_can_be_had_on_one_page(
    live_server: LiveServer, browser: Browser, stand_in: StandIn
) -> None:
    stand_in.has("release", 53, tags_of(188))
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}/release/53/tags/?search_text=tag&order_by=name&offset=50")
    page.get_by_text("Export", exact=True).click()
    page.get_by_role("link", name="All 188 rows on one page, to print").click()
    page.emulate_media(media="print")

    expect(page).to_have_url(f"{live_server.url}/release/53/tags/?search_text=tag&order_by=name&limit=1000")
    expect(page.locator(".tag-table tbody tr")).to_have_count(188)
    expect(page.get_by_role("link", name="to print")).to_have_count(0)
    context.close()


def test_a_printed_series_has_its_address(live_server: LiveServer, page: Page, stand_in: StandIn) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 1}]
    page.goto(f"{live_server.url}/series/gnpca/?realtime_end=2014-01-01")
    page.emulate_media(media="print")

    expect(page.locator(".only-print")).to_contain_text(
        f"{live_server.url}/series/GNPCA/?realtime_end=2014-01-01 · as of 2014-01-01"
    )
    expect(page.get_by_text("Go on", exact=True)).to_be_hidden()


def test_a_picture_keeps_its_bars_on_paper(live_server: LiveServer, page: Page, stand_in: StandIn) -> None:
    stand_in.has("release", 53, tags_of(24))
    page.goto(f"{live_server.url}/release/53/tags/")
    page.emulate_media(media="print")

    expect(page.locator(".bars svg").first).to_have_css("print-color-adjust", "exact")


@pytest.mark.parametrize(
    "path", ["/series/?ids=A,B&order_by=id", "/compare/?a=release:53&b=release:54&only=all"]
)
def test_lists_and_comparisons_are_printed_with_their_address(
    live_server: LiveServer, page: Page, stand_in: StandIn, path: str
) -> None:
    stand_in.seriess = {name: [{**a_series(id=name), "popularity": 1}] for name in "AB"}
    stand_in.has("release", 53, tags_of(90))
    stand_in.has("release", 54, tags_of(90))
    page.goto(live_server.url + path)
    page.emulate_media(media="print")

    assert page.evaluate(UNCUT)
    expect(page.locator(".only-print")).to_contain_text(live_server.url + path)
    for control in (".take", ".asked", ".groups a:not([aria-current])", ".pager"):
        assert not page.locator(control).first.is_visible()
