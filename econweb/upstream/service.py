"""The interface of this package: one function for each request of the contract."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from sys import getsizeof
from typing import NamedTuple, TypedDict

import msgspec
from django.conf import settings
from django.core.cache import caches
from django.utils import timezone

from econweb.upstream import clock
from econweb.upstream.cache.answers import AnswerCache
from econweb.upstream.cache.store import Store
from econweb.upstream.client import EconClient
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import BadReply, NotInPeriod
from econweb.upstream.new_client import build_client
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.upstream.records import FetchedTags, Freshness, Series, SeriesPage, SeriesReply, Tag, TagCounts, TagPage
from econweb.upstream.redaction import redact_packed
from econweb.upstream.replies.decode import decode_series
from econweb.upstream.signals import series_fetched
from econweb.upstream.tags.fetch import fetch_tags
from econweb.upstream.tags.partial_pages import PartialPages
from econweb.upstream.tags.tag_set import TagSet
from econweb.upstream.transport.network import MIB
from econweb.upstream.visitor_limits import in_background

# For a cache inside this process; a shared one has its own bound. It holds 150 sets of 1,000 tags as bytes, and the
# decoded answers only 40, at 2.5 times the memory. Decoding a set takes 1.4 ms, and fetching it spends the rate limit.
MAX_STORE_BYTES = 24 * MIB
# Notes may have any length: a long record counts as several.
BYTES_PER_RECORD = 600
# Even a set without tags takes memory.
MIN_RECORDS_PER_SET = 40
# Loading a list of series takes minutes, longer than recent_failures.py remembers a failure.
MISSING_SECONDS = 3600.0
# The days before today for which a refusal says that a pin of today would fail as well.
LATELY = timedelta(days=31)
# How the service answered the last request for a past day of a series.
_FOUND, _REFUSED = b"found", b"refused"


@dataclass(frozen=True)
class Upstream:
    """The objects that live as long as the process."""

    store: Store
    client: EconClient
    series_replies: AnswerCache[SeriesReply]
    tag_sets: AnswerCache[TagSet]


def series(query: SeriesQuery, renew: bool = False) -> SeriesPage:
    """Request a series (contract: GET /series)."""
    parameters = query.parameters()

    def fetch(deadline: Deadline) -> bytes:
        client = upstream().client
        try:
            reply = decode_series(client.get("series", parameters, deadline), client.file_type)
        except NotInPeriod:
            _remember_past(query, is_there=False)
            raise
        _remember_past(query, is_there=True)
        if any(series.id.upper() != query.series_id.upper() for series in reply.seriess):
            raise BadReply("The data provider's reply is about another series than was asked for.")
        packed = redact_packed(client.api_key, msgspec.msgpack.encode(reply))
        if reply.seriess and (not query.realtime_end or query.realtime_end >= timezone.localdate()):
            newest = msgspec.msgpack.decode(packed, type=SeriesReply).seriess[-1]
            series_fetched.send(SeriesReply, series=newest)
        return packed

    return SeriesPage(*upstream().series_replies.get(_key("series", parameters), fetch, renew))


def cached_series(query: SeriesQuery) -> SeriesPage | None:
    """Return the cached series, fresh or stale, without a request."""
    cached = upstream().series_replies.get_cached(_key("series", query.parameters()))
    return SeriesPage(*cached) if cached else None


def cached_records() -> list[Series]:
    """Return the newest version of each series in the replies that this process has decoded."""
    return [reply.seriess[-1] for reply in upstream().series_replies.decoded_values() if reply.seriess]


class SeriesFailure(NamedTuple):
    """Why a series cannot be loaded; a temporary failure does not say that there is no such series."""

    message: str = ""
    is_temporary: bool = False


NO_FAILURE = SeriesFailure()


def remember_failure(query: SeriesQuery, failure: SeriesFailure, seconds: float = MISSING_SECONDS) -> None:
    """Store why a series cannot be loaded, so that no list requests it again."""
    upstream().store.put(_failure_key(query), msgspec.msgpack.encode(failure), seconds)


def remembered_failure(query: SeriesQuery) -> SeriesFailure:
    """Return the stored failure, or one without a message."""
    try:
        return msgspec.msgpack.decode(upstream().store.get(_failure_key(query)) or b"", type=SeriesFailure)
    except msgspec.MsgspecError:
        return NO_FAILURE


def refuses_past(series_id: str) -> bool:
    """Return True if the service recently refused a past period of the series, and answered for none."""
    return upstream().store.get(_past_key(series_id)) == _REFUSED


def tags(kind: str, number: int, query: TagQuery, renew: bool = False) -> TagPage:
    """Request tags (contract: GET /category/tags, GET /release/tags)."""
    key = _key(f"{kind}/tags", _tag_parameters(kind, number, query))

    def fetch(deadline: Deadline) -> bytes:
        fetched = _fetch_tags(kind, number, query, deadline)
        return redact_packed(upstream().client.api_key, msgspec.msgpack.encode(fetched))

    tag_set, freshness = upstream().tag_sets.get(key, fetch, renew)
    return tag_set.page(query, freshness)


def tags_in_background(kind: str, number: int) -> TagPage:
    """Request all tags of a category or release; raise Busy at once while users wait or the share is used up.

    The embedded service has no share: its answers do not push those of users out of the cache.
    """
    client = upstream().client
    client.check_idle()
    token = in_background.set(True)
    try:
        if client.rate_limit:
            return tags(kind, number, TagQuery(), renew=True)
        fetched = datetime.fromtimestamp(clock.now(), UTC)
        tag_set = TagSet(_fetch_tags(kind, number, TagQuery(), Deadline(client.timeout)))
        return tag_set.page(TagQuery(), Freshness(fetched))
    finally:
        in_background.reset(token)


def cached_tags(kind: str, number: int, query: TagQuery) -> TagPage | None:
    """Return the cached tags of a category or release, fresh or stale, without a request."""
    cached = upstream().tag_sets.get_cached(_key(f"{kind}/tags", _tag_parameters(kind, number, query)))
    return cached[0].page(query, cached[1]) if cached else None


def known_tag_counts(kind: str, numbers: Iterable[int]) -> dict[int, TagCounts]:
    """Return the counts of those categories or releases whose tags are in the memory of this process."""
    query, known = TagQuery(), {}
    for number in numbers:
        name = _key(f"{kind}/tags", _tag_parameters(kind, number, query))
        if found := upstream().tag_sets.get_decoded(name):
            tag_set, freshness = found
            known[number] = TagCounts(len(tag_set.by_name), tag_set.fetched.series, freshness.fetched)
    return known


class State(TypedDict):
    """The state of the limits; `allowance_left` is None without a rate limit."""

    breaker: str
    allowance_left: int | None
    key: str


def state() -> State:
    """Return the state as this process sees it, without a request."""
    client = upstream().client
    available = client.rate_limit.available() if client.rate_limit else None
    return {"breaker": client.breaker.state(), "allowance_left": available, "key": client.key.state()}


def _fetch_tags(kind: str, number: int, query: TagQuery, deadline: Deadline) -> FetchedTags:
    client, endpoint, parameters = upstream().client, f"{kind}/tags", _tag_parameters(kind, number, query)
    is_current = not {"realtime_start", "realtime_end"} <= parameters.keys()
    pages = PartialPages(upstream().store, _key(endpoint, parameters), client.api_key, is_current)
    return fetch_tags(client, endpoint, parameters, deadline, pages)


def _tag_parameters(kind: str, number: int, query: TagQuery) -> dict[str, str]:
    return {f"{kind}_id": str(number)} | query.source_parameters()


def _key(endpoint: str, parameters: Mapping[str, str]) -> str:
    """Return the cache key of a request; the API key does not influence the answer."""
    parts = [settings.ECON_BASE_URL, settings.ECON_SERVICE_PATH, endpoint, sorted(parameters.items())]
    return hashlib.blake2b(msgspec.msgpack.encode(parts), digest_size=16).hexdigest()


def _failure_key(query: SeriesQuery) -> str:
    return f"{_key('series', query.parameters())}.failure"


def _past_key(series_id: str) -> str:
    return f"{_key('series', SeriesQuery(series_id).parameters())}.past"


def _remember_past(query: SeriesQuery, is_there: bool) -> None:
    """Remember how the service answered for a past day: one day found outweighs all refused ones.

    A refused day of long ago says nothing about today: the series may have begun since.
    """
    key, end, today = _past_key(query.series_id), query.realtime_end, timezone.localdate()
    if is_there and end and end < today:
        upstream().store.put(key, _FOUND, MISSING_SECONDS)
    elif not is_there and end and today - LATELY <= end <= today and upstream().store.get(key) != _FOUND:
        upstream().store.put(key, _REFUSED, MISSING_SECONDS)


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
    )
