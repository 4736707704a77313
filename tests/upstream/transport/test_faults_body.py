"""Faults of the bytes behind the headers: too many, too few, or packed in a way that hides how many."""

import gzip
import json
import socket
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

import pytest

from econweb.upstream.errors import BadReply, NotFound, Unavailable, UpstreamError
from tests.upstream.client_calls import fails_and_recovers, is_served
from tests.upstream.raw_server import Behaviour, Peer, closes, http, sends
from tests.upstream.sample_replies import GOOD, as_json

MIB = 2**20
BODY = as_json(GOOD)
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
TOO_LONG = "The data provider's reply is longer than 8 MiB."
BROKE_OFF = "The data provider's reply broke off."
NOT_UNPACKED = "The data provider's reply cannot be decompressed."
NOT_WHOLE = "The data provider's reply is not completely compressed."
NOT_ASKED = "The data provider's reply is compressed in a way that was not asked for."


def endless(head: bytes, piece: bytes) -> Behaviour:
    """Until the other end has had enough, or a gigabyte."""

    def behaviour(connection: socket.socket) -> None:
        connection.sendall(head)
        with suppress(OSError):
            for _ in range(2**30 // len(piece)):
                connection.sendall(piece)

    return behaviour


@contextmanager
def little_memory() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # The peer, which has a piece or two in its frozen_clock, is in this process as well.
    assert most < 20 * MIB + 2 * MIB


def packed(body: bytes, encoding: str = "gzip") -> bytes:
    return http(body, 200, f"Content-Encoding: {encoding}")


@cache  # not when the module is imported: each process that collects tests does that
def bomb(wbits: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, wbits)
    pieces = [packer.compress(b" " * MIB) for _ in range(300)]
    return b"".join(pieces) + packer.flush()


GZIP = 31
ENDLESS = {
    "U19 a gigabyte that is declared": endless(b"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n", b" " * MIB),
    "U19 a gigabyte that is not": endless(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", b" " * MIB),
    "U19 chunks without end": endless(CHUNKED, b"100000\r\n" + b" " * MIB + b"\r\n"),
    "U19 a chunk of a gigabyte": endless(CHUNKED + b"40000000\r\n", b" " * MIB),
}


@pytest.mark.parametrize(
    "cut",
    [sends(http(BODY[:9], length=len(BODY)), then=closes), sends(CHUNKED + b"9\r\n" + BODY[:5], then=closes)],
    ids=["a declared length", "a chunk"],
)
def test_reply_that_breaks_off_is_asked_for_again(peer: Peer, cut: Behaviour) -> None:
    """U6"""
    is_served(peer, cut)

    assert len(peer.requests) == 3


@pytest.mark.parametrize("longest", [http(BODY), packed(gzip.compress(BODY))], ids=["plain", "packed"])
def test_reply_of_the_greatest_length_is_served(peer: Peer, monkeypatch: pytest.MonkeyPatch, longest: bytes) -> None:
    """U19"""
    monkeypatch.setattr("econweb.upstream.transport.exchange.MAX_REPLY_BYTES", len(BODY))

    is_served(peer, longest)


@pytest.mark.parametrize("fault", ENDLESS.values(), ids=ENDLESS)
def test_endless_reply_is_cut_in_little_memory(peer: Peer, fault: Behaviour) -> None:
    with little_memory():
        fails_and_recovers(peer, fault, BadReply, TOO_LONG)


@pytest.mark.slow
@pytest.mark.parametrize(("encoding", "wbits"), [("gzip", GZIP), ("deflate", zlib.MAX_WBITS)])
def test_compression_bomb_takes_little_memory(peer: Peer, encoding: str, wbits: int) -> None:
    """U20"""
    fault = sends(packed(bomb(wbits), encoding))
    with little_memory():
        fails_and_recovers(peer, fault, BadReply, TOO_LONG)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (302, BadReply, "The data provider points to another address, which is not followed."),
        (404, NotFound, "The data provider sent an error without a message."),
        (500, Unavailable, "The data provider is not available at the moment (status 500)."),
    ],
)
def test_compression_bomb_in_error_reply_takes_little_memory(
    peer: Peer, status: int, kind: type[UpstreamError], words: str
) -> None:
    """U20, U30"""
    fault = http(bomb(GZIP), status, "Content-Encoding: gzip", "Location: https://other.example.org/")
    with little_memory():
        fails_and_recovers(peer, fault, kind, words)


SPOILED: dict[str, tuple[Behaviour | bytes, type[UpstreamError], str]] = {
    "U6 a length that is too large": (
        sends(http(BODY, length=len(BODY) + 10), then=closes),
        Unavailable,
        BROKE_OFF,
    ),
    "U6 a length that is too small": (
        http(BODY, length=len(BODY) - 10),
        BadReply,
        "The data provider's reply is not complete JSON: Input data was truncated.",
    ),
    "U6 a length that is no number": (
        sends(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", then=closes),
        BadReply,
        "The data provider's reply is empty.",
    ),
    "U6 a chunk that is cut": (sends(CHUNKED + b"ff\r\n{", then=closes), Unavailable, BROKE_OFF),
    "U6 a chunk without a length": (sends(CHUNKED + b"zz\r\n{}\r\n", then=closes), Unavailable, BROKE_OFF),
    "U6 a chunk's length without end": (endless(CHUNKED, b"0" * MIB), Unavailable, BROKE_OFF),
    "U6 no last chunk": (sends(CHUNKED + b"2\r\n{}\r\n", then=closes), Unavailable, BROKE_OFF),
    "U20 not packed although it says so": (packed(BODY), BadReply, NOT_UNPACKED),
    "U20 packed and cut": (packed(gzip.compress(BODY)[:-4]), BadReply, NOT_WHOLE),
    "U20 packed with something behind": (packed(gzip.compress(BODY) + b"more"), BadReply, NOT_WHOLE),
    "U20 packed in two members, and cut": (packed((gzip.compress(BODY) * 2)[:-4]), BadReply, NOT_WHOLE),
    "U20 packed in members that are too long together": (packed(gzip.compress(bytes(MIB)) * 9), BadReply, TOO_LONG),
    "U20 packed twice": (packed(gzip.compress(gzip.compress(BODY)), "gzip, gzip"), BadReply, NOT_ASKED),
    "U20 packed in another way": (packed(BODY, "br"), BadReply, NOT_ASKED),
    "nothing": (http(), BadReply, "The data provider's reply is empty."),
    "nothing but blanks": (http(b" \n "), BadReply, "The data provider's reply is empty."),
}


@pytest.mark.parametrize("fault", SPOILED.values(), ids=SPOILED)
def test_corrupt_body_is_never_accepted(peer: Peer, fault: tuple[Behaviour | bytes, type[UpstreamError], str]) -> None:
    fails_and_recovers(peer, *fault)


@pytest.mark.parametrize(
    "answer",
    [
        packed(gzip.compress(BODY)),
        packed(gzip.compress(BODY[:9]) + gzip.compress(b"") + gzip.compress(BODY[9:])),
        packed(gzip.compress(BODY), "X-GZIP"),
        packed(zlib.compress(BODY), "deflate"),
        packed(BODY, "identity"),
        CHUNKED + b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY),
    ],
    ids=["gzip", "gzip of several members", "x-gzip", "deflate", "identity", "chunked"],
)
def test_every_supported_encoding_is_read(peer: Peer, answer: bytes) -> None:
    is_served(peer, answer)


def test_body_of_eight_mebibytes_is_read(peer: Peer) -> None:
    filler = json.dumps({**GOOD, "filler": ""})
    body = json.dumps({**GOOD, "filler": " " * (8 * MIB - len(filler))}).encode()

    assert len(body) == 8 * MIB
    is_served(peer, http(body))


@pytest.mark.parametrize("head", ["", "Transfer-Encoding: chunked\r\n"])
def test_body_over_eight_mebibytes_is_refused(peer: Peer, head: str) -> None:
    """A39"""
    body = as_json(GOOD).ljust(8 * MIB + 1)
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    answer = f"HTTP/1.1 200 OK\r\n{head}".encode() + b"\r\n" + chunks if head else http(body)

    fails_and_recovers(peer, answer, BadReply, TOO_LONG)


def test_body_in_long_chunk_headers_is_refused(peer: Peer) -> None:
    """A39: what stands beside the lengths of chunks counts as well, or a reply could go on without end."""
    frames = [b"1;x=%s\r\n%c\r\n" % (b"x" * 60_000, sign) for sign in BODY.ljust(200)]

    fails_and_recovers(peer, CHUNKED + b"".join(frames) + b"0\r\n\r\n", BadReply, TOO_LONG)


@pytest.mark.parametrize("header", ["", "Content-Type: text/html", "Content-Type: text/xml", "Content-Type: ;;"])
def test_content_type_of_a_reply_is_ignored(peer: Peer, header: str) -> None:
    """U9"""
    is_served(peer, http(BODY, 200, *filter(None, [header])))
