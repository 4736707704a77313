"""Results of recent requests are reused while their snapshot is current."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from econweb.catalogue import counts
from econweb.catalogue.answers import queries
from econweb.catalogue.models import Checkpoint, Edition
from tests.builders import a_series
from tests.catalogue.api_calls import Ask, Rows, a_catalogue, a_tag
from tests.conftest import Loader

pytestmark = pytest.mark.django_db(transaction=True)
SEARCH = {"search_text": "us", "order_by": "name", "limit": "1"}


@contextmanager
def counted_queries() -> Iterator[list[str]]:
    """The statements that the block sends to the database; the list is filled at its end."""
    sent: list[str] = []
    with CaptureQueriesContext(connection) as captured:
        yield sent
    sent += [query["sql"] for query in captured.captured_queries]


def names(reply: dict[str, Rows]) -> list[str]:
    return [tag["name"] for tag in reply["tags"]]


def test_later_pages_of_a_search_ask_the_database_less(catalogue: Loader, ask: Ask) -> None:
    catalogue(**a_catalogue({"A": ["usa", "used", "other"]}))
    # The first request after a load reads the tags as well.
    ask("category/tags", category_id="7")

    with counted_queries() as for_first:
        first = ask("release/tags", release_id="53", **SEARCH)[1]
    with counted_queries() as for_second:
        second = ask("release/tags", release_id="53", **SEARCH, offset="1")[1]
    of_category = ask("category/tags", category_id="125", **SEARCH)[1]

    assert (names(first), names(second), names(of_category)) == (["usa"], ["used"], ["usa"])
    assert len(for_second) < len(for_first)


def test_later_pages_of_a_past_period_ask_the_database_less(catalogue: Loader, ask: Ask) -> None:
    catalogue(**a_catalogue({"A": ["usa", "sa"]}) | {"series": [a_series(id="A", realtime_end="2015-12-31")]})
    day = {"realtime_start": "2014-01-01", "realtime_end": "2014-01-01"}
    ask("category/tags", category_id="7")

    with counted_queries() as for_first:
        first = ask("release/tags", release_id="53", limit="1", **day)[1]
    with counted_queries() as for_second:
        second = ask("release/tags", release_id="53", limit="1", offset="1", **day)[1]
    later = ask("release/tags", release_id="53", realtime_start="2016-01-01")[1]

    assert (names(first), names(second)) == (["sa"], ["usa"])
    assert later["count"] == 0
    # At least the history of the owner and the two checkpoints.
    assert len(for_second) <= len(for_first) - 3


def test_result_cache_is_emptied_by_a_load(catalogue: Loader, ask: Ask) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    before = ask("release/tags", release_id="53", **SEARCH)[1]
    catalogue(**a_catalogue({"A": ["usa"], "B": ["usa", "us"]}, [a_tag("us"), a_tag("usa")]))

    after = ask("release/tags", release_id="53", **SEARCH)[1]

    assert [(tag["name"], tag["series_count"]) for tag in before["tags"]] == [("usa", 1)]
    assert (after["count"], names(after)) == (2, ["us"])


def test_past_period_depends_on_two_checkpoints(catalogue: Loader, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each checkpoint is spoilt in turn: an answer that does not read it stays as it was."""
    monkeypatch.setattr(counts, "SERIES_PER_CHECKPOINT", 3)
    files = a_catalogue({f"S{number}": ["usa"] for number in range(20)})
    for number, row in enumerate(files["series"]):
        row["realtime_start"] = f"2014-01-{number // 2 + 1:02}"
        row["realtime_end"] = f"2014-02-{number // 4 + 1:02}"
    catalogue(**files)

    def count(start: str, end: str) -> int | None:
        # Another identity, so that no result from before counts.
        Edition.objects.update(identity=uuid4().hex)
        try:
            _, reply = ask("release/tags", release_id="53", realtime_start=start, realtime_end=end)
        except msgspec.DecodeError:
            return None
        return sum(int(tag["series_count"]) for tag in reply["tags"])

    checkpoints = list(Checkpoint.objects.filter(kind="release"))
    assert len(checkpoints) == 14
    for start, end, expected in [
        ("2014-01-01", "2014-01-07", 14),
        ("2014-02-03", "2014-02-03", 12),
        ("2013-01-01", "2013-12-31", 0),
    ]:
        assert count(start, end) == expected
        answers = []
        for one in checkpoints:
            Checkpoint.objects.filter(pk=one.pk).update(series=b"")
            answers.append(count(start, end))
            one.save()
        assert answers.count(expected) >= len(checkpoints) - 2
        assert {*answers} <= {expected, None}


def test_checkpoints_and_history_are_of_the_same_load(
    catalogue: Loader, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = {"series": [a_series(id="A", realtime_end="2015-12-31")]}
    catalogue(**a_catalogue({"A": ["usa"]}) | ended)
    read_checkpoint = queries._find_checkpoint
    many = [f"tag {number:02}" for number in range(30)]
    loads = [a_catalogue({"A": many}) | ended]

    def load_meanwhile(*given: Any) -> bytes | None:
        if loads:
            catalogue(**loads.pop())
        return read_checkpoint(*given)

    monkeypatch.setattr(queries, "_find_checkpoint", load_meanwhile)

    status, reply = ask("release/tags", release_id="53", realtime_start="2014-01-01", realtime_end="2014-01-01")

    assert (status, names(reply)) == (200, many)
