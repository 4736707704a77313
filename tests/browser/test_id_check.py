"""The check of ids in a browser: it goes on by itself and without scripts, is printed, and begins at a list."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import find_violations_in_both_themes
from tests.browser.served import Portal
from tests.browser.stand_in import StandInService
from tests.dashboard.id_check.records import SINCE, current, versions

pytestmark = pytest.mark.slow
VERDICT = ".check-table td.title"


def add_four(portal: Portal) -> list[str]:
    """Return the ids of a series that is fine, one that ended, one that changed, and one that is not there."""
    ended = portal.add_series(current(title="Output (DISCONTINUED)"))
    return [portal.add_series(current()), ended, portal.add_series(*versions("", {"units": "Percent"})), "NOSUCHID"]


def test_check_goes_on_by_itself_and_keeps_the_focus(portal: Portal, page: Page, service: StandInService) -> None:
    service.seconds = 0.6
    ids = [portal.add_series(current()) for _ in range(5)]
    page.goto(f"{portal.url}/check/?ids={','.join(ids)}")
    expect(page.get_by_role("progressbar")).to_be_visible()
    assert find_violations_in_both_themes(page) == []
    last = page.get_by_role("link", name=ids[4])
    last.focus()

    expect(page.get_by_text("All 5 series are fine.")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.locator(VERDICT)).to_have_text(["Fine"] * 5)
    expect(last).to_be_focused()


def test_check_goes_on_without_scripts(portal: Portal, browser: Browser, service: StandInService) -> None:
    service.seconds = 0.6
    ids = [portal.add_series(current()) for _ in range(3)]
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{portal.url}/check/")
    page.get_by_role("textbox", name=re.compile("Paste up to 200")).fill("\n".join(ids).lower())
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("not checked").first).to_be_visible()
    for _ in range(9):
        if page.get_by_role("link", name="Continue").count():
            page.get_by_role("link", name="Continue").click()

    expect(page.get_by_text("All 3 series are fine.")).to_be_visible()
    expect(page).to_have_url(f"{portal.url}/check/?ids={','.join(ids)}")
    page.context.close()


def test_list_leads_to_its_check(portal: Portal, page: Page) -> None:
    ids = add_four(portal)
    page.goto(f"{portal.url}/series/?ids={','.join(ids)}&columns=title")
    page.get_by_role("button", name="Check series ids").click()

    expect(page).to_have_url(f"{portal.url}/check/?ids={','.join(ids)}")
    expect(page.locator(VERDICT)).to_have_text(["Not found", "Discontinued", "Fine", "Fine"])


def test_check_of_a_long_id_scrolls_sideways_on_no_tablet(portal: Portal, page: Page) -> None:
    page.set_viewport_size({"width": 768, "height": 1024})
    page.goto(f"{portal.url}/check/?ids={portal.add_series(current())},A191RL1Q225SBEA&since={SINCE}")

    assert page.locator("#list .table-scroll").evaluate("e => e.scrollWidth - e.clientWidth") == 0


@pytest.mark.parametrize("width", [320, 1280])
def test_check_fits_the_window_and_axe_finds_nothing(portal: Portal, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{portal.url}/check/?ids={','.join(add_four(portal))},VERSIONS&since={SINCE}")

    expect(page.locator(VERDICT).nth(1)).to_have_text("Units changed")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert find_violations_in_both_themes(page) == []


def test_printed_check_is_the_table(portal: Portal, page: Page) -> None:
    # A4 upright with the margins of a browser.
    page.set_viewport_size({"width": 718, "height": 1047})
    page.goto(f"{portal.url}/check/?ids={','.join(add_four(portal))}&since={SINCE}")
    page.emulate_media(media="print")

    box = page.locator(".check-table").bounding_box()
    assert box
    assert box["x"] + box["width"] <= 718
    expect(page.get_by_text("are not fine (")).to_be_visible()
    expect(page.locator(".only-print")).to_contain_text("/check/?ids=")
    for part in (".query-form", ".in-ci", ".view-menu"):
        expect(page.locator(part)).to_be_hidden()


# Twenty-two rows give the widths of a long list.
@pytest.mark.parametrize("others", [1, 19])
@pytest.mark.parametrize("width", [320, 768, 1024, 1280, 1440])
def test_no_verdict_breaks_within_a_word(portal: Portal, page: Page, width: int, others: int) -> None:
    ended = portal.add_series(current(title="3-Month Interbank Rates for a long title of a country (DISCONTINUED)" * 2))
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{portal.url}/check/?ids={ended},{','.join(f'UNRTAE{each}' for each in range(others))},NEW1TAE")

    expect(page.locator(VERDICT)).to_have_count(others + 2)
    verdict = page.get_by_role("cell", name="Discontinued", exact=True)
    assert (
        verdict.evaluate(
            "e => { const r = document.createRange(); r.selectNodeContents(e); return r.getClientRects().length }"
        )
        == 1
    )
