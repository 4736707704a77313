"""The service module: what a page may ask, one function for each request of the contract."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypedDict

import msgspec
from django.conf import settings
from django.core.cache import caches
from django.core.handlers.wsgi import WSGIHandler

from econweb.upstream.allowance import Allowance
from econweb.upstream.breaker import Breaker
from econweb.upstream.client import EconClient
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import BadReply
from econweb.upstream.exchange import new_session
from econweb.upstream.fetching import fetch_tags
from econweb.upstream.in_process import WSGIAdapter
from econweb.upstream.keeping import Keeping
from econweb.upstream.pages_read import PagesRead
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.upstream.records import SeriesPage, SeriesReply, TagPage
from econweb.upstream.redaction import without
from econweb.upstream.replies import series_reply
from econweb.upstream.store import Store
from econweb.upstream.tag_sets import FetchedTags, TagSet
from econweb.upstream.wire import MIB, Wire

EMBEDDED = "http+wsgi://embedded.invalid"
# For a cache inside this process; a shared one is bounded where it runs.
MOST_BYTES_KEPT = 24 * MIB
# Notes may be of any length: what is longer than usual counts as several records.
BYTES_OF_A_RECORD = 600
# A set without a tag holds something as well.
RECORDS_OF_A_SET = 40
# A failure is remembered for seconds (troubles.py), and to load a list of series takes minutes.
ABSENT_SECONDS = 3600.0


@dataclass(frozen=True)
class Upstream:
    """Everything that lives as long as the process."""

    store: Store
    client: EconClient
    seriess: Keeping[SeriesReply]
    tag_sets: Keeping[TagSet]


def series(query: SeriesQuery, renew: bool = False) -> SeriesPage:
    """Spec 4.2."""
    parameters = query.parameters()

    def fetch(deadline: Deadline) -> bytes:
        client = upstream().client
        reply = series_reply(client.get("series", parameters, deadline), client.file_type)
        if any(series.id.upper() != query.series_id.upper() for series in reply.seriess):
            raise BadReply("The service's reply is about another series than was asked for.")
        return without(client.api_key, msgspec.msgpack.encode(reply))

    return SeriesPage(*upstream().seriess.get(_name("series", parameters), fetch, renew))


def kept_series(query: SeriesQuery) -> SeriesPage | None:
    """What is known of a series without asking."""
    kept = upstream().seriess.kept(_name("series", query.parameters()))
    return SeriesPage(*kept) if kept else None


def note_absent(query: SeriesQuery, words: str, seconds: float = ABSENT_SECONDS) -> None:
    """Why a series cannot be had, so that no list asks for it twice."""
    upstream().store.put(_absence(query), words.encode(), seconds)


def absent(query: SeriesQuery) -> str:
    """The words that were noted; empty when there are none."""
    return (upstream().store.get(_absence(query)) or b"").decode(errors="replace")


def category_tags(category_id: int, query: TagQuery, renew: bool = False) -> TagPage:
    """Spec 4.3."""
    return _tags("category/tags", {"category_id": str(category_id)}, query, renew)


def release_tags(release_id: int, query: TagQuery, renew: bool = False) -> TagPage:
    """Spec 4.4."""
    return _tags("release/tags", {"release_id": str(release_id)}, query, renew)


def kept_tags(kind: str, number: int, query: TagQuery) -> TagPage | None:
    """What is known of the tags of a category or a release without asking."""
    parameters = {f"{kind}_id": str(number)} | query.source_parameters()
    found = upstream().tag_sets.kept(_name(f"{kind}/tags", parameters))
    return found[0].page(query, found[1]) if found else None


class State(TypedDict):
    """How asking goes at the moment; `allowance_left` is None where there is none to keep."""

    breaker: str
    allowance_left: int | None


def state() -> State:
    """Seen from here, without asking."""
    client = upstream().client
    left = client.allowance.left() if client.allowance else None
    return {"breaker": client.breaker.state(), "allowance_left": left}


def _tags(endpoint: str, source: dict[str, str], query: TagQuery, renew: bool) -> TagPage:
    parameters = source | query.source_parameters()
    name = _name(endpoint, parameters)

    def fetch(deadline: Deadline) -> bytes:
        client = upstream().client
        of_today = not {"realtime_start", "realtime_end"} <= parameters.keys()
        pages = PagesRead(upstream().store, name, client.api_key, of_today)
        fetched = fetch_tags(client, endpoint, parameters, deadline, pages)
        return without(client.api_key, msgspec.msgpack.encode(fetched))

    tag_set, kept = upstream().tag_sets.get(name, fetch, renew)
    return tag_set.page(query, kept)


def _name(endpoint: str, parameters: Mapping[str, str]) -> str:
    """What is kept, by all that it depends on; the key is not among it."""
    asked = [settings.ECON_BASE_URL, settings.ECON_SERVICE_PATH, endpoint, sorted(parameters.items())]
    return hashlib.blake2b(msgspec.msgpack.encode(asked), digest_size=16).hexdigest()


def _absence(query: SeriesQuery) -> str:
    return f"{_name('series', query.parameters())}.absent"


def _tag_set(value: bytes) -> tuple[TagSet, int]:
    tag_set = TagSet(msgspec.msgpack.decode(value, type=FetchedTags))
    return tag_set, max(RECORDS_OF_A_SET, len(tag_set.by_name), len(value) // BYTES_OF_A_RECORD)


def _series_reply(value: bytes) -> tuple[SeriesReply, int]:
    return msgspec.msgpack.decode(value, type=SeriesReply), max(10, len(value) // BYTES_OF_A_RECORD)


@cache
def upstream() -> Upstream:
    """The one of this process, for the service that the settings name."""
    store = Store(caches["default"], None if settings.CACHE_URL else MOST_BYTES_KEPT)
    times = (settings.ECON_FRESH_SECONDS, settings.ECON_STALE_SECONDS, settings.ECON_TIMEOUT)
    return Upstream(
        store,
        _client(store),
        seriess=Keeping(store, _series_reply, *times),
        tag_sets=Keeping(store, _tag_set, *times),
    )


def _client(store: Store) -> EconClient:
    session, embedded = new_session(), not settings.ECON_BASE_URL
    if embedded:
        session.mount(EMBEDDED, WSGIAdapter(WSGIHandler()))
    session.mount("https://", Wire())
    session.mount("http://", Wire())
    return EconClient(
        base_url=settings.ECON_BASE_URL or EMBEDDED,
        service_path="econ" if embedded else settings.ECON_SERVICE_PATH,
        api_key=settings.CATALOGUE_OWN_KEY if embedded else settings.ECON_API_KEY,
        file_type=settings.ECON_FILE_TYPE,
        timeout=settings.ECON_TIMEOUT,
        session=session,
        breaker=Breaker(store, 1.1 * settings.ECON_TIMEOUT + 1),
        allowance=None if embedded else Allowance(store, settings.ECON_REQUESTS_PER_MINUTE),
    )
