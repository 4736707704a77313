"""Pages that were fetched at different times: for how long they form one set, and the warning about it."""

from datetime import UTC, date, datetime
from itertools import count

import pytest

from econweb.upstream import service
from econweb.upstream.errors import UpstreamError
from econweb.upstream.queries import TagQuery
from tests.upstream.conftest import Clock
from tests.upstream.fake_tag_service import Habit, ListingService
from tests.upstream.raw_server import Peer, http

DAY = date(2026, 11, 20)
TODAY = TagQuery()


def one_page_a_try() -> Habit:
    numbers = count()
    return lambda reply, asked, number: http(b"", 500) if next(numbers) % 2 else reply


def offsets(listing: ListingService) -> list[int]:
    return [int(asked["offset"]) for asked in listing.asked]


def broken_off(query: TagQuery = TODAY) -> str:
    """Return the message that the user sees."""
    with pytest.raises(UpstreamError) as caught:
        service.tags("category", 125, query)
    return str(caught.value)


def test_partial_pages_expire_independently_of_later_ones(pointed_at: Peer, frozen_clock: Clock) -> None:
    listing = ListingService(5500, one_page_a_try())
    listing.answers(pointed_at)
    for _ in range(5):
        broken_off()
        frozen_clock.moment += 90

    assert offsets(listing)[::2] == [0, 1000, 2000, 3000, 0]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(60, ()), (61, ("The first of these tags were read 61 seconds before the last.",))],
)
def test_listing_over_a_minute_has_a_warning(
    pointed_at: Peer, frozen_clock: Clock, seconds: int, told: tuple[str, ...]
) -> None:
    listing = ListingService(1500, one_page_a_try())
    listing.answers(pointed_at)
    broken_off()
    frozen_clock.moment += seconds

    assert service.tags("category", 125, TODAY).warnings == told


@pytest.mark.parametrize(
    ("days", "again"),
    [
        ({}, True),
        ({"realtime_start": DAY}, True),
        ({"realtime_end": DAY}, True),
        ({"realtime_start": DAY, "realtime_end": DAY}, False),
    ],
)
def test_partial_pages_of_today_expire_at_midnight(
    pointed_at: Peer, frozen_clock: Clock, days: dict[str, date], again: bool
) -> None:
    listing, query = ListingService(1500, one_page_a_try()), TagQuery().replace(**days)
    listing.answers(pointed_at)
    frozen_clock.moment = datetime(2026, 11, 20, 23, 59, 58, tzinfo=UTC).timestamp()
    broken_off(query)
    frozen_clock.moment += 4
    if again:
        broken_off(query)
    else:
        service.tags("category", 125, query)

    assert offsets(listing) == ([0, 1000, 0, 1000] if again else [0, 1000, 1000])


def test_partial_pages_work_with_a_service_one_day_behind(pointed_at: Peer, frozen_clock: Clock) -> None:
    listing = ListingService(1500, one_page_a_try())
    listing.answers(pointed_at)
    frozen_clock.moment = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()
    broken_off()
    frozen_clock.moment += 4
    service.tags("category", 125, TODAY)

    assert offsets(listing) == [0, 1000, 1000]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (299, "; the next attempt continues after them."),
        (301, ", but they could not be saved; the next attempt starts over."),
    ],
)
def test_partial_pages_report_pause_longer_than_their_storage(
    pointed_at: Peer, frozen_clock: Clock, seconds: int, told: str
) -> None:
    busy = http(b"", 429, f"Retry-After: {seconds}")
    ListingService(1500, lambda reply, asked, number: busy if number else reply).answers(pointed_at)

    assert broken_off().endswith(f" 1000 tags loaded so far{told}")


def test_listing_deadline_includes_waiting(pointed_at: Peer, frozen_clock: Clock) -> None:
    failures = iter([b"", http(b"", 500), http(b"", 429, "Retry-After: 150")])
    ListingService(1500, lambda reply, asked, number: next(failures) or reply).answers(pointed_at)
    broken_off()
    frozen_clock.moment += 200

    assert broken_off().endswith(", but they could not be saved; the next attempt starts over.")
