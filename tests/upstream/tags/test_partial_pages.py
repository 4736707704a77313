"""A set that needs several tries: its pages are stored for the next try."""

import re
import uuid
from collections.abc import Callable
from itertools import count

import pytest
from django.core.cache.backends.locmem import LocMemCache
from pytest_django import Settings

from econweb.upstream import service
from econweb.upstream.cache.store import Store
from econweb.upstream.client import EconClient
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import BadReply, Busy, Unavailable
from econweb.upstream.queries import TagQuery
from econweb.upstream.records import FetchedTags
from econweb.upstream.tags.fetch import fetch_tags
from econweb.upstream.tags.partial_pages import MAX_SET_SECONDS, PartialPages
from tests.upstream.client_calls import KEY, a_client, a_store
from tests.upstream.conftest import Clock
from tests.upstream.fake_tag_service import Habit, ListingService, Reply
from tests.upstream.fake_tag_service import told as warnings_of
from tests.upstream.raw_server import Peer, http
from tests.upstream.sample_replies import a_tag, a_tags_reply, as_json

USED_UP = "This site has reached its request limit."
DOWN = "The data provider is not available at the moment (status 500)."
Clients = Callable[..., EconClient]
READ = "{} tags loaded so far; the next attempt continues after them."
NOT_KEPT = "{} tags loaded so far, but they could not be saved; the next attempt starts over."


def fetched(client: EconClient, store: Store) -> FetchedTags:
    pages = PartialPages(store, "x", client.api_key)
    return fetch_tags(client, "category/tags", {"category_id": "125"}, Deadline(10), pages)


def broken_off(client: EconClient, store: Store) -> str:
    """Return the message that the user sees."""
    with pytest.raises((Unavailable, Busy)) as caught:
        fetched(client, store)
    return str(caught.value)


def in_tries(fetch: Callable[[], FetchedTags], frozen_clock: Clock) -> tuple[FetchedTags, list[tuple[str, float]]]:
    """Return the set, and the message and pause of each try before it."""
    told: list[tuple[str, float]] = []
    for _ in range(30):
        try:
            return fetch(), told
        except Busy as error:
            told.append((str(error), round(error.retry_after, 1)))
            frozen_clock.moment += error.retry_after
    raise AssertionError(told)


def failing(at: int, answer: bytes = http(b"", 500)) -> Habit:
    """Fail at one request of all, counted from 0."""
    numbers = count()
    return lambda reply, asked, number: answer if next(numbers) == at else reply


@pytest.fixture
def a_client_of(peer: Peer) -> Clients:
    def client(listing: ListingService, per_minute: int | None = None) -> EconClient:
        listing.answers(peer)
        return a_client(peer.url, timeout=10, per_minute=per_minute)

    return client


def offsets(listing: ListingService) -> list[int]:
    return [int(asked["offset"]) for asked in listing.asked]


def test_partial_pages_complete_a_set_under_small_rate_limit(a_client_of: Clients, frozen_clock: Clock) -> None:
    listing, store = ListingService(4500), a_store()
    client = a_client_of(listing, per_minute=12)
    found, told = in_tries(lambda: fetched(client, store), frozen_clock)

    assert told == [(f"{USED_UP} {READ.format(rows)}", 5.1) for rows in (1000, 2000, 3000, 4000)]
    assert offsets(listing) == [0, 1000, 2000, 3000, 4000]
    assert (len(found.tags), found.is_truncated, warnings_of(found)) == (4500, False, ())
    assert store.get("x.pages.0") is None


def test_partial_pages_complete_a_set_after_several_requests(
    pointed_at: Peer, settings: Settings, frozen_clock: Clock
) -> None:
    settings.ECON_REQUESTS_PER_MINUTE = 12
    full = a_tags_reply(*[a_tag(name=f"tag {number}") for number in range(1000)], count=1001)
    rest = a_tags_reply(a_tag(name="the last", notes=KEY), count=1001, offset=1000)
    pointed_at.will(http(as_json(full)), http(as_json(rest)))

    with pytest.raises(Busy) as caught:
        service.tags("category", 125, TagQuery())
    frozen_clock.moment += caught.value.retry_after
    page = service.tags("category", 125, TagQuery())

    assert str(caught.value) == f"{USED_UP} {READ.format(1000)}"
    assert (page.total, page.warnings) == (1001, ())
    assert [re.search("&offset=([0-9]+)", request)[1] for request in pointed_at.requests] == ["0", "1000"]  # type: ignore[index]


def test_partial_pages_continue_an_interrupted_listing(a_client_of: Clients, frozen_clock: Clock) -> None:
    listing, store = ListingService(2500, failing(2)), a_store()
    client = a_client_of(listing)
    told = broken_off(client, store)
    found = fetched(client, store)

    assert told == f"{DOWN} {READ.format(2000)}"
    assert (offsets(listing), len(found.tags)) == ([0, 1000, 2000, 2000], 2500)


def test_partial_pages_are_not_mentioned_after_error_on_first_page(a_client_of: Clients, frozen_clock: Clock) -> None:
    listing = ListingService(2500, failing(0))
    with pytest.raises(Unavailable, match=rf"^{re.escape(DOWN)}$"):
        fetched(a_client_of(listing), a_store())


def test_partial_pages_are_discarded_after_bad_page(a_client_of: Clients, frozen_clock: Clock) -> None:
    listing, store = ListingService(2500, failing(1)), a_store()
    client = a_client_of(listing)
    broken_off(client, store)
    listing.habit = failing(0, http(b"{}"))
    with pytest.raises(BadReply):
        fetched(client, store)
    fetched(client, store)

    assert offsets(listing) == [0, 1000, 1000, 0, 1000, 2000]


def test_partial_pages_that_do_not_fit_are_a_warning(a_client_of: Clients, frozen_clock: Clock) -> None:
    listing, store = ListingService(2500), a_store()
    client = a_client_of(listing, per_minute=12)
    with pytest.raises(Busy):
        fetched(client, store)
    # Ten come before all others, so that the next page begins with what is known.
    listing.tags = [a_tag(name=f"a {number}") for number in range(10)] + listing.tags
    frozen_clock.moment += 5

    found, _ = in_tries(lambda: fetched(client, store), frozen_clock)
    assert warnings_of(found) == (
        "The data provider sent some tags more than once; the first of each is shown.",
        "The data provider changed the number of tags while its pages were read.",
    )


def test_partial_pages_keep_period_of_the_first(a_client_of: Clients, frozen_clock: Clock) -> None:
    def today(reply: Reply, asked: dict[str, str], number: int) -> Reply:
        day = "2026-11-20" if number == 0 else "2026-11-21"
        return {**reply, **{name: asked.get(name, day) for name in ("realtime_start", "realtime_end")}}

    listing, store = ListingService(2500, today), a_store()
    client = a_client_of(listing, per_minute=12)
    found, _ = in_tries(lambda: fetched(client, store), frozen_clock)

    assert (str(found.realtime_start), warnings_of(found)) == ("2026-11-20", ())


@pytest.mark.parametrize(("seconds", "again"), [(MAX_SET_SECONDS - 1, False), (MAX_SET_SECONDS + 1, True)])
def test_partial_pages_expire_in_minutes_despite_failures(
    a_client_of: Clients, frozen_clock: Clock, seconds: float, again: bool
) -> None:
    listing, store = ListingService(2500, failing(1)), a_store()
    client = a_client_of(listing)
    broken_off(client, store)
    frozen_clock.moment += MAX_SET_SECONDS / 2
    listing.habit = failing(0)
    broken_off(client, store)
    frozen_clock.moment += seconds - MAX_SET_SECONDS / 2
    fetched(client, store)

    assert (offsets(listing).count(0) == 2) is again


def test_partial_pages_ignore_garbage_in_the_store(a_client_of: Clients) -> None:
    for garbage in (b"\xff", b"\x92\x01\x01", b"\x91" * 5000):
        listing, store = ListingService(1), a_store()
        store.put("x.pages.0", garbage, 60)

        assert len(fetched(a_client_of(listing), store).tags) == 1


def test_partial_pages_are_stored_without_key(a_client_of: Clients, frozen_clock: Clock) -> None:
    listing, store = ListingService(2500, failing(1)), a_store()
    listing.tags[0]["notes"] = f"Asked with {KEY}."
    broken_off(a_client_of(listing), store)
    kept = store.get("x.pages.0") or b""
    assert b"Asked with [hidden]." in kept
    assert KEY.encode() not in kept


def a_small_store(most_bytes: int) -> Store:
    return Store(LocMemCache(uuid.uuid4().hex, {}), most_bytes)


def pages_in(store: Store) -> list[int]:
    return [number for number in range(20) if store.get(f"x.pages.{number}")]


def test_partial_pages_store_a_set_too_large_for_one_entry(a_client_of: Clients, frozen_clock: Clock) -> None:
    # A page takes 123 kB, and one entry at most a quarter of the store.
    listing, store = ListingService(4500, failing(4)), a_small_store(1_000_000)
    client = a_client_of(listing)
    told = broken_off(client, store)
    kept = pages_in(store)
    found = fetched(client, store)

    assert told == f"{DOWN} {READ.format(4000)}"
    assert (kept, len(found.tags), pages_in(store)) == ([0, 1, 2, 3], 4500, [])
    assert offsets(listing) == [0, 1000, 2000, 3000, 4000, 4000]


@pytest.mark.parametrize(
    ("most_bytes", "refused"),
    [(400_000, ""), (520_000, ""), (10**9, "x.pages.4")],
    ids=["no page fits", "not all pages fit", "one is refused"],
)
def test_partial_pages_message_states_when_not_saved(
    a_client_of: Clients, frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch, most_bytes: int, refused: str
) -> None:
    listing, store = ListingService(6500, failing(6)), a_small_store(most_bytes)
    put = store.put
    monkeypatch.setattr(store, "put", lambda name, *rest: name != refused and put(name, *rest))

    assert broken_off(a_client_of(listing), store) == f"{DOWN} {NOT_KEPT.format(6000)}"
    assert pages_in(store) == []


def test_partial_pages_are_not_saved_while_cache_is_skipped(a_client_of: Clients, frozen_clock: Clock) -> None:
    listing, store = ListingService(2500, failing(1)), a_store()
    store._back_off(1.0, "slow")

    assert broken_off(a_client_of(listing), store) == f"{DOWN} {NOT_KEPT.format(1000)}"


def test_partial_pages_are_not_joined_to_another_first_page(a_client_of: Clients, frozen_clock: Clock) -> None:
    listing, store = ListingService(3500, failing(2)), a_store()
    client = a_client_of(listing)
    broken_off(client, store)
    store.drop("x.pages.0")
    frozen_clock.moment += 1
    listing.habit = failing(1)
    broken_off(client, store)
    fetched(client, store)

    assert offsets(listing) == [0, 1000, 2000, 0, 1000, 1000, 2000, 3000]
