"""Series that the service sent are found by words afterwards, where they may be stored."""

import msgspec
import pytest
from django.db import DatabaseError, InternalError
from django.test import Client
from psycopg.errors import ReadOnlySqlTransaction
from pytest_django import Settings
from structlog.testing import capture_logs

from econweb.search_index.models import SeriesTitle
from econweb.search_index.reading.fetched_titles import write_fetched
from econweb.search_index.titles import title_index
from econweb.search_index.titles.find import TitleQuery, find
from econweb.upstream import fetched_series
from econweb.upstream.records import Series
from tests.builders import a_series
from tests.fake_service import FakeService

SERVICE = "https://api.example.org"


@pytest.fixture(autouse=True)
def service(settings: Settings, stand_in: FakeService) -> FakeService:
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = SERVICE, True
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    return stand_in


def found(text: str) -> list[str]:
    return [row.series_id for row in find(TitleQuery(text)).rows]


@pytest.mark.django_db
def test_fetched_series_is_found_after_the_next_write(client: Client) -> None:
    client.get("/series/GNPCA/")
    before = found("national product")
    write_fetched()

    assert (before, found("national product")) == ([], ["GNPCA"])
    row = SeriesTitle.objects.get()
    assert (row.frequency, row.units, row.popularity) == ("Annual", "Billions of Chained 2009 Dollars", 39)


@pytest.mark.django_db
@pytest.mark.parametrize("popularity", [-(2**53), 2**53])
def test_popularity_of_a_fetched_series_fits_its_column(client: Client, stand_in: FakeService, popularity: int) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": popularity}]
    client.get("/series/GNPCA/")
    write_fetched()

    # PostgreSQL stores 32 bits.
    assert -(2**31) <= SeriesTitle.objects.get().popularity < 2**31


@pytest.mark.django_db
def test_same_series_is_not_written_twice(client: Client) -> None:
    client.get("/series/GNPCA/")
    write_fetched()
    before = title_index.revision()
    client.get("/series/GNPCA/?renew=1")
    write_fetched()

    assert title_index.revision() == before


@pytest.mark.django_db
def test_past_title_does_not_replace_the_newest(client: Client, stand_in: FakeService) -> None:
    client.get("/series/GNPCA/")
    stand_in.seriess["GNPCA"] = [{**a_series(title="Real zinc"), "popularity": 39}]
    client.get("/series/GNPCA/?realtime_start=2014-01-01&realtime_end=2014-01-01")
    write_fetched()

    assert (found("zinc"), found("national")) == ([], ["GNPCA"])


@pytest.mark.django_db
@pytest.mark.parametrize(("base_url", "may_store"), [(SERVICE, False), ("", True)])
def test_nothing_is_written_that_may_not_be_or_is_there_already(
    client: Client, settings: Settings, base_url: str, may_store: bool
) -> None:
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = base_url, may_store
    client.get("/series/GNPCA/")
    write_fetched()

    assert not SeriesTitle.objects.exists()


@pytest.mark.django_db
def test_key_in_a_reply_is_not_stored(client: Client, settings: Settings, stand_in: FakeService) -> None:
    settings.ECON_API_KEY = "k" * 32
    stand_in.seriess["GNPCA"] = [{**a_series(title=f"Real {'k' * 32} product"), "popularity": 39}]
    client.get("/series/GNPCA/")
    write_fetched()

    assert "kkk" not in SeriesTitle.objects.get().title


@pytest.mark.django_db
def test_page_does_not_write(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(title_index, "add", lambda *_: 1 / 0)

    assert client.get("/series/GNPCA/").status_code == 200


@pytest.mark.django_db
def test_waiting_series_are_bounded(client: Client, monkeypatch: pytest.MonkeyPatch, stand_in: FakeService) -> None:
    monkeypatch.setattr(fetched_series, "MAX_WAITING", 2)
    for number in range(4):
        stand_in.seriess[f"S{number}"] = [{**a_series(id=f"S{number}"), "popularity": 39}]
        client.get(f"/series/S{number}/")
    write_fetched()

    assert [*SeriesTitle.objects.order_by("series_id").values_list("series_id", flat=True)] == ["S0", "S1"]


def test_five_thousand_series_wait_at_most() -> None:
    waiting = fetched_series.FetchedSeries()
    for number in range(5001):
        waiting.add(msgspec.convert({**a_series(id=f"S{number}"), "popularity": 39}, Series))

    assert [one.id for one in waiting.take()] == [f"S{number}" for number in range(5000)]


@pytest.mark.django_db
def test_database_that_cannot_be_written_stops_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch, stand_in: FakeService
) -> None:
    def refuse(*_: object) -> None:
        raise DatabaseError

    client.get("/series/GNPCA/")
    with monkeypatch.context() as patch:
        patch.setattr(title_index, "add", refuse)
        write_fetched()
    stand_in.seriess["ZINC"] = [{**a_series(id="ZINC", title="Zinc"), "popularity": 39}]
    client.get("/series/ZINC/")
    write_fetched()

    assert found("zinc") == ["ZINC"]


@pytest.mark.django_db
def test_titles_that_a_read_only_database_refuses_are_left_to_the_thread(
    client: Client, monkeypatch: pytest.MonkeyPatch, stand_in: FakeService
) -> None:
    """The thread knows a replica, and says once what would be said every three seconds."""

    def refuse(*_: object) -> None:
        raise InternalError from ReadOnlySqlTransaction()

    client.get("/series/GNPCA/")
    monkeypatch.setattr(title_index, "add", refuse)

    with capture_logs() as logs, pytest.raises(InternalError):
        write_fetched()
    assert logs == []
