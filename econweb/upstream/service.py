"""The interface of this package: one function for each request of the contract."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from sys import getsizeof
from typing import TypedDict

import msgspec
from django.conf import settings
from django.core.cache import caches
from django.utils import timezone

from econweb.upstream.cache.answers import AnswerCache
from econweb.upstream.cache.store import Store
from econweb.upstream.client import EconClient
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import BadReply, NotInPeriod
from econweb.upstream.limits.circuit_breaker import CircuitBreaker
from econweb.upstream.limits.key_status import KeyStatus
from econweb.upstream.limits.rate_limit import RateLimit
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.upstream.records import FetchedTags, Series, SeriesPage, SeriesReply, Tag, TagPage
from econweb.upstream.redaction import redact_packed
from econweb.upstream.replies.decode import decode_series
from econweb.upstream.tags.fetch import fetch_tags
from econweb.upstream.tags.partial_pages import PartialPages
from econweb.upstream.tags.tag_set import TagSet
from econweb.upstream.transport.exchange import new_session
from econweb.upstream.transport.in_process import InProcessHandler, WSGIAdapter
from econweb.upstream.transport.network import MIB, DeadlineAdapter

# A reserved name (RFC 2606), which no request from outside may use as its host.
EMBEDDED = "http+wsgi://embedded.invalid"
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
    """Request a series (spec 4.2)."""
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
            raise BadReply("The service's reply is about another series than was asked for.")
        return redact_packed(client.api_key, msgspec.msgpack.encode(reply))

    return SeriesPage(*upstream().series_replies.get(_key("series", parameters), fetch, renew))


def cached_series(query: SeriesQuery) -> SeriesPage | None:
    """Return the cached series, fresh or stale, without a request."""
    cached = upstream().series_replies.get_cached(_key("series", query.parameters()))
    return SeriesPage(*cached) if cached else None


def remember_missing(query: SeriesQuery, reason: str, seconds: float = MISSING_SECONDS) -> None:
    """Store why a series cannot be loaded, so that no list requests it again."""
    upstream().store.put(_missing_key(query), reason.encode(), seconds)


def missing_reason(query: SeriesQuery) -> str:
    """Return the stored reason, or an empty text."""
    return (upstream().store.get(_missing_key(query)) or b"").decode(errors="replace")


def refuses_past(series_id: str) -> bool:
    """Return True if the service recently refused a past period of the series, and answered for none."""
    return upstream().store.get(_past_key(series_id)) == _REFUSED


def tags(kind: str, number: int, query: TagQuery, renew: bool = False) -> TagPage:
    """Request the tags of a category or release (spec 4.3 and 4.4)."""
    endpoint, parameters = f"{kind}/tags", _tag_parameters(kind, number, query)
    key = _key(endpoint, parameters)

    def fetch(deadline: Deadline) -> bytes:
        client = upstream().client
        is_current = not {"realtime_start", "realtime_end"} <= parameters.keys()
        pages = PartialPages(upstream().store, key, client.api_key, is_current)
        fetched = fetch_tags(client, endpoint, parameters, deadline, pages)
        return redact_packed(client.api_key, msgspec.msgpack.encode(fetched))

    tag_set, freshness = upstream().tag_sets.get(key, fetch, renew)
    return tag_set.page(query, freshness)


def cached_tags(kind: str, number: int, query: TagQuery) -> TagPage | None:
    """Return the cached tags of a category or release, fresh or stale, without a request."""
    cached = upstream().tag_sets.get_cached(_key(f"{kind}/tags", _tag_parameters(kind, number, query)))
    return cached[0].page(query, cached[1]) if cached else None


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


def _tag_parameters(kind: str, number: int, query: TagQuery) -> dict[str, str]:
    return {f"{kind}_id": str(number)} | query.source_parameters()


def _key(endpoint: str, parameters: Mapping[str, str]) -> str:
    """Return the cache key of a request; the API key does not influence the answer."""
    parts = [settings.ECON_BASE_URL, settings.ECON_SERVICE_PATH, endpoint, sorted(parameters.items())]
    return hashlib.blake2b(msgspec.msgpack.encode(parts), digest_size=16).hexdigest()


def _missing_key(query: SeriesQuery) -> str:
    return f"{_key('series', query.parameters())}.missing"


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
        _build_client(store),
        series_replies=AnswerCache(store, _decode_series_reply, *times),
        tag_sets=AnswerCache(store, _decode_tag_set, *times),
    )


def _build_client(store: Store) -> EconClient:
    session, embedded = new_session(), not settings.ECON_BASE_URL
    api_key = settings.CATALOGUE_OWN_KEY if embedded else settings.ECON_API_KEY
    if embedded:
        session.mount(EMBEDDED, WSGIAdapter(InProcessHandler()))
    session.mount("https://", DeadlineAdapter())
    session.mount("http://", DeadlineAdapter())
    return EconClient(
        base_url=settings.ECON_BASE_URL or EMBEDDED,
        service_path="econ" if embedded else settings.ECON_SERVICE_PATH,
        api_key=api_key,
        file_type=settings.ECON_FILE_TYPE,
        timeout=settings.ECON_TIMEOUT,
        session=session,
        breaker=CircuitBreaker(store, 1.1 * settings.ECON_TIMEOUT + 1),
        key=KeyStatus(store, api_key),
        rate_limit=None if embedded else RateLimit(store, settings.ECON_REQUESTS_PER_MINUTE),
    )
