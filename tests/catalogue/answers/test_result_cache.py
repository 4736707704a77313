"""What was worked out for the last questions is used again, and only for as long as it holds."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from econweb.catalogue import counts
from econweb.catalogue.answers import queries
from econweb.catalogue.answers.search import WordIndex
from econweb.catalogue.models import Checkpoint
from tests.builders import a_series
from tests.catalogue.api_calls import Ask, Rows, a_catalogue, a_tag
from tests.conftest import Loader

pytestmark = pytest.mark.django_db(transaction=True)
SEARCH = {"search_text": "us", "order_by": "name", "limit": "1"}
Calls = list[tuple[Any, ...]]


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Callable[[object, str], Calls]:
    """The arguments of every call from now on."""

    def watch(place: object, name: str) -> Calls:
        calls: Calls = []
        whole = getattr(place, name)

        def call(*arguments: Any) -> Any:
            calls.append(arguments)
            return whole(*arguments)

        monkeypatch.setattr(place, name, call)
        return calls

    return watch


def names(reply: dict[str, Rows]) -> list[str]:
    return [tag["name"] for tag in reply["tags"]]


def test_the_pages_of_a_search_are_searched_once_for_all_owners(
    catalogue: Loader, ask: Ask, watched: Callable[[object, str], Calls]
) -> None:
    catalogue(**a_catalogue({"A": ["usa", "used", "other"]}))
    searches, sorts = watched(WordIndex, "find"), watched(queries, "_matching")

    first = ask("release/tags", release_id="53", **SEARCH)[1]
    second = ask("release/tags", release_id="53", **SEARCH, offset="1")[1]
    of_category = ask("category/tags", category_id="125", **SEARCH)[1]

    assert (names(first), names(second), names(of_category)) == (["usa"], ["used"], ["usa"])
    assert (len(searches), len(sorts)) == (1, 2)


def test_a_past_period_is_counted_once_for_all_pages(
    catalogue: Loader, ask: Ask, watched: Callable[[object, str], Calls]
) -> None:
    catalogue(**a_catalogue({"A": ["usa", "sa"]}) | {"series": [a_series(id="A", realtime_end="2015-12-31")]})
    counted = watched(queries, "counts_in_period")
    day = {"realtime_start": "2014-01-01", "realtime_end": "2014-01-01"}

    pages = [ask("release/tags", release_id="53", limit="1", offset=str(n), **day)[1] for n in (0, 1)]
    later = ask("release/tags", release_id="53", realtime_start="2016-01-01")[1]

    assert [names(page) for page in pages] == [["sa"], ["usa"]]
    assert later["count"] == 0
    assert len(counted) == 1


def test_nothing_is_remembered_across_a_load(catalogue: Loader, ask: Ask) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    before = ask("release/tags", release_id="53", **SEARCH)[1]
    catalogue(**a_catalogue({"A": ["usa"], "B": ["usa", "us"]}, [a_tag("us"), a_tag("usa")]))

    after = ask("release/tags", release_id="53", **SEARCH)[1]

    assert [(tag["name"], tag["series_count"]) for tag in before["tags"]] == [("usa", 1)]
    assert (after["count"], names(after)) == (2, ["us"])


def test_a_past_period_reads_two_checkpoints_however_many_there_are(
    catalogue: Loader, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "SERIES_PER_CHECKPOINT", 3)
    files = a_catalogue({f"S{number}": ["usa"] for number in range(20)})
    for number, row in enumerate(files["series"]):
        row["realtime_start"] = f"2014-01-{number // 2 + 1:02}"
        row["realtime_end"] = f"2014-02-{number // 4 + 1:02}"
    catalogue(**files)
    read: list[str] = []

    def watch(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        read.append(sql)
        return execute(sql, *more)

    def count(start: str, end: str) -> int:
        _, reply = ask("release/tags", release_id="53", realtime_start=start, realtime_end=end)
        return sum(int(tag["series_count"]) for tag in reply["tags"])

    with connection.execute_wrapper(watch):
        counted = [
            count("2014-01-01", "2014-01-07"),
            count("2014-02-03", "2014-02-03"),
            count("2013-01-01", "2013-12-31"),
        ]

    assert counted == [14, 12, 0]
    assert Checkpoint.objects.filter(kind="release").count() == 14
    assert sum("catalogue_chapter" in sql and "LIMIT 1" in sql for sql in read) == 2 * len(counted)


def test_checkpoints_of_a_new_load_are_never_read_with_the_history_of_the_old_one(
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
