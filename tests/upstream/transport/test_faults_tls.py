"""Faults of certificates: no request is sent to a server that is not the service."""

import socket
import ssl
import warnings
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import requests
import trustme

from econweb.upstream.errors import Unavailable
from tests.upstream.client_calls import DEADLINE, PATIENCE, a_client, a_session, ask, fails, good, recovers
from tests.upstream.raw_server import Behaviour, drips, http, listening

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
NO_CERTIFICATE = "The data provider cannot be reached: its certificate is not valid."


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


def test_valid_certificate_is_accepted(authority: trustme.CA, session: requests.Session) -> None:
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
def test_invalid_certificate_ends_the_connection_before_a_request(
    authority: trustme.CA, session: requests.Session, issued: Any
) -> None:
    with listening(context(issued(authority))) as peer:
        peer.will(good())
        client = a_client(peer.url, session=session)

        fails(client, Unavailable, NO_CERTIFICATE)

        assert peer.requests == []
        peer.certificate = context(authority.issue_cert("127.0.0.1"))
        assert ask(client).seriess[0].id == "GNPCA"


def test_old_tls_version_is_refused(authority: trustme.CA, session: requests.Session) -> None:
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
        (says_nothing, DEADLINE, "The data provider did not answer in time."),
        (drips_a_record, DEADLINE, "The data provider did not answer in time."),
        (speaks_plainly, PATIENCE, NO_CERTIFICATE),
    ],
)
def test_tls_handshake_that_hangs_ends_with_the_deadline(
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
