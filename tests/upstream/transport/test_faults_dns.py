"""Faults of host names and addresses: the key goes to no address inside this network."""

import re
import socket
import time
from typing import Any

import pytest
from pytest_django import Settings
from urllib3.util.connection import create_connection

from econweb.upstream.errors import Unavailable
from econweb.upstream.transport import network as wire
from tests.upstream.client_calls import DEADLINE, a_client, ask, fails, good, recovers
from tests.upstream.raw_server import Peer, waits

pytestmark = pytest.mark.slow
REAL_LOOK_UP = socket.getaddrinfo
INSIDE = "The data provider cannot be reached: its name leads to an address inside this network."
NO_ADDRESS = "The data provider cannot be reached: its name has no address."
NOT_FOUND_IN_TIME = "The data provider cannot be reached: its name was not found in time."


def names_lead_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    real = REAL_LOOK_UP

    def look_up(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        if not re.search("[a-z]", host):
            return real(host, port, *args, **kwargs)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def test_unknown_host_name_is_an_error(monkeypatch: pytest.MonkeyPatch, peer: Peer) -> None:
    """U32"""

    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    client = a_client(f"http://localhost:{peer.port}")
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(socket, "getaddrinfo", unknown)
        fails(client, Unavailable, NO_ADDRESS)

    names_lead_to(monkeypatch, "127.0.0.1")
    recovers(peer, client)


def test_hanging_dns_lookup_ends_with_the_deadline(monkeypatch: pytest.MonkeyPatch, peer: Peer) -> None:
    """U32"""

    def hangs(*_: Any, **__: Any) -> list[Any]:
        time.sleep(2 * DEADLINE)
        return []

    client = a_client(f"http://localhost:{peer.port}", DEADLINE)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(socket, "getaddrinfo", hangs)
        fails(client, Unavailable, NOT_FOUND_IN_TIME)

    names_lead_to(monkeypatch, "127.0.0.1")
    recovers(peer, client)


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["169.254.169.254"],
        ["10.0.0.7"],
        ["192.168.1.1"],
        ["100.64.0.1"],
        ["::1"],
        ["fe80::1%eth0"],
        ["::ffff:127.0.0.1"],
        ["0.0.0.0"],  # noqa: S104
        ["93.184.215.14", "127.0.0.1"],
    ],
)
def test_host_name_with_a_private_address_is_refused(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, peer: Peer, addresses: list[str]
) -> None:
    """U32"""
    names_lead_to(monkeypatch, *addresses)
    client = a_client(f"http://data.example.org:{peer.port}")

    fails(client, Unavailable, INSIDE)

    assert peer.connections == []
    names_lead_to(monkeypatch, "127.0.0.1")
    settings.ECON_PRIVATE_ADDRESSES = True
    recovers(peer, client)


def test_private_address_is_allowed_by_the_setting(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, peer: Peer
) -> None:
    """U32"""
    settings.ECON_PRIVATE_ADDRESSES = True
    names_lead_to(monkeypatch, "127.0.0.1")
    peer.will(good())

    assert ask(a_client(f"http://inside.example.org:{peer.port}")).seriess[0].id == "GNPCA"


def test_localhost_has_to_be_a_loopback_address(monkeypatch: pytest.MonkeyPatch, peer: Peer) -> None:
    """U32"""
    peer.will(good())
    names_lead_to(monkeypatch, "127.0.0.1")
    assert ask(a_client(f"http://localhost:{peer.port}")).seriess[0].id == "GNPCA"

    names_lead_to(monkeypatch, "192.168.1.1")

    fails(a_client("http://localhost:9"), Unavailable, INSIDE)


def test_next_address_of_a_name_is_tried(monkeypatch: pytest.MonkeyPatch, peer: Peer) -> None:
    names_lead_to(monkeypatch, "::1", "127.0.0.1")
    peer.will(good())

    assert ask(a_client(f"http://localhost:{peer.port}")).seriess[0].id == "GNPCA"


def test_silent_address_leaves_time_for_the_next_one(monkeypatch: pytest.MonkeyPatch, peer: Peer) -> None:
    """U2, U32"""
    names_lead_to(monkeypatch, "::1", "127.0.0.1")
    real = create_connection

    def swallowed(address: tuple[str, int], timeout: float, **options: Any) -> socket.socket:
        """A packet without a response."""
        if address[0] == "::1":
            time.sleep(timeout)
            raise TimeoutError
        return real(address, timeout, **options)

    monkeypatch.setattr(wire, "create_connection", swallowed)
    peer.will(good())

    assert ask(a_client(f"http://localhost:{peer.port}", timeout=2.0)).seriess[0].id == "GNPCA"


def test_server_that_never_replies_ends_with_the_deadline(peer: Peer) -> None:
    peer.will(waits)
    client = a_client(f"http://localhost:{peer.port}", DEADLINE)

    fails(client, Unavailable, "The data provider did not answer in time.")
    recovers(peer, client)
