"""The cost of a first view: requests, bytes over the wire, and no layout shifts."""

import brotli
import pytest
from playwright.sync_api import Page

from tests.browser.first_view import KIB, MAX_BYTES, MAX_REQUESTS, bytes_of, fetch, find_shifts, has_moved, requests_of
from tests.browser.served import Portal
from tests.fake_service import tags_of

# A first view needs a window that has loaded nothing yet.
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("context")]


@pytest.fixture(scope="module")
def fifty_rows_of_1000(portal: Portal) -> str:
    words = "gross domestic product income price housing rate index trade rent".split()  # noqa: SIM905
    tags = tags_of(1000)
    for n, tag in enumerate(tags):
        tag["name"] = f"{words[n % 10]} {words[n * 7 % 9]} {n}"
        tag["series_count"], tag["popularity"] = 20_000 // (n + 1), n * 37 % 101
        tag["notes"] = f"What {words[n * 3 % 10]} of {words[n * 5 % 10]} means" if n % 2 else ""
        tag["created"] = f"20{10 + n % 15}-0{1 + n % 9}-1{n % 9} 10:1{n % 7}:19-06"
    return portal.url + portal.add_tags(tags)


def test_first_view_is_four_requests_and_40_kib_without_layout_shift(page: Page, fifty_rows_of_1000: str) -> None:
    paths = requests_of(page, fifty_rows_of_1000)

    assert len(paths) == MAX_REQUESTS, paths
    assert bytes_of(fifty_rows_of_1000.partition("/category")[0], paths) <= MAX_BYTES
    assert not has_moved(find_shifts(page))


def test_page_and_fragment_of_fifty_rows_are_small(fifty_rows_of_1000: str) -> None:
    page, body = fetch(fifty_rows_of_1000, "gzip, br")
    fragment, part = fetch(fifty_rows_of_1000, "gzip, br", **{"HX-Request": "true", "HX-Target": "results"})

    assert page.headers["Content-Encoding"] == "br"
    assert len(brotli.decompress(body)) <= 30_000
    assert len(fetch(fifty_rows_of_1000, "gzip")[1]) <= 6 * KIB
    assert len(part) <= 6 * KIB
    assert int(fragment.headers["Content-Length"]) == len(part)


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("br", "br"),
        ("gzip, br;q=0.5", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("x-br", None),
        ("", None),
    ],
)
def test_page_is_compressed_as_the_browser_accepts(fifty_rows_of_1000: str, accepted: str, coding: str | None) -> None:
    response, _ = fetch(fifty_rows_of_1000, accepted)

    assert response.headers.get("Content-Encoding") == coding
    assert "Accept-Encoding" in response.headers["Vary"]
