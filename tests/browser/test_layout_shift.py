"""Nothing on a page moves while it loads for the first time: from a fast server in light, from a slow one in dark."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, resolve
from playwright.sync_api import Browser, CDPSession, Page

from tests.browser.addresses import PATHS
from tests.browser.first_view import find_shifts, find_shifts_in, has_moved, load_in
from tests.browser.in_parts import sent_in_parts
from tests.browser.served import Portal

pytestmark = pytest.mark.slow
WIDTHS, THEMES = (320, 375, 768, 1440), ("light", "dark")
# Milliseconds by which the page and each of its files arrive later. Only colours depend on the theme.
LATENCIES = {"light": 0, "dark": 200}
UNLIMITED = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
# Pages with ordinary data, and states of pages that are laid out otherwise.
ORDINARY = [
    "/category/125/tags/",
    "/category/8/tags/",
    "/compare/",
    "/compare/?a=category:16&b=category:125",
    "/compare/?a=series:VERSIONS&b=series:VERSIONS@2014-01-01",
    "/search/?q=product",
    "/series/?ids=GNPCA,UNRATE,VERSIONS",
    "/series/UNKNOWN/",
]
Windows = dict[tuple[int, str], tuple[Page, CDPSession]]


def one_of_each_page() -> list[str]:
    """Return the first address of each page; an address without a page is one as well."""
    first: dict[str, str] = {}
    for path in PATHS:
        with suppress(Resolver404):
            first.setdefault(resolve(urlsplit(path).path).view_name, path)
    return [*first.values(), "/nowhere/"]


@pytest.fixture(scope="module")
def windows(browser: Browser) -> Iterator[Windows]:
    """A window of each width and theme, without a cache: every load is a first one.

    Their storage remains, so the home page also has a list of what was viewed before.
    """
    opened: Windows = {}
    for width, theme in product(WIDTHS, THEMES):
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        devtools = page.context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
        opened[width, theme] = page, devtools
    yield opened
    for page, _ in opened.values():
        page.context.close()


@pytest.mark.parametrize("path", dict.fromkeys([*ORDINARY, *one_of_each_page()]))
def test_cold_load_has_no_layout_shift(portal: Portal, windows: Windows, path: str) -> None:
    pages = [page for page, _ in windows.values()]
    for (_, theme), (_, devtools) in windows.items():
        devtools.send("Network.emulateNetworkConditions", {"latency": LATENCIES[theme], **UNLIMITED})
    load_in(pages, portal.url + path)
    moved = dict(zip(windows, find_shifts_in(pages), strict=True))

    assert {window: found for window, found in moved.items() if has_moved(found)} == {}


@pytest.mark.parametrize("path", ["/category/125/tags/", "/compare/?a=category:16&b=category:125", "/series/UNKNOWN/"])
def test_nothing_moves_while_the_page_arrives_in_parts(portal: Portal, windows: Windows, path: str) -> None:
    pages = [page for page, _ in windows.values()]
    with sent_in_parts(portal.url) as address:
        load_in(pages, address + path)
        moved = dict(zip(windows, find_shifts_in(pages), strict=True))

    # Columns that widen with the rows move less than the bound of the other tests.
    assert {window: found for window, found in moved.items() if found} == {}


def test_layout_shift_is_seen_where_something_moves(portal: Portal, windows: Windows) -> None:
    page, devtools = windows[1440, "light"]
    devtools.send("Network.emulateNetworkConditions", {"latency": 0, **UNLIMITED})
    page.goto(f"{portal.url}/about/")
    page.evaluate("() => { document.querySelector('main').style.paddingTop = '9rem'; }")

    assert has_moved(find_shifts(page))
