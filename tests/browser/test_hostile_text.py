"""Every value of the service is text: no script runs, nothing becomes a link, an attribute or a style."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from econweb.upstream.errors import Refused
from tests.browser.hostile_texts import ALL, HOSTILE
from tests.browser.served import HOSTILE_CATEGORY, Portal, number_of
from tests.browser.stand_in import StandInService
from tests.builders import a_series
from tests.fake_service import a_tag

pytestmark = pytest.mark.slow
TAG_FIELDS = ("name", "group_id", "notes")
SERIES_FIELDS = [
    "title",
    "frequency",
    "frequency_short",
    "units",
    "units_short",
    "seasonal_adjustment",
    "seasonal_adjustment_short",
    "notes",
]


def is_harmless(page: Page) -> bool:
    # An image that does not load calls its handler by then, and htmx has handled the load event.
    page.wait_for_timeout(40)
    return bool(page.evaluate("window.hurt === undefined && document.querySelector('main #hurt') === null"))


def find_stray_attributes(page: Page) -> list[str]:
    # Buttons lead a series list to its check, and a view to the forms that keep it.
    ours = 'button[form="view-form"], button[formaction="/check/"]'
    names = set(
        page.evaluate(f"[...document.querySelectorAll('main *:not({ours})')].flatMap((e) => e.getAttributeNames())")
    )
    return [name for name in names if name.startswith("on") or name in {"style", "srcdoc", "formaction"}]


def test_hostile_tag_fields_are_shown_as_text(portal: Portal, page: Page) -> None:
    """The places: the page, a fragment, chips, completion and pictures."""
    tags = [
        a_tag(**({"name": f"{field} {key}"} | {field: text})) for key, text in HOSTILE.items() for field in TAG_FIELDS
    ]
    portal.service.has("category", HOSTILE_CATEGORY, tags)
    page.goto(f"{portal.url}/category/{HOSTILE_CATEGORY}/tags/")
    assert HOSTILE["script"] in page.evaluate("document.querySelector('h1').textContent")
    assert is_harmless(page)
    page.locator("#by-created").click()
    page.locator("[aria-sort] #by-created").wait_for()
    page.locator("#add-name").focus()
    page.locator("#names option").first.wait_for(state="attached")
    assert is_harmless(page)

    # The page folds long notes, with a sign between their two parts.
    shown = page.evaluate("document.querySelector('.tag-table tbody').textContent").replace(" …", "")
    # Notes drop a closing tag that nothing opened, and show the rest.
    assert {key: shown.count(text) for key, text in HOSTILE.items() if shown.count(text) < 3} == {"end": 2}
    assert shown.count(HOSTILE["script"]) == 6
    assert find_stray_attributes(page) == []


def test_hostile_series_fields_are_shown_as_text(portal: Portal, page: Page) -> None:
    first = {**a_series(realtime_end="2014-12-31"), "popularity": 39}
    second = first | dict.fromkeys(SERIES_FIELDS, ALL) | {"realtime_start": "2015-01-01"}
    page.goto(f"{portal.url}/series/{portal.add_series(second, first, second)}/")

    assert is_harmless(page)
    assert find_stray_attributes(page) == []
    shown = page.evaluate("document.querySelector('main').textContent")
    assert shown.count(ALL) >= len(SERIES_FIELDS)
    page.goto(portal.url)
    page.get_by_role("heading", name="Recently viewed").wait_for()
    assert is_harmless(page)


@pytest.mark.parametrize(
    "place",
    [
        "/go?q={}",
        "/category/{number}/tags/?tag_names={}",
        "/category/{number}/tags/?search_text={}",
        "/category/{number}/tags/?limit={}",
        "/category/{number}/tags/?tag_group_id={}&search_text=a",
        "/series/X/?realtime_end={}",
        "/series/{}/",
        "/series/?ids={}",
        "/series/?ids=X&columns={}",
        "/compare/?a={}&b=category:{number}",
        "/compare/?a=category:{number}&b=category:{number}&tag_group_id={}",
        "/category/{number}/tags/code?search_text={}",
        "/category/{number}/tags/?embed=1&search_text={}",
    ],
)
def test_hostile_parameters_are_shown_as_text(portal: Portal, page: Page, place: str) -> None:
    place = place.replace("{number}", number_of(portal.add_tags([a_tag()])))
    for text in HOSTILE.values():
        page.goto(portal.url + place.format(quote(text[:95], safe="")))
        assert is_harmless(page)
        assert find_stray_attributes(page) == []


@pytest.mark.parametrize("key", [key for key in HOSTILE if key not in {"bidi", "long"}])
def test_hostile_service_message_is_shown_as_text(
    portal: Portal, page: Page, service: StandInService, key: str
) -> None:
    service.error = Refused(f"It begins {HOSTILE[key]} and ends.")
    page.goto(portal.url + portal.add_tags([]))

    assert is_harmless(page)
    assert str(service.error) in page.evaluate("document.querySelector('[role=alert]').textContent")


def test_htmx_evaluates_nothing_and_stays_on_this_site(portal: Portal, page: Page) -> None:
    page.goto(f"{portal.url}/category/125/tags/")
    config = page.evaluate("[htmx.config.allowEval, htmx.config.selfRequestsOnly, htmx.config.historyCacheSize]")

    assert config == [False, True, 0]
