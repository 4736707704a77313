"""A reader that pauses beyond its lease, while another process begins the index of a newer catalogue."""

from typing import Any

import pytest
from django.core.management import call_command

from econweb.search_index.models import ReaderState
from econweb.search_index.reading.reader import Reader
from econweb.search_index.tags import tag_index
from econweb.serving.background import request_tags
from tests.conftest import Loader
from tests.search_index.reading.test_rebuild import expected, indexed, load

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("has_written", [True, False])
def test_paused_reader_neither_empties_nor_mixes_the_index(
    catalogue: Loader, monkeypatch: pytest.MonkeyPatch, has_written: bool
) -> None:
    """O10"""
    load(catalogue, "OLD")
    call_command("index", "--once")
    before = indexed()
    load(catalogue, "MID")
    paused, other, write = Reader(request_tags), Reader(request_tags), tag_index.write

    def write_around_the_pause(*arguments: Any) -> None:
        monkeypatch.setattr(tag_index, "write", write)
        if has_written:
            write(*arguments)
        load(catalogue, "NEW")
        ReaderState.objects.update(held_until=0)
        with monkeypatch.context() as patch:
            patch.setattr("econweb.search_index.reading.reader.MAX_TOGETHER", 7)
            other.step()
        if not has_written:
            write(*arguments)

    monkeypatch.setattr(tag_index, "write", write_around_the_pause)
    paused.step()
    meanwhile = indexed()
    for reader in (other, paused):
        while not reader.is_idle:
            reader.step()
        reader.stop()

    assert meanwhile == before
    assert indexed() == expected()
    assert {name for _, _, name, _ in indexed()} == {"NEW"}


def test_rebuild_that_an_earlier_version_put_in_place_before_it_stopped_is_kept(catalogue: Loader) -> None:
    """O10: it cleared the mark of the rebuild last, after it had removed the old rows."""
    load(catalogue, "NEW")
    call_command("index", "--once")
    before, state = indexed(), ReaderState.objects.get(pk=1)
    ReaderState.objects.update(
        edition="an older one", rebuilding=state.edition, generation=tag_index.state().generation, held_until=0
    )
    reader = Reader(request_tags)
    while not reader.is_idle:
        reader.step()
    reader.stop()

    assert indexed() == before
