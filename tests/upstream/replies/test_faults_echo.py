"""The echo of a request in the reply: it may be missing, and a differing one is a warning."""

import pytest

from tests.upstream.fake_tag_service import Habit, ListingService, changed, fetched, told


def without(name: str) -> Habit:
    return lambda reply, asked, number: {key: value for key, value in reply.items() if key != name}


@pytest.mark.parametrize("name", ["count", "order_by", "sort_order", "offset", "limit"])
def test_missing_echo_is_accepted(name: str) -> None:
    """U26, U27"""
    found = fetched(ListingService(1500, without(name)))

    assert (len(found.tags), told(found), found.is_truncated) == (1500, (), False)


def test_tag_set_has_requested_and_echoed_parameters() -> None:
    found = fetched(ListingService(1500), search_text="gross")

    asked = {"order_by": "name", "sort_order": "asc", "offset": "1000", "limit": "1000"}
    assert {name: found.requested[name] for name in asked} == {name: found.echoed[name] for name in asked} == asked


def test_echo_of_another_period_is_a_warning() -> None:
    """U29"""
    service = ListingService(1500, changed(realtime_start="2026-11-02", realtime_end="2026-11-20"))
    found = fetched(service, realtime_start="2026-11-01", realtime_end="2026-11-20")

    assert (found.requested["realtime_start"], found.echoed["realtime_start"]) == ("2026-11-01", "2026-11-02")
    assert told(found) == (
        "The data provider was asked for realtime_start 2026-11-01 and says that it applied 2026-11-02.",
    )
    # The other pages are requested with the date that it applied to the first page.
    assert [asked["realtime_start"] for asked in service.asked] == ["2026-11-01", "2026-11-02"]


def test_wrong_echo_of_offset_is_logged_once() -> None:
    """U27"""
    found = fetched(ListingService(3500, changed(offset=0)))

    assert told(found) == ("The data provider was asked for offset 1000 and says that it applied 0.",)


@pytest.mark.parametrize("limit", [-1, 0, 1001, 5000])
def test_impossible_echo_of_limit_does_not_end_the_listing(limit: int) -> None:
    """U28"""
    found = fetched(ListingService(1500, changed(limit=limit)))

    assert (len(found.tags), found.is_truncated) == (1500, False)
