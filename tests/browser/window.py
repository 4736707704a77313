"""One window for many tests: to open a new one takes three times as long as to visit a page."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, ConsoleMessage, Error, Frame, Page, ViewportSize

SIZE = ViewportSize(width=1280, height=900)
# A page on a busy machine takes seconds; what takes this long hangs.
HANG_MS = 60_000


@contextmanager
def empty_as_if_new(window: Page) -> Iterator[None]:
    """Watch which sites a test visits; afterwards leave no storage, cache, history or emulation of it."""
    origins: set[str] = set()

    def keep_origin(frame: Frame) -> None:
        if frame.url.startswith("http"):
            origins.add("/".join(frame.url.split("/")[:3]))

    window.on("framenavigated", keep_origin)
    try:
        yield
    finally:
        window.remove_listener("framenavigated", keep_origin)
        _forget(window, origins)


def _forget(window: Page, origins: set[str]) -> None:
    for other in window.context.pages:
        if other is not window:
            other.close()
    window.unroute_all(behavior="ignoreErrors")
    if window.url.startswith("http"):
        window.evaluate("sessionStorage.clear()")
    # Its scripts end with its elements; another address would end its process, too.
    window.set_content("")
    window.mouse.move(0, 0)
    window.set_viewport_size(SIZE)
    window.emulate_media(media="null", color_scheme="null", reduced_motion="null", forced_colors="null")
    devtools = window.context.new_cdp_session(window)
    for origin in origins:
        devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    for command in ("Network.clearBrowserCache", "Network.clearBrowserCookies", "Page.resetNavigationHistory"):
        devtools.send(command)
    devtools.detach()


def new_window(browser: Browser, java_script_enabled: bool = True) -> Page:
    context = browser.new_context(viewport=SIZE, java_script_enabled=java_script_enabled)
    context.set_default_timeout(HANG_MS)
    return context.new_page()


@contextmanager
def no_messages(page: Page) -> Iterator[None]:
    """Fail on any console message of the page, a report of the content policy included."""
    messages: list[str] = []

    def keep(message: ConsoleMessage | Error) -> None:
        messages.append(message.text if isinstance(message, ConsoleMessage) else str(message))

    page.on("console", keep)
    page.on("pageerror", keep)
    yield
    page.remove_listener("console", keep)
    page.remove_listener("pageerror", keep)
    # Chromium itself notes every status from 400 on, also where the test expects one.
    found = [text for text in messages if "Failed to load resource" not in text]
    assert found == [], found
