"""Nothing on a page moves while it loads for the first time, from a fast server or a slow one."""

from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from tests.browser.first_view import find_shifts, has_moved
from tests.browser.served import Portal

pytestmark = pytest.mark.slow
WIDTHS, THEMES = (320, 375, 768, 1440), ("light", "dark")
# Milliseconds by which the page and each of its files arrive later.
LATENCIES = {"fast": 0, "slow": 200}
UNLIMITED = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
PATHS = [
    "/",
    "/browse/",
    "/browse/categories/",
    "/help/",
    "/search/",
    "/search/?q=product",
    "/about/",
    "/go?q=price",
    "/series/VERSIONS/",
    "/category/125/tags/",
    "/category/8/tags/",
    "/category/16/tags/profile",
    "/series/?ids=GNPCA,UNRATE,VERSIONS",
    "/compare/",
    "/compare/?a=category:16&b=category:125",
    "/compare/?a=series:VERSIONS&b=series:VERSIONS@2014-01-01",
    "/series/UNKNOWN/",
]
Windows = dict[tuple[int, str], tuple[Page, CDPSession]]


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


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("speed", LATENCIES)
def test_cold_load_has_no_layout_shift(portal: Portal, windows: Windows, path: str, speed: str) -> None:
    latency = {"latency": LATENCIES[speed], **UNLIMITED}
    for page, devtools in windows.values():
        devtools.send("Network.emulateNetworkConditions", latency)
        # The windows load side by side.
        page.goto(portal.url + path, wait_until="commit")
    for page, _ in windows.values():
        page.wait_for_load_state("load")
    moved = {window: find_shifts(page) for window, (page, _) in windows.items()}

    assert {window: found for window, found in moved.items() if has_moved(found)} == {}


def test_layout_shift_is_seen_where_something_moves(portal: Portal, windows: Windows) -> None:
    page, devtools = windows[1440, "light"]
    devtools.send("Network.emulateNetworkConditions", {"latency": 0, **UNLIMITED})
    page.goto(f"{portal.url}/about/")
    page.evaluate("() => { document.querySelector('main').style.paddingTop = '9rem'; }")

    assert has_moved(find_shifts(page))
