"""Faults of a listing over several pages: it ends, it is complete, or it says that it is not."""

import time
from datetime import date

import pytest

from econweb.upstream.errors import BadReply, Refused, Unavailable, UpstreamError
from tests.upstream.client_calls import A_BUSY_MACHINE, a_client, leaks_nothing
from tests.upstream.fake_tag_service import Habit, ListingService, Reply, changed, fetched, goes_on, listed, told
from tests.upstream.raw_server import Peer, http
from tests.upstream.sample_replies import a_tag

DOWN = "The data provider is not available at the moment (status 500)."
REPEATED = "The data provider sent some tags more than once; the first of each is shown."


@pytest.mark.parametrize(("size", "requests"), [(0, 1), (1, 1), (999, 1), (1000, 2), (1001, 2), (2000, 3), (2345, 3)])
def test_listing_sends_one_request_per_page(size: int, requests: int) -> None:
    service = ListingService(size)

    found = fetched(service)

    assert [tag.name for tag in found.tags] == [tag["name"] for tag in service.tags]
    assert (found.is_truncated, told(found), len(service.asked)) == (False, (), requests)


def test_listing_requests_have_order_direction_and_offset() -> None:
    """U27"""
    service = ListingService(1500)

    fetched(service, search_text="gross national")

    words = ("category_id", "search_text", "order_by", "sort_order", "limit", "offset")
    assert [[asked[word] for word in words] for asked in service.asked] == [
        ["125", "gross national", "name", "asc", "1000", "0"],
        ["125", "gross national", "name", "asc", "1000", "1000"],
    ]


def test_listing_pages_have_period_of_the_first() -> None:
    """U38"""

    def after_midnight(reply: Reply, asked: dict[str, str], number: int) -> Reply:
        today = "2026-11-20" if number == 0 else "2026-11-21"
        return {**reply, **{name: asked.get(name, today) for name in ("realtime_start", "realtime_end")}}

    service = ListingService(1500, after_midnight)
    found = fetched(service)

    assert "realtime_start" not in service.asked[0]
    assert service.asked[1]["realtime_start"] == service.asked[1]["realtime_end"] == "2026-11-20"
    assert (found.realtime_start, told(found)) == (date(2026, 11, 20), ())


def count_of_rows(reply: Reply, asked: dict[str, str], number: int) -> Reply:
    return {**reply, "count": len(reply["tags"])}


def own_limit(reply: Reply, asked: dict[str, str], number: int) -> Reply:
    return {**reply, "limit": 100, "tags": reply["tags"][:100]}


HABITS: dict[str, tuple[Habit, int, list[str]]] = {
    "U26 counts rows": (
        count_of_rows,
        1500,
        ["The data provider changed the number of tags while its pages were read."],
    ),
    "U26 counts nothing": (changed(count=0), 1500, ["The data provider counts 0 tags and sent 1,500."]),
    "U26 counts too many": (changed(count=7000), 1500, ["The data provider counts 7,000 tags and sent 1,500."]),
    "U27 says another order": (
        changed(order_by="series_count", sort_order="desc"),
        1500,
        [
            "The data provider was asked for order_by name and says that it applied series_count.",
            "The data provider was asked for sort_order asc and says that it applied desc.",
        ],
    ),
    "U28 has a limit of its own": (
        own_limit,
        1500,
        ["The data provider was asked for limit 1000 and says that it applied 100."],
    ),
}


@pytest.mark.parametrize(("habit", "rows", "warnings"), HABITS.values(), ids=HABITS)
def test_listing_deviation_is_a_warning(habit: Habit, rows: int, warnings: list[str]) -> None:
    found = fetched(ListingService(1500, habit))

    assert len(found.tags) == rows
    assert list(told(found)) == warnings
    assert not found.is_truncated


def test_listing_accepts_unsorted_rows() -> None:
    """U27"""

    def backwards(reply: Reply, asked: dict[str, str], number: int) -> Reply:
        return {**reply, "tags": reply["tags"][::-1]}

    found = fetched(ListingService(1500, backwards))

    assert (len(found.tags), told(found)) == (1500, ())


def test_listing_accepts_all_rows_if_limit_is_ignored() -> None:
    """U28"""
    service = ListingService(1500)
    service.habit = lambda reply, asked, number: {**reply, "tags": service.tags[int(asked["offset"]) :]}

    found = fetched(service)

    assert (len(found.tags), found.is_truncated) == (1500, False)


def test_listing_of_overlapping_pages_has_each_tag_once() -> None:
    """U25"""
    service = ListingService(1500)

    def shifted(reply: Reply, asked: dict[str, str], number: int) -> Reply:
        offset = max(0, int(asked["offset"]) - 10)
        return {**reply, "tags": service.tags[offset : offset + 1000]}

    service.habit = shifted
    found = fetched(service)

    assert len({tag.name for tag in found.tags}) == len(found.tags) == 1500
    assert REPEATED in told(found)


def test_listing_that_shrinks_is_a_warning() -> None:
    """U26"""
    service = ListingService(1500)

    def shrinks(reply: Reply, asked: dict[str, str], number: int) -> Reply:
        return {**reply, "count": 1500 - number, "tags": reply["tags"][: 1000 - 1000 * number]}

    service.habit = shrinks
    found = fetched(service)

    assert len(found.tags) == 1000
    assert "The data provider changed the number of tags while its pages were read." in told(found)


def test_listing_with_changed_period_is_a_warning() -> None:
    """U29, U38"""

    def moves(reply: Reply, asked: dict[str, str], number: int) -> Reply:
        return {**reply, "realtime_start": f"2026-11-0{number + 1}"}

    found = fetched(ListingService(1500, moves))

    assert found.realtime_start == date(2026, 11, 1)
    assert "The data provider changed the real-time period while its pages were read." in told(found)


def test_listing_keeps_first_record_of_repeated_tag() -> None:
    """U25"""
    service = ListingService(0)
    service.tags = [a_tag(series_count=1), a_tag(series_count=2), a_tag(group_id="geot", series_count=3)]

    found = fetched(service)

    assert [(tag.group_id, tag.series_count) for tag in found.tags] == [("geo", 1), ("geot", 3)]
    assert told(found) == (REPEATED,)


BAD_SECOND: dict[str, tuple[Habit, type[UpstreamError], str]] = {
    "U24 rows that are none": (
        lambda reply, asked, number: {**reply, "tags": "many"} if number else reply,
        BadReply,
        "The data provider's reply does not follow the contract: Expected `array`, got `str` - at `$.tags`.",
    ),
    "U13 down": (
        lambda reply, asked, number: http(b"", 500) if number else reply,
        Unavailable,
        f"{DOWN} 1000 tags loaded so far; the next attempt continues after them.",
    ),
    "U14 refused": (
        lambda reply, asked, number: http(b'{"error_message":"No offset."}', 400) if number else reply,
        Refused,
        "No offset.",
    ),
}


@pytest.mark.parametrize(("habit", "kind", "words"), BAD_SECOND.values(), ids=BAD_SECOND)
def test_listing_fails_with_one_bad_page(peer: Peer, habit: Habit, kind: type[UpstreamError], words: str) -> None:
    ListingService(1500, habit).answers(peer)
    client = a_client(peer.url)
    begun = time.monotonic()
    with pytest.raises(UpstreamError) as caught:
        listed(client)

    assert time.monotonic() - begun <= 1.1 * client.timeout + A_BUSY_MACHINE
    assert (type(caught.value), str(caught.value)) == (kind, words)
    leaks_nothing(caught.value)
    goes_on(peer, client)
