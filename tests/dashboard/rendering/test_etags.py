"""An ETag lasts while the data of its page is unchanged, and any change gives another one."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.dashboard.rendering import etags
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.upstream import service
from econweb.upstream.errors import Unavailable
from tests.builders import a_series
from tests.fake_service import FakeService, a_tag
from tests.search_index.recorded import record_tags, tags

pytestmark = pytest.mark.django_db
PAGES = ["/", "/series/GNPCA/", "/category/125/tags/?order_by=name"]
ASKED = PAGES[1:]


@pytest.fixture(autouse=True)
def a_service(stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    stand_in.has("category", 125, [a_tag()])
    save_labels([Label(kind="category", number=125, name="Trade Balance")])


def opened(client: Client, path: str) -> Any:
    """The test client's own answer, of a type that does not say what a view hung onto it."""
    return client.get(path)


@pytest.mark.parametrize("path", PAGES)
def test_page_with_known_etag_is_a_304(client: Client, path: str) -> None:
    first = opened(client, path)
    again = client.get(path, headers={"If-None-Match": first["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert first.is_still_valid()
    for answer in (first, again):
        assert set(answer["Cache-Control"].split(", ")) == {"public", "max-age=0", "s-maxage=1"}
        assert {"HX-Request", "HX-Target"} <= set(answer["Vary"].split(", "))


CONDITIONAL = (
    *PAGES,
    *("/help/", "/browse/", "/browse/categories/125/children", "/browse/overview/", "/browse/tags/", "/tag/gdp/"),
    *("/category/125/tags/profile", "/category/125/similar/", "/search/?q=trade", "/news/", "/saved/", "/frozen/"),
    *("/opensearch.xml", "/frozen/timemap?target=/series/GNPCA/", "/series/GNPCA.csv"),
)


@pytest.mark.parametrize("path", CONDITIONAL)
def test_page_varies_with_the_same_headers_as_its_304(client: Client, path: str) -> None:
    record_tags("category", 125, tags(gdp=90), 100, timezone.now())
    first = opened(client, path)
    again = client.get(path, headers={"If-None-Match": first["ETag"]})

    assert (first.status_code, again.status_code) == (200, 304)
    first_vary, again_vary = (sorted(answer["Vary"].split(", ")) for answer in (first, again))
    assert first_vary == again_vary


@pytest.mark.parametrize("path", [PAGES[0], PAGES[2]])
def test_etag_changes_with_label(client: Client, path: str) -> None:
    first = opened(client, path)
    save_labels([Label(kind="category", number=125, name="Balance of Trade")])

    assert not first.is_still_valid()
    assert "Balance of Trade" in client.get(path, headers={"If-None-Match": first["ETag"]}).text


@pytest.mark.parametrize("path", ["/release/53/similar/", "/browse/overview/", "/tag/gdp/", "/search/?q=trade"])
def test_etag_of_a_page_of_the_index_changes_with_label(client: Client, path: str) -> None:
    found = tags(gdp=90, trade=50, usa=100), tags(gdp=80, trade=40, usa=100), tags(prices=100, usa=100)
    for owner, counts in zip((("category", 125), ("release", 53), ("category", 3)), found, strict=True):
        record_tags(*owner, counts, 100, timezone.now())
    first = opened(client, path)
    save_labels([Label(kind="category", number=125, name="Trade and its Balance")])

    assert "Trade Balance" in first.text
    assert "Trade and its Balance" in client.get(path, headers={"If-None-Match": first["ETag"]}).text


@pytest.mark.parametrize("path", ASKED)
def test_etag_changes_with_new_answer(client: Client, path: str) -> None:
    first = opened(client, path)
    # All that this process keeps is gone, so that the service is asked again.
    cache.clear()
    service.upstream.cache_clear()

    assert not first.is_still_valid()
    assert client.get(path)["ETag"] != first["ETag"]


@pytest.mark.parametrize("path", ASKED)
def test_etag_changes_with_stale_answer(client: Client, stand_in: FakeService, settings: Settings, path: str) -> None:
    settings.ECON_FRESH_SECONDS = 0
    first = opened(client, path)
    stand_in.error = Unavailable("It is down.")
    # The first look renews beside the answer, and finds the service down.
    looks = [client.get(path, headers={"If-None-Match": first["ETag"]}) for _ in range(20)]

    assert not first.is_still_valid()
    assert looks[-1].status_code == 200
    assert ">cached data<" in looks[-1].text


@pytest.mark.parametrize("path", PAGES)
def test_etag_changes_with_the_day(client: Client, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """The link that pins a view and the citation contain today's date."""
    first = opened(client, path)
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date()
    monkeypatch.setattr("django.utils.timezone.localdate", lambda: tomorrow)

    assert not first.is_still_valid()


# --- Another release of the program ------------------------------------------------------------------------

PARTS = (
    "templates/series/page.html",
    "templates/a/folder/in/a/folder.html",
    "templates/words.txt",
    "static/styles/tokens.css",
    "static/a/folder/in/a/folder.js",
    "static/without_a_suffix",
    "econweb/upstream/records.py",
    "econweb/serving/monitoring/health.py",
)


@pytest.fixture
def checkout(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    settings.BASE_DIR, settings.PACKAGE_DIR = tmp_path, tmp_path / "econweb"
    for part in PARTS:
        write(tmp_path / part, "as it was")
    etags.build_id.cache_clear()
    yield tmp_path
    etags.build_id.cache_clear()


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def edition_now() -> str:
    etags.build_id.cache_clear()
    return etags.build_id()


def test_build_id_is_equal_for_equal_checkouts(checkout: Path) -> None:
    first = edition_now()
    os.utime(checkout / PARTS[0], (1, 1))
    write(checkout / "econweb/dashboard/__pycache__/views.cpython-311.pyc", "of this host")

    assert edition_now() == first


@pytest.mark.parametrize("part", PARTS)
def test_build_id_changes_with_any_part_of_the_program(checkout: Path, part: str) -> None:
    first = edition_now()
    write(checkout / part, "as it is")

    assert edition_now() != first
