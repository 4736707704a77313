"""Faults of the network before and during a reply."""

import socket
import time
from contextlib import ExitStack

import pytest

from econweb.upstream.errors import BadReply, NotFound, Unavailable, UpstreamError
from econweb.upstream.transport import exchange
from tests.upstream.client_calls import (
    DEADLINE,
    PATIENCE,
    a_client,
    ask,
    fails,
    fails_and_recovers,
    good,
    is_served,
    recovers,
)
from tests.upstream.conftest import Clock
from tests.upstream.raw_server import Behaviour, Peer, closes, drips, listening, resets, sends, waits

pytestmark = pytest.mark.slow

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 400\r\n"
IN_TIME = "The data provider did not answer in time."
BROKEN = "The data provider broke the connection."
BROKE_OFF = "The data provider's reply broke off."
ODD = "The data provider answered with status {}, which the contract does not know."


def floods(piece: bytes, head: bytes = b"") -> Behaviour:
    """Send the piece again and again, as fast as it is read, until the other end closes."""

    def behaviour(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:
            connection.sendall(piece * 100)
            time.sleep(0.001)

    return behaviour


FAULTS: dict[str, tuple[Behaviour | bytes, type[UpstreamError], str]] = {
    "U3 no answer": (waits, Unavailable, IN_TIME),
    "closed before the headers": (closes, Unavailable, BROKEN),
    "U5 reset before the headers": (resets, Unavailable, BROKEN),
    "U5 reset amid the headers": (sends(HEAD, then=resets), Unavailable, BROKEN),
    "U5 reset amid the body": (sends(HEAD + b'\r\n{"seriess":', then=resets), Unavailable, BROKE_OFF),
    "U4 dripping headers": (drips(HEAD * 20), Unavailable, IN_TIME),
    "U4 dripping body": (sends(HEAD + b"\r\n", then=drips(b" " * 40)), Unavailable, IN_TIME),
    "U3 silence amid the body": (sends(HEAD + b"\r\n{", then=waits), Unavailable, IN_TIME),
    "U36 a flood of 100": (sends(*[b"HTTP/1.1 100 Continue\r\n\r\n"] * 50, then=waits), Unavailable, IN_TIME),
    "U36 a flood of 103": (floods(b"HTTP/1.1 103 Early\r\n\r\n"), Unavailable, IN_TIME),
    "U36 an endless header of a 1xx": (floods(b"X-A: b\r\n", b"HTTP/1.1 103 Early\r\n"), Unavailable, BROKEN),
    "U36 early hints": (sends(b"HTTP/1.1 103 Early\r\n\r\n", then=closes), Unavailable, BROKEN),
    "U36 switching": (sends(b"HTTP/1.1 101 Switch\r\n\r\n", then=closes), BadReply, ODD.format(101)),
    "no HTTP at all": (sends(b"SSH-2.0-OpenSSH_9.2\r\n", then=closes), Unavailable, BROKEN),
    "U35 ten thousand headers": (
        sends(HEAD + b"X-A: b\r\n" * 10_000 + b"\r\n", then=closes),
        Unavailable,
        BROKEN,
    ),
    "U35 a header of a megabyte": (
        sends(HEAD + b"X-A: " + b"b" * 2**20 + b"\r\n\r\n", then=closes),
        Unavailable,
        BROKEN,
    ),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_broken_exchange_is_an_error_within_the_deadline(
    peer: Peer, fault: tuple[Behaviour | bytes, type[UpstreamError], str]
) -> None:
    fails_and_recovers(peer, *fault)


@pytest.mark.parametrize(
    "fault",
    [closes, resets, sends(HEAD + b"\r\n{", then=resets), sends(HEAD + b"\r\n{", then=closes)],
    ids=["closed", "reset", "reset amid the body", "cut"],
)
def test_connection_that_breaks_once_is_retried_without_an_error(peer: Peer, fault: Behaviour) -> None:
    """U5"""
    is_served(peer, fault)

    assert len(peer.requests) == 3


def test_connection_that_breaks_twice_is_not_retried_again(peer: Peer) -> None:
    """U5"""
    fails_and_recovers(peer, resets, Unavailable, BROKEN)

    assert len(peer.requests) == 3


def test_silent_connection_is_not_retried(peer: Peer) -> None:
    """U3"""
    fails_and_recovers(peer, waits, Unavailable, IN_TIME)

    assert len(peer.requests) == 2


def test_refused_connection_is_an_error_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """U1: a wait for the connection would take a minute."""
    monkeypatch.setattr(exchange, "CONNECT_SECONDS", 60.0)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    client = a_client(f"http://127.0.0.1:{port}", timeout=60.0)
    begun = time.monotonic()

    fails(client, Unavailable, "The data provider cannot be reached: it does not accept a connection.")

    assert time.monotonic() - begun < 30
    with listening(port=port) as peer:
        peer.will(good())

        assert ask(client).seriess[0].id == "GNPCA"


def test_refused_connections_open_the_breaker(frozen_clock: Clock) -> None:
    """U1"""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    client = a_client(f"http://127.0.0.1:{port}")
    refused = "The data provider cannot be reached: it does not accept a connection."
    # Two tries each, of which the sixth is not made any more.
    alone = "The data provider failed several times in a row. It will be asked again shortly."
    for words in (refused, refused, alone):
        fails(client, Unavailable, words)

    assert client.breaker.state() == "open"
    frozen_clock.moment += 5
    with listening(port=port) as peer:
        recovers(peer, client)
    assert client.breaker.state() == "closed"


@pytest.mark.parametrize(("timeout", "seconds"), [(DEADLINE, DEADLINE), (10.0, 2.0)])
def test_full_backlog_ends_with_the_deadline(timeout: float, seconds: float) -> None:
    """U2"""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        port = listener.getsockname()[1]
        client = a_client(f"http://127.0.0.1:{port}", timeout)
        begun = time.monotonic()

        fails(client, Unavailable, "The data provider cannot be reached: it does not answer in time.")

        # Less than the other case, so that the shorter of the two limits is seen to count.
        assert time.monotonic() - begun <= 1.1 * seconds + 1.2
    with listening(port=port) as peer:
        peer.will(good())

        assert ask(client, PATIENCE).seriess[0].id == "GNPCA"


@pytest.mark.parametrize("head", [b"", HEAD + b"\r\n"], ids=["headers", "body"])
def test_dripping_reply_ends_within_a_tenth_of_the_deadline(peer: Peer, head: bytes) -> None:
    """U4"""
    client = a_client(peer.url, timeout=2.0)

    def seconds() -> float:
        peer.will(sends(head, then=drips(HEAD * 20)))
        begun = time.monotonic()
        fails(client, Unavailable, IN_TIME)
        return time.monotonic() - begun

    # A busy machine may delay a try, and another one is made only then.
    assert any(1.8 <= seconds() <= 2.2 for _ in range(5))
    recovers(peer, client)


def test_proxies_and_netrc_of_the_environment_are_ignored(
    peer: Peer, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """U34"""
    netrc = tmp_path_factory.mktemp("home") / "netrc"
    netrc.write_text("machine 127.0.0.1 login spy password word\n")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("NETRC", str(netrc))
    is_served(peer, good())

    assert "Authorization" not in "".join(peer.requests)


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (404, NotFound, "The data provider sent an error without a message."),
        (206, BadReply, ODD.format(206)),
        (302, BadReply, "The data provider points to another address, which is not followed."),
    ],
)
def test_endless_error_reply_ends_with_the_deadline(
    peer: Peer, status: int, kind: type[UpstreamError], words: str
) -> None:
    """U19"""
    endless = floods(b" " * 1000, f"HTTP/1.1 {status} Words\r\n\r\n".encode())

    fails_and_recovers(peer, endless, kind, words, timeout=DEADLINE)

    assert len(peer.connections) == 2
