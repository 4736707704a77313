"""Freeze a view, send its link, see what differs after the service changed, and withdraw the copy."""

import re
from collections.abc import Iterator
from zipfile import ZipFile

import brotli
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import served
from tests.browser.axe import find_violations_in_both_themes
from tests.browser.first_view import MAX_BYTES, MAX_REQUESTS, bytes_of, fetch, find_shifts, has_moved, requests_of
from tests.browser.hostile_texts import HOSTILE
from tests.browser.served import Portal
from tests.builders import a_series
from tests.fake_service import a_tag, tags_of

pytestmark = pytest.mark.slow
PHONE = {"width": 375, "height": 800}


@pytest.fixture(scope="module")
def storing_portal() -> Iterator[Portal]:
    # The answers are stale at once: a page sees what the service sends now.
    with served.portal(ECON_MAY_STORE="true", ECON_FRESH_SECONDS="0") as found:
        yield found


@pytest.fixture(params=["keyboard", "phone without scripts"])
def reader(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    if request.param == "keyboard":
        context = browser.new_context()
    else:
        context = browser.new_context(java_script_enabled=False, viewport=PHONE)  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


def press(page: Page, name: str, role: str = "link") -> None:
    """Use a link or button by keyboard, which also works without scripts."""
    control = page.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
    control.focus()
    page.keyboard.press("Enter")


def test_printed_copy_has_its_digest_and_no_links_to_manage_it(storing_portal: Portal, page: Page) -> None:
    path = storing_portal.add_tags([a_tag("usa", series_count=9)])
    page.goto(f"{storing_portal.url}/me/freeze/?target={path}")
    page.get_by_label("Title (at most 200 characters)").fill("Tags of table 2")
    press(page, "Freeze", "button")
    digest = page.locator(".proof code").first.text_content()
    page.emulate_media(media="print")

    expect(page.get_by_text(f"All rows: SHA-256 {digest}")).to_be_visible()
    for hidden in (page.get_by_role("link", name="Check it"), page.get_by_text("Proof", exact=True)):
        expect(hidden).to_be_hidden()


def test_double_click_freezes_one_copy(storing_portal: Portal, page: Page) -> None:
    path, sent = storing_portal.add_tags([a_tag("usa", series_count=9)]), list[Route]()

    def hold(route: Route) -> None:
        """Be slow, so that the second click comes before the answer."""
        sent.append(route)

    page.goto(f"{storing_portal.url}/me/freeze/?target={path}")
    page.route("**/me/freeze/**", hold)
    page.get_by_role("button", name="Freeze", exact=True).dblclick(delay=50)
    page.wait_for_timeout(500)
    for route in sent:
        route.continue_()

    expect(page.get_by_role("heading", level=1)).to_have_text(f"Category {path.split('/')[2]}")
    assert len(sent) == 1


def test_copy_is_frozen_sent_checked_and_withdrawn(storing_portal: Portal, reader: Page, browser: Browser) -> None:
    path = storing_portal.add_tags([a_tag("usa", series_count=9), a_tag("nation", series_count=5)])
    reader.goto(storing_portal.url + path)
    reader.get_by_text("Share", exact=True).press("Enter")
    press(reader, "Freeze to cite", "button")
    reader.get_by_label("Title (at most 200 characters)").fill("Tags of table 2")
    reader.get_by_label("Reason").fill("Cited in the working paper")
    press(reader, "Freeze", "button")
    expect(reader.get_by_role("heading", level=1)).to_have_text("Tags of table 2")
    link = reader.url
    storing_portal.service.has("category", int(path.split("/")[2]), [a_tag("usa", series_count=3), a_tag("new one")])

    other = browser.new_context().new_page()
    other.goto(link)
    expect(other.get_by_role("rowheader")).to_have_count(2)
    expect(other.get_by_text("Cited in the working paper")).to_be_visible()
    expect_citation(other, link)
    other.get_by_text("Export", exact=True).press("Enter")
    with other.expect_download() as pack:
        press(other, "Appendix pack (.zip)")
    assert ZipFile(pack.value.path()).testzip() is None
    expect_difference(reader)
    reader.goto(storing_portal.url + path)
    for _ in range(30):
        # The number is at most ten seconds old.
        if reader.get_by_role("link", name="1 frozen copy of this view").is_visible():
            break
        reader.wait_for_timeout(500)
        reader.reload()
    press(reader, "1 frozen copy of this view")
    press(reader, "Tags of table 2")
    # The list has no such menu.
    expect(reader.get_by_text("Cite", exact=True)).to_be_visible()
    assert reader.url.partition("?")[0] == link.partition("?")[0]
    press(reader, "Manage this copy")
    press(reader, "Withdraw")
    reader.get_by_label("Reason").fill("The wrong category")
    press(reader, "Withdraw", "button")
    expect(reader.get_by_role("heading", level=1)).to_contain_text("This frozen copy was withdrawn")
    other.reload()
    expect(other.get_by_role("heading", level=1)).to_contain_text("This frozen copy was withdrawn")
    other.context.close()


def test_filter_of_a_copy_is_announced(storing_portal: Portal, page: Page) -> None:
    freeze(storing_portal, page, storing_portal.add_tags(tags_of(60)))
    page.locator("#words").fill("tag 0007")
    page.locator("#words").press("Enter")

    expect(page.get_by_role("rowheader")).to_have_count(1)
    expect(page.locator("#status")).to_have_text("1 tag, most series first")
    expect(page.get_by_role("heading", level=1)).to_have_text("Tags of table 2 · “tag 0007”")


@pytest.mark.parametrize("keep", ["freeze", "save"])
def test_columns_of_a_copy_or_saved_view_are_chosen_for_it_alone(storing_portal: Portal, page: Page, keep: str) -> None:
    """Their boxes replaced the choice of the browser, which these pages do not show."""
    page.goto(f"{storing_portal.url}/me/{keep}/?target={storing_portal.add_tags(tags_of(60))}")
    page.get_by_label("Title (at most 200 characters)").fill("Tags of table 2")
    page.get_by_role("button", name=keep.capitalize(), exact=True).click()
    page.wait_for_url(re.compile("/(frozen|saved)/[^?]"))
    page.evaluate("localStorage.setItem('columns', 'no-notes no-rank')")
    page.get_by_text("Columns", exact=True).click()
    page.get_by_label("Tag created").uncheck()
    expect(page.get_by_role("columnheader")).to_have_text(["Tag", "Group", "Series", "Popularity", "Notes"])

    assert page.evaluate("localStorage.getItem('columns')") == "no-notes no-rank"


def expect_citation(page: Page, link: str) -> None:
    """Read the citation in its menu, and its file."""
    copy_id = link.split("/")[4]
    page.get_by_text("Cite", exact=True).press("Enter")
    expect(page.locator("#citation")).to_contain_text(copy_id)
    address = page.get_by_role("link", name="BibTeX").get_attribute("href")
    assert copy_id in page.request.get(f"{link.partition('/frozen/')[0]}{address}").text()


def expect_difference(page: Page) -> None:
    """Compare with today until the site has asked the service again; the copy is a source of the comparison."""
    press(page, "Compare with today")
    for _ in range(20):
        if page.get_by_role("heading", name="Gone (1)").is_visible():
            break
        page.wait_for_timeout(250)
        page.reload()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tags of table 2, frozen")
    expect(page.get_by_text("1 gone, 1 new, 1 changed.", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Gone (1)")).to_be_visible()
    expect(page.get_by_role("heading", name="New (1)")).to_be_visible()
    expect(page.get_by_role("cell", name="3", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(media="print")
    expect(page.get_by_text("Export")).to_be_hidden()
    expect(page.get_by_role("heading", name="New (1)")).to_be_visible()
    page.emulate_media(media="screen")


def test_axe_finds_no_violation_in_frozen_copies(storing_portal: Portal, page: Page) -> None:
    found = []
    for target in ("/category/125/tags/?tag_group_id=geo", "/series/VERSIONS/", "/series/?ids=GNPCA,VERSIONS,UNKNOWN"):
        page.goto(storing_portal.url + target)
        page.goto(f"{storing_portal.url}/me/freeze/?target={target}")
        press(page, "Freeze", "button")
        expect(page.get_by_text("Its content never changes.")).to_be_visible()
        page.get_by_text("Proof").click()
        found += find_violations_in_both_themes(page)
        press(page, "Check it")
        compare = page.get_by_role("link", name=re.compile("^Compare .*with today$"))
        expect(compare).to_be_visible()
        found += find_violations_in_both_themes(page)
        compare.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text("compared with")
        found += find_violations_in_both_themes(page)
    for path in ("/me/frozen/", "/frozen/"):
        page.goto(storing_portal.url + path)
        found += find_violations_in_both_themes(page)
    assert found == []


def freeze(portal: Portal, page: Page, target: str, title: str = "Tags of table 2") -> None:
    """Freeze a view, and stay on the page of the copy."""
    page.goto(f"{portal.url}/me/freeze/?target={target}")
    page.get_by_label("Title (at most 200 characters)").fill(title)
    press(page, "Freeze", "button")
    expect(page.get_by_text("Its content never changes.")).to_be_visible()


def test_copy_is_cited_from_its_page(storing_portal: Portal, reader: Page) -> None:
    freeze(storing_portal, reader, "/category/16/tags/")
    copy_id = reader.url.split("/")[4]
    reader.get_by_text("Cite", exact=True).press("Enter")
    expect(reader.locator("#citation")).to_contain_text(
        f"Tags of table 2 [frozen copy {copy_id}]. Category 16: 16 rows as of "
    )
    expect(reader.locator("#citation")).to_contain_text(f"{storing_portal.url}/frozen/{copy_id}/")
    menu = reader.locator(".menu[open] > div")
    assert menu.evaluate("(menu) => menu.scrollWidth <= menu.clientWidth")
    with reader.expect_download() as download:
        press(reader, "BibTeX")
    assert download.value.suggested_filename.startswith(f"{copy_id}-")
    assert download.value.suggested_filename.endswith(".bib")


def test_dataset_of_a_page_is_data_that_no_browser_runs(storing_portal: Portal, page: Page) -> None:
    """The fixture fails on any report of the content policy."""
    hostile = f"{HOSTILE['end']}<!-- <script>{HOSTILE['template']} \u2028"
    series_id = storing_portal.add_series(a_series(title=hostile, notes=hostile))
    answer = page.goto(f"{storing_portal.url}/series/{series_id}/")
    find = "JSON.parse(document.querySelector('script[type=\"application/ld+json\"]').textContent)"

    assert answer
    assert "script-src 'self';" in answer.headers["content-security-policy"]
    assert page.evaluate(find)["name"] == hostile
    freeze(storing_portal, page, f"/series/{series_id}/", title=HOSTILE["end"])
    assert page.evaluate(find)["name"] == HOSTILE["end"]
    # Two scripts from files, and the data.
    assert page.evaluate("[document.scripts.length, window.hurt === undefined]") == [3, True]


def test_first_view_of_a_copy_of_50_rows_is_small(storing_portal: Portal, page: Page) -> None:
    freeze(storing_portal, page, storing_portal.add_tags(tags_of(1000)))
    page.context.clear_cookies()
    paths = requests_of(page, page.url.partition("?")[0])

    assert len(paths) == MAX_REQUESTS, paths
    assert bytes_of(storing_portal.url, paths) <= MAX_BYTES
    assert len(brotli.decompress(fetch(page.url, "br")[1])) <= 30_000
    assert not has_moved(find_shifts(page))
