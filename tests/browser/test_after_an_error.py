"""An error in the place of the results costs no filter, and Escape drops the words."""

import pytest
from django.core.cache import cache
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from econweb.upstream.errors import Unavailable
from tests.stand_in import StandIn, tags_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FILTERS = "tag_names=tag+0001%3Btag+0009&tag_group_id=gen"
ORDER = "order_by=name&sort_order=asc&limit=25"


@pytest.fixture
def narrowed(live_server: LiveServer, page: Page, stand_in: StandIn) -> Page:
    stand_in.has("category", 125, tags_of(120))
    page.goto(f"{live_server.url}/category/125/tags/?{FILTERS}&{ORDER}")
    return page


def searched(live_server: LiveServer, page: Page, text: str) -> None:
    """The view with these words, every other filter as it was."""
    page.locator("#words").fill(text)
    expect(page).to_have_url(f"{live_server.url}/category/125/tags/?{FILTERS}&search_text={text}&{ORDER}")
    expect(page.locator(".tag-table tbody tr")).to_have_count(2)


def test_filters_outlive_a_parameter_that_is_wrong(live_server: LiveServer, narrowed: Page) -> None:
    narrowed.locator(".dates summary").click()
    narrowed.locator("[name=realtime_start]").fill("soon")
    narrowed.get_by_role("button", name="Show").click()
    expect(narrowed.get_by_role("alert")).to_contain_text("realtime_start is a day")
    start, end = narrowed.locator("[name=realtime_start]"), narrowed.locator("[name=realtime_end]")
    expect(start).to_have_attribute("aria-invalid", "true")
    expect(start).to_have_value("soon")
    expect(end).to_have_attribute("aria-invalid", "false")
    expect(narrowed).to_have_url(
        f"{live_server.url}/category/125/tags/?{FILTERS}&{ORDER}&realtime_start=soon"
    )
    start.fill("")

    searched(live_server, narrowed, "tag")
    expect(start).to_have_attribute("aria-invalid", "false")


def test_a_parameter_without_a_field_of_its_own_gets_one_to_mend_it_in(
    live_server: LiveServer, narrowed: Page
) -> None:
    narrowed.evaluate("document.querySelector('#limit').options[0].value = '5000'")
    narrowed.locator("#limit").select_option("5000")
    wrong = narrowed.get_by_role("alert").get_by_label("limit")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_have_value("5000")
    wrong.fill("25")
    narrowed.get_by_role("button", name="Show").click()

    expect(narrowed).to_have_url(f"{live_server.url}/category/125/tags/?{FILTERS}&{ORDER}")


def test_filters_outlive_a_service_that_is_down(
    live_server: LiveServer, narrowed: Page, stand_in: StandIn
) -> None:
    stand_in.error = Unavailable("The service does not answer.")
    narrowed.locator("#words").fill("ta")
    expect(narrowed.get_by_role("alert")).to_contain_text("The service does not answer.")
    stand_in.error = None
    cache.clear()

    searched(live_server, narrowed, "tag")


def test_filters_outlive_a_connection_that_is_gone(
    live_server: LiveServer, narrowed: Page, context: BrowserContext
) -> None:
    context.set_offline(True)
    for text in ("t", "ta"):
        with narrowed.expect_event("requestfailed"):
            narrowed.locator("#words").fill(text)
    expect(narrowed.get_by_role("alert")).to_have_count(1)
    context.set_offline(False)

    searched(live_server, narrowed, "tag")


def test_escape_drops_the_words_and_their_filter(live_server: LiveServer, narrowed: Page) -> None:
    searched(live_server, narrowed, "tag")
    narrowed.locator("#words").press("Escape")

    expect(narrowed).to_have_url(f"{live_server.url}/category/125/tags/?{FILTERS}&{ORDER}")
