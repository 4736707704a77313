"""The system's browsers, driven by Playwright, and the program that they visit."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from tests.browser import served
from tests.browser.served import Portal
from tests.browser.stand_in import StandInService
from tests.browser.window import HANG_MS, empty_as_if_new, new_window, no_messages
from tests.server import served as serve
from tests.startup.prepared import prepare

# The names of each browser's program; the first is Debian's package. The shell is Chromium without windows.
PROGRAMS = {
    "chromium": ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
    "firefox": ("firefox-esr", "firefox"),
}


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    # Playwright runs an event loop in this thread, which Django takes for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=HANG_MS)
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest, playwright: Playwright) -> Iterator[Browser]:
    """Chromium, or the browser that the test names."""
    name = getattr(request, "param", "chromium")
    path = next((found for program in PROGRAMS[name] if (found := shutil.which(program))), None)
    if path is None:
        # CI sets the variable: there, a browser that is not installed is a failure.
        give_up = pytest.fail if os.environ.get("ECONWEB_BROWSER") == "required" else pytest.skip
        give_up(f"{name} is not installed (on Debian: apt install {PROGRAMS[name][0]})")
    if name == "firefox":
        # The channel is Playwright's name for a Firefox without its patches, driven by WebDriver BiDi.
        running = playwright.firefox.launch(executable_path=path, channel="moz-firefox")
    else:
        quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
        running = playwright.chromium.launch(executable_path=path, args=quiet)
    yield running
    running.close()


@pytest.fixture(scope="session")
def portal() -> Iterator[Portal]:
    """The program as it is served; its service works."""
    with served.portal() as found:
        yield found


@pytest.fixture(scope="session")
def sample_site() -> Iterator[str]:
    """The address of the program with the sample, as after a first start."""
    with tempfile.TemporaryDirectory(prefix="econweb-sample-") as folder, serve(prepare(Path(folder))) as (found, _):
        yield found


@pytest.fixture
def service(portal: Portal) -> Iterator[StandInService]:
    """The service behind the portal, for a test that slows it down or breaks it."""
    yield portal.service
    portal.recover()


@pytest.fixture(scope="session")
def second_portal_process() -> Iterator[Portal]:
    with served.portal(has_labels=False, ECON_FRESH_SECONDS="0") as found:
        yield found


@pytest.fixture
def second_portal(second_portal_process: Portal) -> Portal:
    """A portal without labels, where each cached response is stale at once; a test may overload its service."""
    second_portal_process.recover()
    return second_portal_process


@pytest.fixture(scope="session")
def window(browser: Browser) -> Iterator[Page]:
    window = new_window(browser)
    yield window
    window.context.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A profile of its own, for tests that change it, or for which all that they load must be new."""
    context = new_window(browser).context
    yield context
    context.close()


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page that fails the test on any console message, a report of the content policy included.

    Tests share its window, if Chromium can empty it; one that has the fixture `context` gets a window there.
    """
    with ExitStack() as stack:
        if "context" in request.fixturenames or browser.browser_type.name == "firefox":
            page = request.getfixturevalue("context").pages[0]
        else:
            page = request.getfixturevalue("window")
            stack.enter_context(empty_as_if_new(page))
        with no_messages(page):
            yield page
