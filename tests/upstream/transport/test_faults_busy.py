"""Replies with status 429: the client waits as long as the service says, within reason."""

from collections.abc import Callable
from email.utils import formatdate

import pytest

from econweb.upstream.errors import (
    Busy,
)
from tests.upstream.client_calls import a_client, fails, good, is_served, recovers
from tests.upstream.conftest import Clock
from tests.upstream.raw_server import Behaviour, Peer, closes, http, sends

NO_ROOM = "The data provider has had too many requests for the moment."


def test_429_is_retried_after_the_named_seconds(peer: Peer) -> None:
    """U11"""
    is_served(peer, http(b"", 429, "Retry-After: 1"), timeout=3, per_minute=600)

    assert peer.moments[1] - peer.moments[0] >= 1.0


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        (lambda now: "30", 30.0),
        (lambda now: "3600", 3600.0),
        (lambda now: formatdate(now + 600, usegmt=True), 600.0),
        (lambda now: formatdate(now + 600), 600.0),
        (lambda now: formatdate(now + 600 + 7200).replace("-0000", "+0200"), 600.0),
    ],
    ids=["seconds", "an hour", "a date", "a date without a zone's name", "a date of another zone"],
)
def test_retry_after_delays_the_next_request(
    peer: Peer, frozen_clock: Clock, told: Callable[[float], str], seconds: float
) -> None:
    """U11"""
    peer.will(http(b"", 429, f"Retry-After: {told(frozen_clock.moment)}"), good())
    client = a_client(peer.url, per_minute=600)

    error = fails(client, Busy, NO_ROOM)
    again = fails(client, Busy, "The data provider has asked this site to wait.")

    assert isinstance(error, Busy)
    assert isinstance(again, Busy)
    assert error.retry_after == pytest.approx(seconds, abs=5)
    assert again.retry_after == pytest.approx(seconds, abs=5)
    assert len(peer.requests) == 1
    frozen_clock.moment += seconds
    recovers(peer, client)


ABSURD = [None, "", "-1", "0", "1000000000", "86400", "3601", "x", "５", "1_0", "9" * 5000, "Thu, 99 Foo 2026", "1.5"]


@pytest.mark.parametrize("told", ABSURD, ids=[str(told)[:10] for told in ABSURD])
def test_absurd_retry_after_pauses_as_without_one(
    peer: Peer, frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch, told: str | None
) -> None:
    """U12"""
    monkeypatch.setattr("random.uniform", lambda _, high: high)
    headers = [] if told is None else [f"Retry-After: {told}".encode().decode("latin-1")]
    peer.will(http(b"", 429, *headers))
    # So short that its own pause is too long to wait for.
    client = a_client(peer.url, timeout=1.9, per_minute=600)

    error = fails(client, Busy, NO_ROOM)

    assert isinstance(error, Busy)
    assert error.retry_after == pytest.approx(2.0)
    assert len(peer.requests) == 1
    frozen_clock.moment += error.retry_after
    recovers(peer, client)


@pytest.mark.parametrize(
    "body",
    [
        sends(http(b"no", 429, "Retry-After: 30", "Content-Encoding: br")),
        sends(http(b"no", 429, "Retry-After: 30", "Content-Encoding: gzip")),
        sends(http(b"no", 429, "Retry-After: 30", length=99), then=closes),
        sends(http(b"<!DOCTYPE html><html>Wait.</html>", 429, "Retry-After: 30")),
    ],
    ids=["another encoding", "not compressed", "cut", "a web page"],
)
def test_status_with_unreadable_body_counts(peer: Peer, frozen_clock: Clock, body: Behaviour) -> None:
    peer.will(body)
    client = a_client(peer.url, per_minute=600)

    error = fails(client, Busy, NO_ROOM)

    assert isinstance(error, Busy)
    assert error.retry_after == pytest.approx(30, abs=5)
    frozen_clock.moment += 30
    recovers(peer, client)
