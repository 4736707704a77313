"""A listing that ends too early or never: twenty pages are read at most."""

import pytest

from tests.upstream.fake_tag_service import ListingService, Reply, changed, fetched, told
from tests.upstream.sample_replies import a_tag

AGAIN = "The data provider sent the same tags again and again; there may be more than these."


def test_listing_follows_limit_of_one() -> None:
    service = ListingService(3)
    service.habit = lambda reply, asked, number: {**reply, "limit": 1, "tags": reply["tags"][:1]}

    assert (len(fetched(service).tags), len(service.asked)) == (3, 4)


def test_listing_stops_if_offset_is_ignored() -> None:
    """U28"""
    service = ListingService(1500)
    service.habit = lambda reply, asked, number: {**reply, "tags": service.tags[:1000]}

    found = fetched(service)

    assert len(found.tags) == 1000
    assert len(service.asked) == 2
    assert found.is_truncated
    assert AGAIN in told(found)


def test_listing_reads_rows_of_twenty_pages_at_most() -> None:
    """U28"""
    service = ListingService(25_000)
    service.habit = lambda reply, asked, number: {**reply, "tags": service.tags[int(asked["offset"]) :]}

    found = fetched(service)

    assert (len(found.tags), found.is_truncated, len(service.asked)) == (20_000, True, 1)
    assert told(found) == ("There are more tags than the 20,000 that were read.",)


def test_listing_continues_after_short_page() -> None:
    service = ListingService(2500)
    service.habit = lambda reply, asked, number: {**reply, "tags": reply["tags"][:999]}

    found = fetched(service)

    assert (len(found.tags), found.is_truncated, told(found), len(service.asked)) == (2500, False, (), 3)


def test_listing_without_end_stops_after_twenty_pages() -> None:
    """U28"""

    def more(reply: Reply, asked: dict[str, str], number: int) -> Reply:
        tags = [a_tag(name=f"{number} {row}") for row in range(1000)]
        return {**reply, "tags": tags, "count": 10**6}

    service = ListingService(0, more)
    found = fetched(service)

    assert (len(service.asked), len(found.tags), found.is_truncated, found.series) == (20, 20_000, True, None)
    assert told(found) == ("There are more tags than the 20,000 that were read.",)


def test_listing_of_as_many_tags_as_are_read_is_whole() -> None:
    found = fetched(ListingService(20_000))

    assert (len(found.tags), found.is_truncated, told(found)) == (20_000, False, ())


@pytest.mark.parametrize("count", [None, 1000, 20_001])
def test_listing_of_twenty_full_pages_is_truncated_without_a_count_that_fits(count: int | None) -> None:
    """A count of 1,000 is that of the rows of each reply, and says nothing about more."""
    found = fetched(ListingService(20_001, changed(count=count)))

    assert (len(found.tags), found.is_truncated) == (20_000, True)
