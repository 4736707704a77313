"""The interface of this package: one function for each request of the contract."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from sys import getsizeof
from typing import TypedDict

import msgspec
from django.conf import settings
from django.core.cache import caches
from django.utils import timezone

from econweb.redaction import redact_packed
from econweb.upstream.background import run_in_background
from econweb.upstream.cache.answers import AnswerCache
from econweb.upstream.cache.keys import make_key
from econweb.upstream.cache.series_failures import MISSING_SECONDS, SeriesFailures
from econweb.upstream.cache.store import Store
from econweb.upstream.client import EconClient
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import BadReply, NotInPeriod
from econweb.upstream.fetched_series import FetchedSeries, newest_by_id
from econweb.upstream.new_client import build_client
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.upstream.records import (
    FetchedTags,
    Freshness,
    Series,
    SeriesFailure,
    SeriesPage,
    SeriesReply,
    Tag,
    TagCounts,
    TagPage,
)
from econweb.upstream.replies.decode import decode_series
from econweb.upstream.tags.fetch import fetch_tags
from econweb.upstream.tags.partial_pages import PartialPages
from econweb.upstream.tags.stored_sets import StoredSets
from econweb.upstream.tags.tag_set import TagSet
from econweb.upstream.transport.network import MIB

# For a cache inside this process; a shared one has its own bound. It holds 150 sets of 1,000 tags as bytes, and the
# decoded answers only 40, at 2.5 times the memory. Decoding a set takes 1.4 ms, and fetching it spends the rate limit.
MAX_STORE_BYTES = 24 * MIB
# Notes may have any length: a long record counts as several.
BYTES_PER_RECORD = 600
# Even a set without tags takes memory.
MIN_RECORDS_PER_SET = 40


@dataclass(frozen=True)
class Upstream:
    """The objects that live as long as the process."""

    store: Store
    client: EconClient
    series_replies: AnswerCache[SeriesReply]
    tag_sets: AnswerCache[TagSet]
    failures: SeriesFailures
    fetched_series: FetchedSeries
    stored_sets: StoredSets


def series(query: SeriesQuery, renew: bool = False, may_be_stale: bool = True) -> SeriesPage:
    """Request a series (contract: GET /series)."""

    def fetch(deadline: Deadline) -> bytes:
        client = upstream().client
        try:
            reply = decode_series(client.get("series", query.service_parameters(), deadline), client.file_type)
        except NotInPeriod:
            _remember_past(query, is_there=False)
            raise
        _remember_past(query, is_there=True)
        if any(series.id.upper() != query.series_id.upper() for series in reply.seriess):
            raise BadReply("The data provider's reply is about another series than was asked for.")
        packed = redact_packed(client.api_key, msgspec.msgpack.encode(reply))
        if reply.seriess and (not query.realtime_end or query.realtime_end >= timezone.localdate()):
            _remember_fetched(packed)
        return packed

    return SeriesPage(*upstream().series_replies.get(_series_key(query), fetch, renew, may_be_stale))


def cached_series(query: SeriesQuery) -> SeriesPage | None:
    """Return the cached series, fresh or stale, without a request."""
    cached = upstream().series_replies.get_cached(_series_key(query))
    return SeriesPage(*cached) if cached else None


def take_fetched_series() -> list[Series]:
    """Return the newest version of each series that a service, not the embedded one, sent since the last call."""
    return upstream().fetched_series.take()


def decoded_series() -> dict[str, Series]:
    """Return the newest version of each series in the replies that this process has decoded, by id."""
    return newest_by_id(upstream().series_replies.decoded_entries())


def remember_failure(query: SeriesQuery, failure: SeriesFailure, seconds: float = MISSING_SECONDS) -> None:
    """Store why a series cannot be loaded, so that no list requests it again."""
    upstream().failures.remember(_series_key(query), failure, seconds)


def get_failure(query: SeriesQuery) -> SeriesFailure:
    """Return the stored failure, or one without a message."""
    return upstream().failures.get(_series_key(query))


def is_past_refused(series_id: str) -> bool:
    """Return True if the service recently refused a past period of the series, and answered for none."""
    return upstream().failures.is_past_refused(_series_key(SeriesQuery(series_id)))


def tags(kind: str, number: int, query: TagQuery, renew: bool = False, may_be_stale: bool = True) -> TagPage:
    """Request tags (contract: GET /category/tags, GET /release/tags)."""

    def fetch(deadline: Deadline) -> bytes:
        fetched = _fetch_tags(kind, number, query, deadline)
        return redact_packed(upstream().client.api_key, msgspec.msgpack.encode(fetched))

    tag_set, freshness = upstream().tag_sets.get(_tags_key(kind, number, query), fetch, renew, may_be_stale)
    return tag_set.page(query, freshness)


def series_in_background(query: SeriesQuery) -> SeriesPage:
    """Request a series; raise Busy at once while users wait or the share is used up."""
    check_idle()
    return run_in_background(lambda: series(query, renew=True, may_be_stale=False))


def tags_in_background(kind: str, number: int) -> TagPage:
    """Request all tags of a category or release; raise Busy at once while users wait or the share is used up."""
    check_idle()
    return run_in_background(lambda: tags(kind, number, TagQuery(), renew=True, may_be_stale=False))


def check_idle() -> None:
    """Raise Busy while users wait for the service, or the share for requests in the background is used up."""
    upstream().client.check_idle()


def cached_tags(kind: str, number: int, query: TagQuery) -> TagPage | None:
    """Return the cached tags of a category or release, fresh or stale, without a request."""
    cached = upstream().tag_sets.get_cached(_tags_key(kind, number, query))
    return cached[0].page(query, cached[1]) if cached else None


def stored_tags(key: str, load: Callable[[], FetchedTags], query: TagQuery, fetched: datetime) -> TagPage:
    """Return a view of tags that are stored elsewhere, and that never change under this key."""
    return upstream().stored_sets.get(key, load).page(query, Freshness(fetched))


def known_tag_counts(kind: str, numbers: Iterable[int]) -> dict[int, TagCounts]:
    """Return the counts of those categories or releases whose tags are in the memory of this process."""
    known = {}
    for number in numbers:
        if found := upstream().tag_sets.get_decoded(_tags_key(kind, number, TagQuery())):
            tag_set, freshness = found
            known[number] = TagCounts(len(tag_set.by_name), tag_set.fetched.series, freshness.fetched)
    return known


class State(TypedDict):
    """The state of the limits; `allowance_left` is None without a rate limit, and `failure` says what failed last."""

    breaker: str
    failure: str
    allowance_left: int | None
    key: str


def state() -> State:
    """Return the state as this process sees it, without a request."""
    client = upstream().client
    breaker, available = client.breaker, client.rate_limit.available() if client.rate_limit else None
    return State(
        breaker=breaker.state(), failure=breaker.failure(), allowance_left=available, key=client.key_status.state()
    )


def _fetch_tags(kind: str, number: int, query: TagQuery, deadline: Deadline) -> FetchedTags:
    client, parameters = upstream().client, _tag_parameters(kind, number, query)
    is_current = not {"realtime_start", "realtime_end"} <= parameters.keys()
    pages = PartialPages(upstream().store, _tags_key(kind, number, query), client.api_key, is_current)
    return fetch_tags(client, f"{kind}/tags", parameters, deadline, pages)


def _tag_parameters(kind: str, number: int, query: TagQuery) -> dict[str, str]:
    return {f"{kind}_id": str(number)} | query.service_parameters()


def _series_key(query: SeriesQuery) -> str:
    return make_key("series", query.service_parameters())


def _tags_key(kind: str, number: int, query: TagQuery) -> str:
    return make_key(f"{kind}/tags", _tag_parameters(kind, number, query))


def _remember_past(query: SeriesQuery, is_there: bool) -> None:
    upstream().failures.remember_past(_series_key(SeriesQuery(query.series_id)), query, is_there)


def _remember_fetched(packed: bytes) -> None:
    """Note a series without the API key; the embedded catalogue is in the index as a whole."""
    if settings.ECON_MAY_STORE and settings.ECON_BASE_URL:
        upstream().fetched_series.add(msgspec.msgpack.decode(packed, type=SeriesReply).seriess[-1])


def _decode_tag_set(value: bytes) -> tuple[TagSet, int]:
    tag_set = TagSet(msgspec.msgpack.decode(value, type=FetchedTags))
    return tag_set, max(MIN_RECORDS_PER_SET, len(tag_set.by_name), _memory_size(tag_set.by_name) // BYTES_PER_RECORD)


def _decode_series_reply(value: bytes) -> tuple[SeriesReply, int]:
    reply = msgspec.msgpack.decode(value, type=SeriesReply)
    return reply, max(10, _memory_size(reply.seriess) // BYTES_PER_RECORD)


def _memory_size(records: Iterable[Series | Tag]) -> int:
    """Return the bytes in memory: one character beyond ASCII makes Python store the whole text wider."""
    return sum(sum(map(getsizeof, msgspec.structs.astuple(record))) for record in records)


@cache
def upstream() -> Upstream:
    """Create the objects of this process for the service in the settings."""
    store = Store(caches["default"], None if settings.CACHE_URL else MAX_STORE_BYTES)
    times = (settings.ECON_FRESH_SECONDS, settings.ECON_STALE_SECONDS, settings.ECON_TIMEOUT)
    return Upstream(
        store,
        build_client(store),
        series_replies=AnswerCache(store, _decode_series_reply, *times),
        tag_sets=AnswerCache(store, _decode_tag_set, *times),
        failures=SeriesFailures(store),
        fetched_series=FetchedSeries(),
        stored_sets=StoredSets(),
    )
