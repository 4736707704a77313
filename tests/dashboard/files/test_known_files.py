"""A file with a known ETag is a 304 and is not written; a changed one is sent again."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from econweb.dashboard.files import responses
from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.rendering import etags
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.upstream import clock, service
from tests.builders import a_series
from tests.fake_service import FakeService, tags_of

pytestmark = pytest.mark.django_db
PATHS = [
    "/category/125/tags.{}?order_by=name",
    "/series/GNPCA.{}",
    "/series.{}?ids=GNPCA,GDP,NONE",
    "/compare.{}?a=category:125&b=release:51",
    "/compare.{}?a=series:GNPCA&b=series:GDP",
]


@pytest.fixture(autouse=True)
def a_service(stand_in: FakeService) -> None:
    stand_in.seriess = {name: [{**a_series(id=name), "popularity": 1}] for name in ("GNPCA", "GDP")}
    stand_in.has("category", 125, tags_of(9))
    stand_in.has("release", 51, tags_of(7))


def etag_of(response: Any) -> str:
    # Read to its end, it is closed.
    assert response.getvalue()
    return str(response["ETag"])


@pytest.mark.parametrize("suffix", MEDIA_TYPES)
@pytest.mark.parametrize("path", PATHS)
def test_export_with_known_etag_is_not_written(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str, suffix: str
) -> None:
    etag = etag_of(client.get(path.format(suffix)))
    monkeypatch.setattr(responses, "file_response", None)

    again = client.get(path.format(suffix), headers={"if-none-match": etag})

    assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)
    assert etag.startswith('W/"')
    assert again["Cache-Control"] == "private, no-cache"
    assert "Accept" in again["Vary"].split(", ")


def test_export_etag_differs_by_format(client: Client) -> None:
    found = {etag_of(client.get(path.format(suffix))) for path in PATHS for suffix in MEDIA_TYPES}

    assert len(found) == len(PATHS) * len(MEDIA_TYPES)


def test_export_by_accept_header_has_etag(client: Client) -> None:
    etag = etag_of(client.get("/category/125/tags/", headers={"accept": "text/csv"}))
    again = client.get("/category/125/tags/", headers={"accept": "text/csv", "if-none-match": etag})

    assert again.status_code == 304


@pytest.mark.parametrize("path", PATHS)
def test_export_etag_changes_with_new_answer(client: Client, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """The time stands still, so both answers are of the same second."""
    moment = int(clock.now())
    monkeypatch.setattr(clock, "now", lambda: moment)
    etag = etag_of(client.get(path.format("csv")))
    cache.clear()
    service.upstream.cache_clear()
    monkeypatch.setattr(clock, "now", lambda: moment + 0.001)

    assert etag_of(client.get(path.format("csv"), headers={"if-none-match": etag})) != etag


def test_export_etag_changes_with_label_and_build(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first = etag_of(client.get("/category/125/tags.csv"))
    save_labels([Label(kind="category", number=125, name="Trade")])
    named = etag_of(client.get("/category/125/tags.csv"))
    monkeypatch.setattr(etags, "build_id", lambda: "the next")

    assert len({first, named, etag_of(client.get("/category/125/tags.csv"))}) == 3
