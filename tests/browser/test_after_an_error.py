"""An error in place of the results keeps every filter, and Escape drops the search text."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from econweb.upstream.errors import Unavailable
from tests.browser.axe import find_violations_in_both_themes
from tests.browser.served import FAILURE_MS, Portal
from tests.browser.stand_in import StandInService
from tests.fake_service import tags_of

pytestmark = pytest.mark.slow
FILTERS = "tag_names=tag+0001%3Btag+0009&tag_group_id=gen"
# As of econweb/serving/admission.py while its queue is full.
FULL = "<!doctype html><title>Too many requests right now</title><p role=alert>Too many requests right now."
ORDER = "order_by=name&sort_order=asc&limit=25"


@pytest.fixture
def url(portal: Portal) -> str:
    return portal.url + portal.add_tags(tags_of(120))


@pytest.fixture
def filtered(url: str, page: Page) -> Page:
    page.goto(f"{url}?{FILTERS}&{ORDER}")
    return page


def search(url: str, page: Page, text: str) -> None:
    """Search for the text, and expect every other filter as it was."""
    page.locator("#words").fill(text)
    expect(page).to_have_url(f"{url}?{FILTERS}&search_text={text}&{ORDER}")
    expect(page.locator(".tag-table tbody tr")).to_have_count(2)


def test_filters_survive_an_invalid_parameter(url: str, filtered: Page) -> None:
    filtered.locator(".as-of > summary").click()
    filtered.get_by_text("More dates").click()
    filtered.locator("[name=realtime_start]").fill("soon")
    filtered.locator(".as-of").get_by_role("button", name="Apply").click()
    expect(filtered.get_by_role("alert")).to_contain_text("Enter the first day")
    start, end = filtered.locator("[name=realtime_start]"), filtered.locator("[name=realtime_end]")
    expect(start).to_have_attribute("aria-invalid", "true")
    expect(start).to_have_value("soon")
    expect(start).to_be_focused()
    expect(end).to_have_attribute("aria-invalid", "false")
    expect(filtered).to_have_url(f"{url}?{FILTERS}&{ORDER}&realtime_start=soon")
    start.fill("")

    search(url, filtered, "tag")
    expect(start).to_have_attribute("aria-invalid", "false")


def test_invalid_parameter_without_a_field_gets_one(url: str, filtered: Page) -> None:
    filtered.evaluate("document.querySelector('#limit').options[0].value = '5000'")
    filtered.locator("#limit").select_option("5000")
    wrong = filtered.get_by_role("alert").get_by_label("Rows per page")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_have_value("5000")
    wrong.fill("25")
    filtered.get_by_role("alert").get_by_role("button", name="Apply").click()

    expect(filtered).to_have_url(f"{url}?{FILTERS}&{ORDER}")


def test_filters_survive_an_outage(url: str, filtered: Page, service: StandInService) -> None:
    service.error = Unavailable("")
    filtered.locator("#words").fill("ta")
    expect(filtered.get_by_role("alert")).to_contain_text("The data provider is not available")
    service.error = None
    filtered.wait_for_timeout(FAILURE_MS)

    search(url, filtered, "tag")


def test_filters_survive_a_lost_connection(url: str, filtered: Page, context: BrowserContext) -> None:
    context.set_offline(True)
    for text in ("t", "ta"):
        with filtered.expect_event("requestfailed"):
            filtered.locator("#words").fill(text)
    expect(filtered.get_by_role("alert")).to_have_count(1)
    context.set_offline(False)

    search(url, filtered, "tag")


@pytest.mark.parametrize(
    ("status", "body"),
    [(502, "<html><title>502</title><h1>502"), (503, FULL), (504, "")],
    ids=["proxy", "full queue", "empty"],
)
def test_filters_survive_a_response_that_is_not_of_this_site(url: str, filtered: Page, status: int, body: str) -> None:
    """A proxy's page, and that of a full queue, replaced the results, and no filter worked any more."""
    title = filtered.title()
    filtered.route("**/tags/?*", lambda route: route.fulfill(status=status, content_type="text/html", body=body))
    for text in ("t", "ta"):
        with filtered.expect_response("**/tags/?*"):
            filtered.locator("#words").fill(text)
        expect(filtered.get_by_role("alert")).to_have_text("The site could not answerWait a moment, then try again.")
    assert filtered.title() == title
    assert find_violations_in_both_themes(filtered) == []
    filtered.unroute("**/tags/?*")

    search(url, filtered, "tag")
    expect(filtered.get_by_role("alert")).to_have_count(0)


def test_try_again_opens_the_view_of_the_link_that_failed(url: str, filtered: Page) -> None:
    filtered.route("**/tags/?*", lambda route: route.fulfill(status=503, body=FULL))
    filtered.get_by_role("link", name="Clear").click()
    again = filtered.get_by_role("alert").get_by_role("link", name="try again")
    expect(again).to_be_visible()
    filtered.unroute("**/tags/?*")
    again.click()

    expect(filtered.locator("#rows")).to_contain_text("of 120 tags")


def test_escape_removes_search_text_and_its_filter(url: str, filtered: Page) -> None:
    search(url, filtered, "tag")
    filtered.locator("#words").press("Escape")

    expect(filtered).to_have_url(f"{url}?{FILTERS}&{ORDER}")


def test_escape_of_an_input_method_keeps_the_search_text(url: str, filtered: Page) -> None:
    search(url, filtered, "tag")
    escape = (
        "(box) => box.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true, isComposing: true}))"
    )
    filtered.locator("#words").evaluate(escape)

    expect(filtered.locator("#words")).to_have_value("tag")


def test_notice_can_be_closed_and_is_there_again_after_a_load(url: str, page: Page) -> None:
    page.goto(f"{url}?tag_group=geo")
    notice = page.locator(".notice")
    expect(notice).to_contain_text("Did you mean “tag_group_id”?")
    notice.get_by_role("button", name="Close this notice").press("Enter")

    expect(notice).to_have_count(0)
    expect(page.locator("#main")).to_be_focused()
    page.goto(f"{url}?tag_group=geo")
    expect(notice).to_be_visible()


def test_wrong_date_that_enter_sends_stays_in_its_open_menu(url: str, filtered: Page) -> None:
    filtered.locator(".as-of > summary").click()
    for text in ("last month", "13.5.2010", "2020-02-30", "2030-01-01"):
        day = filtered.locator("[name=as_of]")
        with filtered.expect_response("**/tags/?*as_of=*"):
            day.fill(text)
            day.press("Enter")
        expect(filtered.get_by_role("alert")).to_contain_text("Correct it and try again")

        expect(filtered.locator(".as-of[open] > summary")).to_have_text("As of …")
        expect(day).to_be_focused()
        expect(day).to_have_value(text)
    filtered.locator("[name=as_of]").fill("2020-01-31")
    filtered.locator("[name=as_of]").press("Enter")

    expect(filtered.locator(".as-of:not([open]) > summary")).to_have_text("As of 2020-01-31")
    expect(filtered.locator("[name=as_of]")).to_have_attribute("aria-invalid", "false")


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("dates", ["as_of=2020-02-30", "realtime_start=soon&realtime_end=2020-01-01"])
def test_menu_of_a_wrong_date_covers_no_message(url: str, page: Page, dates: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{url}?{dates}")
    expect(page.locator("main [aria-invalid=true]")).to_be_visible()
    menu, message = page.locator(".as-of > div").bounding_box(), page.get_by_role("alert").bounding_box()

    assert menu
    assert message
    assert menu["y"] + menu["height"] <= message["y"]
