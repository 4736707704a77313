"""First views of pages: their requests, the bytes of the responses, and what moves while a page loads."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import requests
from playwright.sync_api import Page

KIB = 1024
# The limits of every page; the head of a response has about 500 bytes.
MAX_REQUESTS, MAX_BYTES, BYTES_OF_HEAD = 4, 40 * KIB, 500
# Waits for fonts, for frames and for requests of htmx, never for a time: a busy machine changes nothing.
SHIFTS = """async () => {
    const moved = [];
    const keep = (entries) => {
        for (const { value, sources } of entries)
            moved.push([value, ...sources.map(({ node }) => node?.id || node?.className || node?.nodeName)]);
    };
    const observer = new PerformanceObserver((list) => keep(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    const twoFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const ends = ["htmx:afterSettle", "htmx:responseError", "htmx:sendError", "htmx:swapError"];
    const settled = () => new Promise((done) => {
        for (const name of ends) document.addEventListener(name, done, { once: true });
    });
    await document.fonts.ready;
    // A part that is loaded when it is in sight is requested after the frame that shows it.
    await twoFrames();
    while (document.querySelector(".htmx-request")) await settled();
    await twoFrames();
    keep(observer.takeRecords());
    return moved;
}"""


def find_shifts(page: Page) -> list[list[Any]]:
    """Return how far each layout shift of the loaded page moved, and what."""
    return find_shifts_in([page])[0]


def find_shifts_in(pages: Sequence[Page]) -> list[list[list[Any]]]:
    """Return the layout shifts of several pages, which are awaited together."""
    for page in pages:
        page.evaluate(f"() => {{ window.shifts = ({SHIFTS})(); }}")
    return [page.evaluate("() => window.shifts") for page in pages]


def load_in(pages: Iterable[Page], url: str) -> None:
    """Load the address in several windows side by side: each would wait for its own response."""
    with ExitStack() as loads:
        for page in pages:
            loads.enter_context(page.expect_navigation(wait_until="load"))
            page.evaluate("(url) => { setTimeout(() => location.assign(url)); }", url)


def has_moved(shifts: list[list[Any]]) -> bool:
    # Browsers tell the sum in two digits.
    return bool(sum(shift[0] for shift in shifts) >= 0.005)


def requests_of(page: Page, address: str) -> list[str]:
    """Open the address, and return the path of each request that it takes."""
    paths: list[str] = []
    page.on("request", lambda request: paths.append(urlsplit(request.url).path))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return paths


def fetch(url: str, accepted: str, **headers: str) -> tuple[requests.Response, bytes]:
    """Return the response and its body as it came over the wire."""
    with requests.get(url, headers=headers | {"Accept-Encoding": accepted}, stream=True, timeout=30) as response:
        return response, response.raw.read(decode_content=False)


def bytes_of(origin: str, paths: list[str]) -> int:
    """Return the bytes of the responses: Chromium accepts brotli over HTTPS alone, so this client asks in its place."""
    return sum(len(fetch(origin + path, "gzip, br")[1]) + BYTES_OF_HEAD for path in paths)
