"""A connection is reused only if the end of its last reply is certain."""

import socket
from contextlib import suppress
from threading import Event

import pytest

from econweb.upstream.errors import BadReply, NotFound, Unavailable, UpstreamError
from tests.upstream.client_calls import (
    DEADLINE,
    PATIENCE,
    a_client,
    a_session,
    ask,
    fails,
    fails_and_recovers,
    good,
    is_served,
)
from tests.upstream.raw_server import Peer, closes, http, sends
from tests.upstream.sample_replies import a_series, a_series_reply, as_json

pytestmark = pytest.mark.slow
IN_TIME = "The data provider did not answer in time."
ODD = "The data provider answered with status {}, which the contract does not know."


def test_connection_closed_while_idle_is_opened_again(peer: Peer) -> None:
    """U33"""
    is_served(peer, sends(good(), then=closes))

    assert len(peer.connections) == 2


def test_connection_is_reused(peer: Peer) -> None:
    client = a_client(peer.url)
    peer.will(good())
    for _ in range(3):
        ask(client)

    assert len(peer.connections) == 1


def test_connection_stores_no_cookie(peer: Peer) -> None:
    """U35"""
    session = a_session()
    fault = http(b"", 404, "Set-Cookie: spy=1")
    fails_and_recovers(peer, fault, NotFound, "The data provider sent an error without a message.", session=session)

    assert "spy" not in peer.requests[1]
    assert list(session.cookies) == []


def test_informational_responses_are_skipped(peer: Peer) -> None:
    """U36"""
    is_served(peer, sends(b"HTTP/1.1 103 Early\r\nLink: <x>\r\n\r\n", b"HTTP/1.1 102 Words\r\n\r\n", good()))

    assert len(peer.connections) == 1


@pytest.mark.parametrize("status", [101, 204, 205, 304])
def test_connection_with_a_reply_of_unknown_end_is_not_reused(peer: Peer, status: int) -> None:
    """U36"""
    peer.will(sends(f"HTTP/1.1 {status} Words\r\n\r\n".encode()), good())
    # One of them may have a body, and has no length.
    client = a_client(peer.url, 1.0)
    fails(client, BadReply, ODD.format(status))

    assert ask(client, PATIENCE).seriess[0].id == "GNPCA"
    assert len(peer.connections) == 2


FOREIGN = http(as_json(a_series_reply(a_series(id="FOREIGN"))))


@pytest.mark.parametrize(
    "fault",
    [
        good() + FOREIGN,
        http(b"{}", 206) + FOREIGN,
        http(b"{}", 404) + FOREIGN,
        http(b"", 204) + FOREIGN,
        http(b"", 304) + FOREIGN,
        b"HTTP/1.1 204 Words\r\nContent-Length: 9\r\n\r\n" + FOREIGN,
    ],
    ids=["200", "206", "404", "204", "304", "204 that says it has a body"],
)
def test_bytes_after_a_reply_are_discarded(peer: Peer, fault: bytes) -> None:
    """U36"""
    peer.will(fault, good())
    client = a_client(peer.url)
    with suppress(UpstreamError):
        ask(client)

    assert ask(client).seriess[0].id == "GNPCA"


def test_connection_with_a_late_reply_is_closed(peer: Peer) -> None:
    closed = Event()

    def late(connection: socket.socket) -> None:
        connection.settimeout(5)
        if connection.recv(1) == b"":
            closed.set()
        connection.sendall(FOREIGN)

    peer.will(late, good())
    client = a_client(peer.url, DEADLINE)
    fails(client, Unavailable, IN_TIME)

    assert closed.wait(5)
    assert ask(client, PATIENCE).seriess[0].id == "GNPCA"
    assert len(peer.connections) == 2
