"""Faults of certificates and of names: nothing is asked of a peer that is not the service."""

import re
import socket
import ssl
import subprocess
import time
import warnings
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import requests
import trustme
from pytest_django import Settings
from urllib3.util.connection import create_connection

from econweb.upstream.errors import Unavailable
from econweb.upstream.transport import network as wire
from tests.upstream.client_calls import DEADLINE, PATIENCE, a_client, a_session, ask, fails, good, recovers
from tests.upstream.raw_server import Behaviour, Peer, drips, http, listening, waits

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
NO_CERTIFICATE = "The service cannot be reached: its certificate is not valid."
REAL_LOOK_UP = socket.getaddrinfo
INSIDE = "The service cannot be reached: its name leads to an address inside this network."
NO_ADDRESS = "The service cannot be reached: its name has no address."
NOT_FOUND_IN_TIME = "The service cannot be reached: its name was not found in time."


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def session(authority: trustme.CA, tmp_path: Path) -> requests.Session:
    """It trusts the authority of these tests."""
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    trusting = a_session()
    trusting.verify = str(tmp_path / "authority.pem")
    return trusting


def context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(server)
    return server


def test_a_valid_certificate_is_accepted(authority: trustme.CA, session: requests.Session) -> None:
    with listening(context(authority.issue_cert("127.0.0.1"))) as peer:
        peer.will(good())

        assert ask(a_client(peer.url, session=session)).seriess[0].id == "GNPCA"


def long_ago(authority: trustme.CA) -> trustme.LeafCert:
    past = datetime.now(UTC) - timedelta(days=9)
    return authority.issue_cert("127.0.0.1", not_before=past, not_after=past + timedelta(days=1))


CERTIFICATES = {
    "U31 expired": long_ago,
    "U31 of another host": lambda authority: authority.issue_cert("other.example.org"),
    "U31 of an authority that nobody knows": lambda _: trustme.CA().issue_cert("127.0.0.1"),
}


@pytest.mark.parametrize("issued", CERTIFICATES.values(), ids=CERTIFICATES)
def test_a_wrong_certificate_ends_it_before_anything_is_asked(
    authority: trustme.CA, session: requests.Session, issued: Any
) -> None:
    with listening(context(issued(authority))) as peer:
        peer.will(good())
        client = a_client(peer.url, session=session)

        fails(client, Unavailable, NO_CERTIFICATE)

        assert peer.requests == []
        peer.certificate = context(authority.issue_cert("127.0.0.1"))
        assert ask(client).seriess[0].id == "GNPCA"


def test_a_protocol_of_the_last_century_is_refused(authority: trustme.CA, session: requests.Session) -> None:
    """U31"""
    certificate = authority.issue_cert("127.0.0.1")
    old = context(certificate)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1
        old.set_ciphers("ALL:@SECLEVEL=0")
    with listening(old) as peer:
        client = a_client(peer.url, session=session)

        fails(client, Unavailable, NO_CERTIFICATE)

        peer.certificate = context(certificate)
        recovers(peer, client)


def says_nothing(connection: socket.socket) -> None:
    while connection.recv(65536):
        pass


def drips_a_record(connection: socket.socket) -> None:
    # The head of a record that would be sixteen kilobytes.
    drips(b"\x16\x03\x03\x40\x00" + bytes(2**14))(connection)


def speaks_plainly(connection: socket.socket) -> None:
    connection.sendall(http(b"", 400))
    says_nothing(connection)


@pytest.mark.parametrize(
    ("handshake", "timeout", "words"),
    [
        (says_nothing, DEADLINE, "The service did not answer in time."),
        (drips_a_record, DEADLINE, "The service did not answer in time."),
        (speaks_plainly, PATIENCE, NO_CERTIFICATE),
    ],
)
def test_a_handshake_that_leads_nowhere_ends_in_time(
    authority: trustme.CA, session: requests.Session, handshake: Behaviour, timeout: float, words: str
) -> None:
    """U31"""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def shake() -> None:
            with suppress(OSError), listener.accept()[0] as connection:
                connection.settimeout(5)
                handshake(connection)

        shaking = Thread(target=shake)
        shaking.start()
        client = a_client(f"https://127.0.0.1:{port}", timeout, session=session)

        fails(client, Unavailable, words)
        shaking.join()
    with listening(context(authority.issue_cert("127.0.0.1")), port) as peer:
        recovers(peer, client)


def test_no_line_of_ours_turns_the_check_of_certificates_off() -> None:
    """U31"""
    found = subprocess.run(
        ["git", "grep", "-nE", r"verify\s*=\s*False|CERT_NONE|check_hostname\s*=\s*False", "--", "econweb"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert found.stdout == ""


def names_lead_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    real = REAL_LOOK_UP

    def look_up(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        if not re.search("[a-z]", host):
            return real(host, port, *args, **kwargs)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def test_a_name_that_nobody_knows_is_told(monkeypatch: pytest.MonkeyPatch, peer: Peer) -> None:
    """U32"""

    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    client = a_client(f"http://localhost:{peer.port}")
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(socket, "getaddrinfo", unknown)
        fails(client, Unavailable, NO_ADDRESS)

    names_lead_to(monkeypatch, "127.0.0.1")
    recovers(peer, client)


def test_a_look_up_that_hangs_ends_with_the_deadline(monkeypatch: pytest.MonkeyPatch, peer: Peer) -> None:
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
def test_a_name_that_leads_inside_is_not_followed(
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


def test_a_name_that_leads_inside_is_followed_when_the_settings_say_so(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, peer: Peer
) -> None:
    """U32"""
    settings.ECON_PRIVATE_ADDRESSES = True
    names_lead_to(monkeypatch, "127.0.0.1")
    peer.will(good())

    assert ask(a_client(f"http://inside.example.org:{peer.port}")).seriess[0].id == "GNPCA"


def test_localhost_is_this_machine_and_nothing_else(monkeypatch: pytest.MonkeyPatch, peer: Peer) -> None:
    """U32"""
    peer.will(good())
    names_lead_to(monkeypatch, "127.0.0.1")
    assert ask(a_client(f"http://localhost:{peer.port}")).seriess[0].id == "GNPCA"

    names_lead_to(monkeypatch, "192.168.1.1")

    fails(a_client("http://localhost:9"), Unavailable, INSIDE)


def test_the_next_address_of_a_name_is_tried(monkeypatch: pytest.MonkeyPatch, peer: Peer) -> None:
    names_lead_to(monkeypatch, "::1", "127.0.0.1")
    peer.will(good())

    assert ask(a_client(f"http://localhost:{peer.port}")).seriess[0].id == "GNPCA"


def test_an_address_that_says_nothing_does_not_hold_up_the_next(monkeypatch: pytest.MonkeyPatch, peer: Peer) -> None:
    """U2, U32"""
    names_lead_to(monkeypatch, "::1", "127.0.0.1")
    real = create_connection

    def swallowed(address: tuple[str, int], timeout: float, **options: Any) -> socket.socket:
        """A packet that nobody answers."""
        if address[0] == "::1":
            time.sleep(timeout)
            raise TimeoutError
        return real(address, timeout, **options)

    monkeypatch.setattr(wire, "create_connection", swallowed)
    peer.will(good())

    assert ask(a_client(f"http://localhost:{peer.port}", timeout=2.0)).seriess[0].id == "GNPCA"


def test_a_peer_that_only_listens_is_given_up_in_time(peer: Peer) -> None:
    peer.will(waits)
    client = a_client(f"http://localhost:{peer.port}", DEADLINE)

    fails(client, Unavailable, "The service did not answer in time.")
    recovers(peer, client)
