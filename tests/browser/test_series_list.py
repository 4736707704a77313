"""A list of series in a browser: what loads leaves the rest alone, and a series is added to the last list."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from econweb.dashboard.search_box.pasted_ids import MAX_IDS
from tests.browser.served import Portal
from tests.browser.stand_in import StandInService
from tests.builders import a_series

pytestmark = pytest.mark.slow
# The width of everything on the page or inside the table.
WIDEST = "Math.max(document.documentElement.scrollWidth, document.querySelector('.table-scroll').scrollWidth)"


def test_loading_rows_keep_focus_and_other_rows(portal: Portal, page: Page, service: StandInService) -> None:
    service.seconds = 0.6
    ids = [portal.add_series(a_series()) for _ in range(5)]
    page.goto(f"{portal.url}/series/?ids={','.join(ids)}")
    first = page.locator(f"#row-{ids[0]} a")
    first.focus()
    first.evaluate("(link) => (link.seen = true)")
    expect(page.locator("#list-loading")).to_contain_text("left")
    expect(page.locator(".list-table caption")).to_have_text("5 series")

    expect(page.locator("#list-loading")).to_be_empty()
    expect(page.locator("#list-rows .pending")).to_have_count(0)
    expect(first).to_be_focused()
    assert first.evaluate("(link) => link.seen")
    expect(page.locator("#status")).to_have_text("Loaded 5 series.")


def test_series_is_added_to_the_last_opened_list(portal: Portal, page: Page) -> None:
    one, two, other = (portal.add_series(a_series()) for _ in range(3))
    page.goto(f"{portal.url}/series/?ids={one},{two}&columns=units")
    page.goto(f"{portal.url}/series/{other}/")
    page.get_by_role("link", name="Add to list (2)").click()

    expect(page).to_have_url(f"{portal.url}/series/?ids={one},{two},{other}&columns=units")
    expect(page.get_by_text(f"{other} was added. The list has 3 series.")).to_be_visible()
    page.goto(f"{portal.url}/series/{other}/")
    page.get_by_role("link", name="Open list (3)").click()
    expect(page).to_have_url(f"{portal.url}/series/?ids={one},{two},{other}&columns=units")
    expect(page.get_by_text("was added")).to_have_count(0)


def test_series_as_of_a_past_day_is_added_to_no_list_of_another_day(portal: Portal, page: Page) -> None:
    one, other = (portal.add_series(a_series()) for _ in range(2))
    day = "realtime_start=2014-01-01&realtime_end=2014-01-01"
    page.goto(f"{portal.url}/series/?ids={one}")
    page.goto(f"{portal.url}/series/{other}/?{day}")
    page.get_by_role("link", name="Add to a list").click()

    expect(page).to_have_url(f"{portal.url}/series/?ids={other}&{day}")
    expect(page.locator("#own")).to_contain_text(f"Your list: {one}")


def make_list(portal: Portal, page: Page, count: int) -> list[str]:
    """Add series to a list, one after the other."""
    ids = [portal.add_series(a_series()) for _ in range(count)]
    for series_id in ids:
        page.goto(f"{portal.url}/series/{series_id}/")
        page.get_by_role("link", name="Add to").click()
        # The page that opens remembers the list.
        page.wait_for_url("**/series/?ids=*")
    return ids


def test_list_of_somebody_else_does_not_replace_ones_own(portal: Portal, page: Page) -> None:
    """The link of a colleague replaced the list, and nothing said so."""
    own, other = make_list(portal, page, 2), portal.add_series(a_series())
    page.goto(f"{portal.url}/series/?ids=UNRATE,{other}")
    expect(page.locator("#own")).to_contain_text(f"Your list: {', '.join(own)}")
    page.goto(f"{portal.url}/series/{other}/")
    page.get_by_role("link", name="Add to list (2)").click()

    expect(page).to_have_url(f"{portal.url}/series/?ids={','.join([*own, other])}")
    expect(page.locator("#own")).to_be_hidden()


@pytest.mark.parametrize("step", ["Apply", "Use this instead", "Remove it"])
def test_list_of_somebody_else_becomes_ones_own_where_it_is_edited(portal: Portal, page: Page, step: str) -> None:
    make_list(portal, page, 1)
    other = portal.add_series(a_series())
    page.goto(f"{portal.url}/series/?ids={other}{',UNKNOWN' if step == 'Remove it' else ''}")
    page.get_by_text(step, exact=True).click()
    expect(page.locator("#own")).to_be_hidden()
    page.goto(f"{portal.url}/series/GNPCA/")

    expect(page.locator("[data-add]")).to_have_attribute("title", f"Your list: {other}")


def test_list_of_a_past_day_takes_no_series_of_today(portal: Portal, page: Page) -> None:
    series_id = portal.add_series(a_series())
    page.goto(f"{portal.url}/series/?ids={series_id}&realtime_start=2014-01-01&realtime_end=2014-01-01")
    page.goto(f"{portal.url}/series/GNPCA/")
    page.get_by_role("link", name="Add to a list").click()
    page.wait_for_url(f"{portal.url}/series/?ids=GNPCA")
    page.goto(f"{portal.url}/series/{series_id}/")

    expect(page.get_by_role("link", name="Add to list (1)")).to_be_visible()


def test_saved_order_and_columns_of_ones_own_list_are_kept(portal: Portal, page: Page) -> None:
    own = make_list(portal, page, 2)
    page.goto(f"{portal.url}/series/?ids={','.join(own)}&columns=units&order_by=id")
    page.goto(f"{portal.url}/series/GNPCA/")
    page.get_by_role("link", name="Add to list (2)").click()

    expect(page).to_have_url(f"{portal.url}/series/?ids={','.join(own)},GNPCA&columns=units&order_by=id")


@pytest.mark.parametrize("width", [320, 1280])
def test_empty_series_list_leads_to_ones_own(portal: Portal, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{portal.url}/series/")
    expect(page.locator("#own")).to_be_hidden()
    own = make_list(portal, page, 2)
    page.get_by_role("link", name="Series list", exact=True).click()
    expect(page.locator("#own")).to_have_text(f"Your list: {', '.join(own)}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#own a").click()

    expect(page).to_have_url(f"{portal.url}/series/?ids={','.join(own)}")


def test_series_is_not_added_to_a_full_list(portal: Portal, page: Page) -> None:
    series_id = portal.add_series(a_series())
    page.goto(portal.url)
    for count, text in ((MAX_IDS - 1, f"Add to list ({MAX_IDS - 1})"), (MAX_IDS, "Add to a list")):
        ids = ",".join(f"S{number}" for number in range(count))
        page.evaluate("(ids) => localStorage.setItem('list', `?ids=${ids}`)", ids)
        page.goto(f"{portal.url}/series/{series_id}/")
        expect(page.locator("[data-add]")).to_have_text(text)


def test_printed_list_fits_the_paper(portal: Portal, page: Page) -> None:
    ids = [portal.add_series(a_series()) for _ in range(3)]
    # A4 upright with the margins of a browser.
    page.set_viewport_size({"width": 718, "height": 1047})
    page.goto(f"{portal.url}/series/?ids={','.join(ids)}")
    page.emulate_media(media="print")

    box = page.locator(".list-table").bounding_box()
    assert box
    assert box["x"] + box["width"] <= 718


@pytest.mark.parametrize("scripts", [True, False])
def test_list_on_a_narrow_phone_is_sortable_cards(portal: Portal, browser: Browser, scripts: bool) -> None:
    long = portal.add_series(a_series(title="A title of many words " * 8, units="Billions of Dollars " * 6))
    other = portal.add_series(a_series(title="Another"))
    context = browser.new_context(viewport={"width": 320, "height": 640}, java_script_enabled=scripts)
    page = context.new_page()
    page.goto(f"{portal.url}/series/?ids={long},UNKNOWN,{other}")

    expect(page.get_by_role("link", name="UNKNOWN")).to_have_count(0)
    assert page.evaluate(WIDEST) <= 320
    page.get_by_role("link", name="Series", exact=True).click()
    expect(page).to_have_url(re.compile("order_by=id"))
    context.close()


@pytest.mark.parametrize(("width", "is_folded"), [(375, True), (1440, False)])
def test_findings_are_folded_on_a_phone_only(portal: Portal, page: Page, width: int, is_folded: bool) -> None:
    one, other = portal.add_series(a_series(units="Percent")), portal.add_series(a_series(units="Dollars"))
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{portal.url}/series/?ids={one},{other}")

    expect(page.get_by_text("They differ in units.")).to_be_visible()
    expect(page.locator("#list-rows tr").first).to_be_in_viewport()
    expect(page.locator(".findings dl")).to_be_visible(visible=not is_folded)
    if is_folded:
        page.get_by_text("Which series").click()
        expect(page.locator(".findings dl")).to_be_visible()


def test_unfolded_findings_stay_open_while_the_list_loads(portal: Portal, page: Page, service: StandInService) -> None:
    service.seconds = 0.6
    ids = [portal.add_series(a_series(units=f"Unit {number}")) for number in range(6)]
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto(f"{portal.url}/series/?ids={','.join(ids)}")
    unfold = page.get_by_text("Which series")
    unfold.press("Enter")
    expect(page.locator(".findings dl")).to_be_visible()
    expect(page.locator("#list-loading progress")).to_be_visible()
    expect(page.locator("#list-loading")).to_be_empty()

    expect(page.locator(".findings dl")).to_contain_text("Unit 5")
    expect(page.locator(".findings dl")).to_be_visible()
    expect(unfold).to_be_focused()


def test_sort_links_of_a_list_take_one_line_on_a_phone(portal: Portal, page: Page) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto(f"{portal.url}/series/?ids=GNPCA")

    tops = page.locator("#list thead a").evaluate_all("(links) => links.map((e) => e.getBoundingClientRect().top)")
    assert len(tops) > 5
    assert len(set(tops)) == 1
    assert page.evaluate(WIDEST) <= 375


@pytest.mark.parametrize("width", [320, 375, 430])
@pytest.mark.parametrize("columns", ["", "&columns=title,observation_start,observation_end,last_updated,popularity"])
def test_card_of_a_series_keeps_each_fact_on_a_line(portal: Portal, page: Page, width: int, columns: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{portal.url}/series/?ids=GNPCA,UNRATE{columns}")
    facts = page.locator("tbody tr").first.locator("td").all()[-4:]

    tops = [one.evaluate("cell => [...cell.getClientRects()].map(each => Math.round(each.top))") for one in facts]
    assert [len({*each}) for each in tops] == [1, 1, 1, 1]
    assert tops[0][0] == tops[1][0]
    after = [one.evaluate("cell => getComputedStyle(cell, '::after').content") for one in facts[:3]]
    assert after == ["none"] * 3


def test_loading_list_is_stopped_without_javascript(portal: Portal, browser: Browser, service: StandInService) -> None:
    service.seconds = 0.6
    ids = [portal.add_series(a_series()) for _ in range(5)]
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{portal.url}/series/?ids={','.join(ids)}")
    page.get_by_role("link", name="Stop").click()

    expect(page.locator("#list-loading")).to_be_empty()
    expect(page.locator("#list-rows .pending")).to_have_count(0)
    page.context.close()


@pytest.mark.parametrize("is_same", [True, False])
def test_saved_list_replaces_ones_own_where_it_is_another(portal: Portal, page: Page, is_same: bool) -> None:
    own, other = make_list(portal, page, 2), portal.add_series(a_series())
    ids = own if is_same else [other]
    joined = ",".join(ids)
    page.goto(f"{portal.url}/me/save/?target={quote(f'/series/?ids={joined}&columns=units')}")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("region", name="Saved view")).to_be_visible()
    if not is_same:
        expect(page.locator("#own")).to_contain_text(f"Your list: {', '.join(own)}")
        page.get_by_role("button", name="Use this instead").click()

    expect(page.locator("#own")).to_be_hidden()
    page.goto(f"{portal.url}/series/GNPCA/")
    expect(page.locator("[data-add]")).to_have_attribute("title", f"Your list: {', '.join(ids)}")
