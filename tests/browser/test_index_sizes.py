"""The pages of the index with nothing, one entry, as many as the sample has, and as many as a large service."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.first_view import MAX_BYTES, MAX_REQUESTS, bytes_of, find_shifts, has_moved, requests_of
from tests.server import ROOT, environment, served
from tests.startup.prepared import prepare

# A first view needs a window that has loaded nothing yet.
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("context")]
COUNTS = (0, 1, 156, 5200)
PATHS = [
    "/browse/",
    "/browse/categories/",
    "/browse/categories/?at=1",
    "/browse/categories/?q=zinc",
    "/browse/releases/",
    "/browse/overview/",
    "/browse/tags/",
    "/tag/zinc/",
    "/category/1/similar/",
    "/search/?q=zinc",
]
# Nobody answers: only what is in the database can be shown.
SETTINGS = {
    "ECON_BASE_URL": "http://127.0.0.1:9",
    "ECON_API_KEY": "0123456789abcdef0123456789abcdef",
    "ECON_MAY_STORE": "true",
    "ECON_BACKGROUND_SHARE": "0",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a site without names, and its folder."""
    folder = prepare(tmp_path_factory.mktemp("sizes"), has_sample=False)
    with served(folder, **SETTINGS) as (address, _):
        yield address, folder


def fill(folder: Path, count: int) -> None:
    command = [sys.executable, "-m", "tests.browser.fill_index", str(count)]
    subprocess.run(command, cwd=ROOT, env=environment(folder) | SETTINGS, check=True)


def test_pages_of_the_index_fit_a_phone_with_any_number_of_entries(page: Page, site: tuple[str, Path]) -> None:
    """One test: each number of entries is added to the same site."""
    address, folder = site
    page.set_viewport_size({"width": 320, "height": 800})
    wrong = {}
    for count in COUNTS:
        fill(folder, count)
        for path in PATHS:
            requests = requests_of(page, address + path)
            found = {
                "width": page.evaluate("document.documentElement.scrollWidth"),
                "moved": has_moved(find_shifts(page)),
                "requests": len(requests),
                "bytes": bytes_of(address, [path, *requests[1:]]),
                "heading": page.locator("h1").inner_text(),
            }
            is_right = (
                found["width"] <= 320
                and not found["moved"]
                and found["requests"] <= MAX_REQUESTS
                and found["bytes"] <= MAX_BYTES
                and found["heading"]
            )
            if not is_right:
                wrong[count, path] = found

    assert wrong == {}
