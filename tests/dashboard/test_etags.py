"""A page that is still true is not made again, and any change of what it rests on makes it anew."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from econweb.dashboard import etags
from econweb.shelf import labels
from econweb.shelf.models import Label
from econweb.upstream import service
from econweb.upstream.errors import Unavailable
from tests.builders import a_series
from tests.stand_in import StandIn, a_tag

pytestmark = pytest.mark.django_db
PAGES = ["/", "/series/GNPCA/", "/category/125/tags/?order_by=name"]
ASKED = PAGES[1:]


@pytest.fixture(autouse=True)
def a_service(stand_in: StandIn) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    stand_in.has("category", 125, [a_tag()])
    labels.put([Label(kind="category", number=125, name="Trade Balance")])


def opened(client: Client, path: str) -> Any:
    """The test client's own answer, of a type that does not say what a view hung onto it."""
    return client.get(path)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_that_a_browser_has_is_not_sent_again(client: Client, path: str) -> None:
    first = opened(client, path)
    again = client.get(path, headers={"If-None-Match": first["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert first.still_true()
    for answer in (first, again):
        assert set(answer["Cache-Control"].split(", ")) == {"public", "max-age=0", "s-maxage=1"}
        assert {"HX-Request", "HX-Target"} <= set(answer["Vary"].split(", "))


@pytest.mark.parametrize("path", [PAGES[0], PAGES[2]])
def test_another_name_in_the_label_book_makes_it_anew(client: Client, path: str) -> None:
    first = opened(client, path)
    labels.put([Label(kind="category", number=125, name="Balance of Trade")])

    assert not first.still_true()
    assert "Balance of Trade" in client.get(path, headers={"If-None-Match": first["ETag"]}).text


@pytest.mark.parametrize("path", ASKED)
def test_another_answer_of_the_service_makes_it_anew(client: Client, path: str) -> None:
    first = opened(client, path)
    # All that this process keeps is gone, so that the service is asked again.
    cache.clear()
    service.upstream.cache_clear()

    assert not first.still_true()
    assert client.get(path)["ETag"] != first["ETag"]


@pytest.mark.parametrize("path", ASKED)
def test_an_answer_that_grew_old_says_so(
    client: Client, stand_in: StandIn, settings: Settings, path: str
) -> None:
    settings.ECON_FRESH_SECONDS = 0
    first = opened(client, path)
    stand_in.error = Unavailable("It is down.")
    # The first look renews beside the answer, and finds the service down.
    looks = [client.get(path, headers={"If-None-Match": first["ETag"]}) for _ in range(20)]

    assert not first.still_true()
    assert looks[-1].status_code == 200
    assert "older than it should be" in looks[-1].text


@pytest.mark.parametrize("path", PAGES)
def test_another_day_makes_it_anew(client: Client, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """Today stands in the link that pins a view, and in a citation."""
    first = opened(client, path)
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date()
    monkeypatch.setattr(etags, "today", lambda: tomorrow)

    assert not first.still_true()


# --- Another release of the program ------------------------------------------------------------------------

PARTS = (
    "templates/series.html",
    "static/parts/01-ground.css",
    "econweb/upstream/records.py",
    "econweb/life.py",
)


@pytest.fixture
def checkout(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    settings.BASE_DIR = tmp_path
    for part in PARTS:
        write(tmp_path / part, "as it was")
    etags.edition.cache_clear()
    yield tmp_path
    etags.edition.cache_clear()


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def edition_now() -> str:
    etags.edition.cache_clear()
    return etags.edition()


def test_checkouts_of_two_hosts_are_one_edition(checkout: Path) -> None:
    first = edition_now()
    os.utime(checkout / PARTS[0], (1, 1))
    write(checkout / "econweb/dashboard/__pycache__/views.cpython-311.pyc", "of this host")

    assert edition_now() == first


@pytest.mark.parametrize("part", PARTS)
def test_a_change_of_any_part_of_the_program_is_another_edition(checkout: Path, part: str) -> None:
    first = edition_now()
    write(checkout / part, "as it is")

    assert edition_now() != first
