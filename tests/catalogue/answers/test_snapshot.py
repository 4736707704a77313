"""A load while the service answers: the old catalogue or the new one, never both and never an error."""

import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.management import CommandError
from django.db import connection
from django.test import Client
from pytest_django import Settings

from econweb.catalogue.answers import snapshot
from econweb.catalogue.answers.search import WordIndex, word_index
from econweb.catalogue.loading import load as loading
from econweb.catalogue.models import Edition
from econweb.startup.load_catalogue import load_sample_if_due
from tests.catalogue.api_calls import Ask, a_catalogue
from tests.conftest import Loader

pytestmark = pytest.mark.django_db(transaction=True)
MANY = [f"tag {number:02}" for number in range(30)]


@pytest.mark.parametrize("order_by", ["name", "popularity", "created", "group_id", "series_count"])
def test_snapshot_and_rows_are_of_the_same_load(catalogue: Loader, ask: Ask, settings: Settings, order_by: str) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    ask("category/tags", category_id="125")
    settings.CATALOGUE_RECHECK_SECONDS = 60.0
    snapshot.current_snapshot()
    catalogue(**a_catalogue({"A": MANY}))

    status, reply = ask("category/tags", category_id="125", order_by=order_by)

    assert status == 200
    assert sorted(tag["name"] for tag in reply["tags"]) == MANY


def test_answer_during_a_load_is_computed_again(catalogue: Loader, settings: Settings) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    settings.CATALOGUE_RECHECK_SECONDS = 60.0
    read: list[str] = []

    def load_meanwhile(held: snapshot.CatalogueSnapshot) -> str:
        if not read:
            catalogue(**a_catalogue({"A": MANY}))
        read.append(held.identity)
        return held.identity

    edition, answer = snapshot.consistent_read(load_meanwhile)

    assert len(read) == 2
    assert answer == edition.identity == read[1] != read[0]


def test_threads_that_find_a_stale_snapshot_share_one_new_snapshot(
    catalogue: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    old = snapshot.current_snapshot()
    catalogue(**a_catalogue({"A": MANY}))

    together = Barrier(8)

    def slow_index(texts: Iterable[tuple[int, str]]) -> WordIndex:
        time.sleep(0.1)
        return word_index(texts)

    monkeypatch.setattr(snapshot, "word_index", slow_index)

    def look(_: int) -> snapshot.CatalogueSnapshot:
        together.wait()
        try:
            return snapshot.current_snapshot()
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as readers:
        held = list(readers.map(look, range(8)))

    assert all(one is held[0] for one in held)
    assert [*held[0].number_of] == MANY != [*old.number_of]


def test_error_of_the_request_is_not_retried(catalogue: Loader) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))

    def fail(held: snapshot.CatalogueSnapshot) -> str:
        raise LookupError

    with pytest.raises(LookupError):
        snapshot.consistent_read(fail)


def test_interrupted_load_keeps_old_catalogue(catalogue: Loader, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))

    def stop(*given: object) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(loading, "encode_counts", stop)
        with pytest.raises(CommandError, match="The load was stopped") as stopped:
            catalogue(**a_catalogue({"B": ["sa"]}))

    assert stopped.value.returncode == 130
    assert (ask("series", series_id="A")[0], ask("series", series_id="B")[0]) == (200, 400)
    catalogue(**a_catalogue({"B": ["sa"]}))
    assert (ask("series", series_id="A")[0], ask("series", series_id="B")[0]) == (400, 200)


def into_another_format() -> None:
    """Give the tables the format of another version of the program."""
    _, _, digest = Edition.objects.get().digest.partition("-")
    Edition.objects.update(identity="other", digest=f"0-{digest}")


def test_tables_in_another_format_are_not_read(catalogue: Loader, ask: Ask, client: Client) -> None:
    """P4, P13"""
    files = a_catalogue({"A": ["usa"]})
    catalogue(**files)
    into_another_format()

    status, reply = ask("release/tags", release_id="53")
    ready = client.get("/readyz")
    page = client.get("/release/53/tags/")
    catalogue(**files)

    words = "The catalogue was loaded by another version of econweb: load it again"
    assert (status, ready.status_code) == (503, 503)
    assert words in reply["error_message"]
    assert words in ready.json()["database"]
    assert page.status_code == 503
    assert (ask("release/tags", release_id="53")[0], client.get("/readyz").status_code) == (200, 200)


def test_sample_in_another_format_is_replaced_other_catalogues_are_not(catalogue: Loader) -> None:
    load_sample_if_due()
    into_another_format()
    load_sample_if_due()
    assert Edition.objects.get().identity != "other"

    catalogue(**a_catalogue({"A": ["usa"]}))
    into_another_format()
    load_sample_if_due()
    assert Edition.objects.get().identity == "other"
