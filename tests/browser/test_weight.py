"""What a first view costs: requests, bytes over the wire, and nothing that moves while it is built."""

from pathlib import Path
from urllib.parse import urlsplit

import brotli
import pytest
from django.test import Client
from playwright.sync_api import Page
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from econweb.static_files import collect_when_stale
from tests.stand_in import StandIn, tags_of

pytestmark = pytest.mark.django_db(transaction=True)
KIB = 1024
SHIFTS = """() => new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; })
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 200);
})"""


@pytest.fixture(autouse=True)
def fifty_rows_of_1000(stand_in: StandIn) -> None:
    words = "gross domestic product income price housing rate index trade rent".split()  # noqa: SIM905
    tags = tags_of(1000)
    for n, tag in enumerate(tags):
        tag["name"] = f"{words[n % 10]} {words[n * 7 % 9]} {n}"
        tag["series_count"], tag["popularity"] = 20_000 // (n + 1), n * 37 % 101
        tag["notes"] = f"What {words[n * 3 % 10]} of {words[n * 5 % 10]} means" if n % 2 else ""
        tag["created"] = f"20{10 + n % 15}-0{1 + n % 9}-1{n % 9} 10:1{n % 7}:19-06"
    stand_in.has("category", 125, tags)


@pytest.mark.browser
def test_the_first_view_is_four_requests_and_40_kib_and_nothing_moves(
    live_server: LiveServer, page: Page, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR, settings.STATIC_ROOT = tmp_path, str(tmp_path / "static")
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    }
    collect_when_stale()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.goto(f"{live_server.url}/category/125/tags/")
    page.wait_for_load_state("networkidle")
    # The server of the tests sends files as they are; ours sends them packed.
    ours = Client(headers={"Accept-Encoding": "gzip, br"})
    sizes = {}
    for path in asked:
        answer = ours.get(path)
        sizes[path] = int(answer["Content-Length"])
        answer.close()

    assert len(asked) == 4, asked
    # About 500 bytes for the head of each.
    assert sum(sizes.values()) + 4 * 500 <= 40 * KIB, sizes
    assert page.evaluate(SHIFTS) == 0


def test_the_page_and_the_fragment_of_fifty_rows_are_small(client: Client) -> None:
    path, accept = "/category/125/tags/", {"Accept-Encoding": "gzip, br"}
    page = client.get(path, headers=accept)
    fragment = client.get(path, headers=accept | {"HX-Request": "true", "HX-Target": "results"})

    assert page["Content-Encoding"] == "br"
    assert len(brotli.decompress(page.content)) <= 30_000
    assert len(client.get(path, headers={"Accept-Encoding": "gzip"}).content) <= 5_000
    assert len(fragment.content) <= 6 * KIB
    assert int(fragment["Content-Length"]) == len(fragment.content)


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
def test_a_page_is_packed_as_the_browser_can_read_it(
    client: Client, accepted: str, coding: str | None
) -> None:
    answer = client.get("/category/125/tags/", headers={"Accept-Encoding": accepted})

    assert answer.get("Content-Encoding") == coding
    assert "Accept-Encoding" in answer["Vary"]
