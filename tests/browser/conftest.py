"""The system's Chromium, driven by Playwright; absent, its tests are skipped, or fail if it is required."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

HOW = "no Chromium on this machine (on Debian: apt install chromium)"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    # Playwright runs an event loop in this thread, which Django takes for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    path = next((name for name in found if name), None)
    if path is None:
        if os.environ.get("ECONWEB_BROWSER") == "required":
            pytest.fail(HOW)
        pytest.skip(HOW)
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=quiet)
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that fails the test when anything is said in the console, a report of the policy included."""
    said: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    # Chromium itself notes every status from 400 on, the ones that we mean included.
    assert [text for text in said if "Failed to load resource" not in text] == []
