"""The system's Chromium, driven by Playwright, and the program that it visits."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser import served
from tests.browser.served import Portal
from tests.browser.stand_in import StandInService

HOW_TO_INSTALL = "no Chromium on this machine (on Debian: apt install chromium)"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    # Playwright runs an event loop in this thread, which Django takes for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    path = next((name for name in found if name), None)
    if path is None:
        # CI sets the variable: there, a browser that is not installed is a failure.
        if os.environ.get("ECONWEB_BROWSER") == "required":
            pytest.fail(HOW_TO_INSTALL)
        pytest.skip(HOW_TO_INSTALL)
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=quiet)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def portal() -> Iterator[Portal]:
    """The program as it is served; its service works."""
    with served.portal() as found:
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


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that fails the test on any console message, a report of the content policy included."""
    messages: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    yield page
    # Chromium itself notes every status from 400 on, also where the test expects one.
    assert [text for text in messages if "Failed to load resource" not in text] == []
