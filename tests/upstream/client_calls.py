"""A client of a raw server, and the checks of every fault."""

import os
import time
import traceback
import uuid
from pathlib import Path
from typing import Any

import pytest
import requests
from django.core.cache.backends.locmem import LocMemCache

from econweb.upstream import clock
from econweb.upstream.cache.store import Store
from econweb.upstream.client import EconClient
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import UpstreamError
from econweb.upstream.limits.circuit_breaker import CircuitBreaker
from econweb.upstream.limits.key_status import KeyStatus
from econweb.upstream.limits.rate_limit import RateLimit
from econweb.upstream.records import SeriesReply
from econweb.upstream.replies.decode import decode_series
from econweb.upstream.transport.exchange import new_session
from econweb.upstream.transport.network import DeadlineAdapter
from tests.upstream.raw_server import Behaviour, Peer, http
from tests.upstream.sample_replies import GOOD, as_json, as_xml

KEY = "plantedkey0123456789plantedkey01"
# Timeouts for replies that come, however busy the machine is, and for those that never come.
PATIENCE, DEADLINE = 5.0, 0.5
# The seconds that a busy machine may take in addition. A call that ignores its deadline takes longer, because the
# server is silent for 10 s (raw_server.py).
A_BUSY_MACHINE = 3.0


def environment_of(peer: Peer, data: Path, **more: str) -> dict[str, str]:
    """The environment of another process that asks this server."""
    return {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(data),
        "DJANGO_SETTINGS_MODULE": "econweb.settings",
        "ECON_BASE_URL": peer.url,
        "ECON_API_KEY": KEY,
        **more,
    }


def a_store() -> Store:
    return Store(LocMemCache(uuid.uuid4().hex, {}), 10**9)


class LocalSharedCache(LocMemCache):
    """Behaves like a Redis that other processes may change."""

    def read_prefix(self, key: str, size: int) -> bytes:
        return (self.get(key) or b"")[:size]

    def time(self) -> float:
        return clock.now()


def a_shared_store() -> Store:
    return Store(LocalSharedCache(uuid.uuid4().hex, {}), None)


def a_session() -> requests.Session:
    session = new_session()
    session.mount("https://", DeadlineAdapter())
    session.mount("http://", DeadlineAdapter())
    return session


def a_client(  # noqa: PLR0913, PLR0917
    url: str,
    timeout: float = PATIENCE,
    file_type: str = "json",
    session: requests.Session | None = None,
    per_minute: int | None = None,
    store: Store | None = None,
) -> EconClient:
    store = store or a_store()
    return EconClient(
        base_url=url,
        service_path="econ",
        api_key=KEY,
        file_type=file_type,
        timeout=timeout,
        session=session or a_session(),
        breaker=CircuitBreaker(store, 2 * timeout),
        key_status=KeyStatus(store, KEY),
        rate_limit=RateLimit(store, per_minute) if per_minute else None,
    )


def ask(client: EconClient, seconds: float = 0.0, series_id: str = "GNPCA") -> SeriesReply:
    body = client.get("series", {"series_id": series_id}, Deadline(seconds or client.timeout))
    return decode_series(body, client.file_type)


def good(file_type: str = "json") -> bytes:
    return http(as_json(GOOD) if file_type == "json" else as_xml(GOOD))


def fails(client: EconClient, kind: type[UpstreamError], words: str) -> UpstreamError:
    """Check that the request fails in time with this error and message, without details of libraries."""
    begun = time.monotonic()
    with pytest.raises(UpstreamError) as caught:
        ask(client)
    seconds = time.monotonic() - begun

    assert (type(caught.value), str(caught.value)) == (kind, words)
    assert seconds <= client.timeout * 1.1 + A_BUSY_MACHINE
    leaks_nothing(caught.value)
    return caught.value


def leaks_nothing(error: UpstreamError) -> None:
    written = "".join(traceback.format_exception(error)) + repr(error)
    assert KEY not in written
    assert "GNPCA" not in written
    assert "://" not in written
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__


def fails_and_recovers(
    peer: Peer, fault: Behaviour | bytes, kind: type[UpstreamError], words: str, **of_the_client: Any
) -> UpstreamError:
    peer.will(fault)
    silent = words == "The data provider did not answer in time."
    client = a_client(peer.url, **{"timeout": DEADLINE if silent else PATIENCE, **of_the_client})
    error = fails(client, kind, words)

    recovers(peer, client)
    return error


def recovers(peer: Peer, client: EconClient) -> None:
    """Check that the next valid reply is served."""
    peer.will(good(client.file_type))

    assert ask(client, PATIENCE).seriess[0].id == "GNPCA"


def is_served(peer: Peer, oddity: Behaviour | bytes, **of_the_client: Any) -> EconClient:
    """Check that the caller gets the answer in time, without the key, and the next one too."""
    client = a_client(peer.url, **of_the_client)
    peer.will(oddity, good(client.file_type))
    begun = time.monotonic()
    reply = ask(client)

    assert time.monotonic() - begun <= client.timeout * 1.1 + A_BUSY_MACHINE
    assert reply.seriess[0].id == "GNPCA"
    assert KEY not in repr(reply)
    recovers(peer, client)
    return client
