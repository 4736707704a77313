"""Axe finds nothing on any page or state, in both themes; nothing is wider than a narrow window."""

import re
from contextlib import suppress
from functools import cache
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import Resolver404, resolve
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from econweb.dashboard import urls
from econweb.shelf import labels
from econweb.shelf.models import Label
from econweb.upstream import service
from econweb.upstream.errors import BadReply, Busy, Refused, Unavailable, UpstreamError
from tests.builders import a_series
from tests.stand_in import StandIn, a_tag, tags_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
LONG = "Averyveryverylongwordwithoutanyblankinit" * 3
PATHS = [
    "/",
    "/about/",
    "/go?q=price",
    "/go?q=no+such+thing",
    "/nowhere/",
    "/series/GNPCA/",
    "/series/GNPCA/?realtime_start=soon",
    "/series/UNKNOWN/",
    "/series/ABSURD/",
    "/series/GNPCA/code",
    "/series/GNPCA/?embed=1",
    "/category/125/tags/?limit=5&offset=5",
    "/category/125/tags/?tag_names=tag+0001&search_text=tag&realtime_start=2020-01-01",
    "/category/125/tags/?tag_group_id=geo&tag_names=nowhere",
    "/category/125/tags/?limit=5&offset=50",
    "/category/125/tags/?limit=5000&search_text=x",
    "/category/125/tags/?tag_group=geo",
    "/category/77/tags/",
    "/category/9/tags/",
    "/category/8/tags/",
    "/category/8/tags/?notice=key",
    "/category/125/tags/code",
    "/category/125/tags/profile",
    "/category/8/tags/profile",
    "/category/9/tags/profile",
    "/release/53/tags/",
    "/release/53/tags/code",
    "/release/53/tags/profile",
    "/category/8/tags/?embed=1",
    "/series/",
    "/series/?ids=GNPCA,UNKNOWN&columns=title,notes",
    "/series/?ids=GNPCA,ABSURD",
    "/series/?ids=GNPCA&embed=1",
    "/series/?ids=GNPCA&order_by=size&realtime_start=soon",
    "/series/?ids=UNKNOWN",
    "/compare/?a=category:125",
    "/compare/?a=category:125&b=category:8&c=category:9",
    "/compare/?a=series:GNPCA&b=series:GNPCA@2014-01-01",
    "/compare/?a=category:125&b=category:9&only=b&embed=1",
    "/compare/?a=category:125&b=category:8&offset=900",
    "/compare/?a=category:125&b=category:8&only=all",
    "/compare/?a=series:ABSURD&b=series:GNPCA",
    "/compare/?a=tag:1&b=series:GNPCA",
]
# What is put into a page that is there already.
PARTS = {"suggest", "category_tag_names", "release_tag_names"}


@pytest.fixture(autouse=True)
def a_full_house(stand_in: StandIn) -> None:
    versions = [
        a_series(realtime_end="2014-12-31", units=LONG),
        a_series(realtime_start="2015-01-01", realtime_end="2015-12-31", title=f"{LONG} (DISCONTINUED)"),
    ]
    stand_in.seriess["GNPCA"] = [{**version, "popularity": 39} for version in versions]
    stand_in.seriess["ABSURD"] = [{**versions[1], "units": "u" * 300, "frequency": "f" * 300}]
    stand_in.has("category", 125, tags_of(16))
    stand_in.has("release", 53, tags_of(16))
    stand_in.has("category", 9, [])
    stand_in.has("category", 8, [a_tag(LONG, group_id=LONG, notes="word " * 800, popularity=-31), a_tag("x")])
    labels.put([Label(kind="category", number=n, name=f"Prices {n} {LONG}", note="Why") for n in (8, 9, 10)])


@cache
def axe() -> Axe:
    return Axe()


def faults(page: Page, rules: dict[str, list[str]] = RULES) -> list[str]:
    found = axe().run(page, options=rules).response["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]


def faults_in_both_themes(page: Page) -> list[str]:
    """Nothing but colours depends on the theme."""
    page.emulate_media(color_scheme="light")
    in_light = faults(page)
    page.emulate_media(color_scheme="dark")
    return in_light + faults(page, {"runOnly": ["color-contrast"]})


def test_every_page_of_ours_is_looked_at() -> None:
    pages = {
        route.name for route in urls.urlpatterns if not re.search("<(file|citation):", str(route.pattern))
    }
    looked_at = set()
    for path in PATHS:
        with suppress(Resolver404):
            looked_at.add(resolve(urlsplit(path).path).view_name)

    missing = pages - looked_at - PARTS
    assert not missing, f"PATHS of this file has no address of {', '.join(map(str, missing))}."


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_in_either_theme(live_server: LiveServer, page: Page, path: str) -> None:
    page.goto(live_server.url + path)

    assert faults_in_both_themes(page) == []


@pytest.mark.parametrize(
    "error",
    [
        Busy("Too many.", seconds=30),
        Unavailable("It is down."),
        Refused("The value for variable api_key is not registered."),
        BadReply(f"tags[3].created is {LONG}."),
    ],
)
@pytest.mark.parametrize(
    "path",
    [
        "/category/125/tags/",
        "/series/GNPCA/",
        "/series/?ids=GNPCA,ABSURD",
        "/compare/?a=category:125&b=category:8",
    ],
)
def test_axe_finds_nothing_when_the_service_fails(
    live_server: LiveServer, page: Page, stand_in: StandIn, error: UpstreamError, path: str
) -> None:
    stand_in.error = error
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(live_server.url + path)

    assert faults_in_both_themes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_axe_finds_nothing_in_a_list_that_is_old_or_cut(
    live_server: LiveServer, page: Page, stand_in: StandIn, settings: Settings
) -> None:
    settings.ECON_FRESH_SECONDS = 0
    stand_in.has("category", 125, tags_of(20_001))
    page.goto(f"{live_server.url}/category/125/tags/?limit=25")
    stand_in.error = Unavailable(f"It is down: {LONG}")
    old = page.get_by_text("older than it should be")
    for _ in range(20):
        page.reload()

    expect(old).to_be_visible()
    expect(page.get_by_text("There are more tags than")).to_be_visible()
    assert faults_in_both_themes(page) == []


def test_axe_finds_nothing_at_the_first_visit_and_after_others(live_server: LiveServer, page: Page) -> None:
    Label.objects.all().delete()
    page.goto(live_server.url)
    expect(page.get_by_text("has none yet")).to_be_visible()
    first = faults_in_both_themes(page)
    page.goto(f"{live_server.url}/series/GNPCA/")
    page.goto(live_server.url)
    expect(page.get_by_role("heading", name="Recently opened")).to_be_visible()

    assert first + faults_in_both_themes(page) == []


def test_axe_finds_nothing_in_a_list_that_is_still_loading(
    live_server: LiveServer, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "state", lambda: {"breaker": "closed", "allowance_left": 0})
    page.goto(f"{live_server.url}/series/?ids=GNPCA,ABSURD")
    expect(page.get_by_role("progressbar")).to_be_visible()

    assert faults_in_both_themes(page) == []


@pytest.mark.parametrize("path", ["/category/125/tags/", "/series/GNPCA/", "/series/?ids=GNPCA"])
def test_axe_finds_nothing_on_a_phone_with_everything_unfolded(
    live_server: LiveServer, page: Page, path: str
) -> None:
    page.set_viewport_size({"width": 375, "height": 1500})
    page.goto(live_server.url + path)
    page.evaluate("for (const e of document.querySelectorAll('details')) e.open = !e.matches('.menu')")
    assert faults_in_both_themes(page) == []
    page.locator(".menu summary").click()

    # What an open menu covers in part would count as too small.
    assert faults(page, {"runOnly": ["cat.color", "cat.name-role-value", "cat.keyboard"]}) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_axe_finds_nothing_with_the_list_of_keys_and_suggestions_open(
    live_server: LiveServer, page: Page
) -> None:
    page.goto(live_server.url)
    page.get_by_role("button", name="Keys").click()
    assert faults(page) == []
    # A page without controls where the list opens: one that it covers in part would count as too small.
    page.goto(f"{live_server.url}/about/")
    page.locator("#go-box").press_sequentially("price")
    page.get_by_role("link", name="Prices 10").wait_for()

    assert faults(page) == []


def test_no_page_is_wider_than_a_window_of_320_pixels(live_server: LiveServer, page: Page) -> None:
    # As much as a window of 1280 by 1024 shows at 400 %.
    page.set_viewport_size({"width": 320, "height": 256})
    widths = {}
    for path in PATHS:
        page.goto(live_server.url + path)
        for menu in page.locator(".menu summary:visible").all():
            menu.click()
        widths[path] = page.evaluate("document.documentElement.scrollWidth")

    assert {path: width for path, width in widths.items() if width > 320} == {}


@pytest.mark.parametrize("path", ["/", "/series/GNPCA/", "/category/125/tags/"])
def test_every_control_is_large_enough(live_server: LiveServer, page: Page, path: str) -> None:
    page.goto(live_server.url + path)
    small = """() => [...document.querySelectorAll("button, select, input:not([type=hidden]), summary")]
        .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 24)
        .map((e) => e.outerHTML)"""

    assert page.evaluate(small) == []


def test_forced_colours_keep_every_picture_visible(live_server: LiveServer, browser: Browser) -> None:
    context = browser.new_context(forced_colors="active")
    page = context.new_page()
    page.goto(f"{live_server.url}/category/125/tags/")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    bar = page.evaluate("getComputedStyle(document.querySelector('td svg')).backgroundColor")
    context.close()

    assert bar != paper


def test_nothing_moves_for_those_who_want_that(live_server: LiveServer, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{live_server.url}/category/125/tags/")
    page.evaluate("document.querySelector('#progress').classList.add('htmx-request')")

    assert page.evaluate("getComputedStyle(document.querySelector('#progress')).animationName") == "none"
