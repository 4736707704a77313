"""A service behind the proxy of an institute, and a certificate of its own authority."""

import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import trustme
from pytest_django import Settings

from econweb.accounts.oidc import bounded_http
from econweb.upstream.errors import Unavailable
from tests.programs import program
from tests.upstream.client_calls import DEADLINE, KEY, a_client, ask, fails, good
from tests.upstream.raw_server import Peer, http, listening, waits

NO_CERTIFICATE = "The data provider cannot be reached: its certificate is not valid."
REFUSES = "The data provider cannot be reached: the proxy in ECON_PROXY refuses."


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def own_authority(authority: trustme.CA, tmp_path: Path, settings: Settings) -> None:
    """The own authority of the institute is trusted."""
    authority.cert_pem.write_to_path(str(tmp_path / "institute.pem"))
    settings.ECON_CA_FILE = str(tmp_path / "institute.pem")


@pytest.fixture
def service(authority: trustme.CA) -> Iterator[Peer]:
    certificate = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(certificate)
    with listening(certificate) as peer:
        peer.will(good())
        yield peer


def unused_port() -> int:
    with listening() as peer:
        return peer.port


@contextmanager
def tinyproxy(folder: Path, *lines: str) -> Iterator[int]:
    port = unused_port()
    given = [f"Port {port}", "Listen 127.0.0.1", "LogLevel Connect", *lines]
    (folder / "proxy.conf").write_text("\n".join(given) + "\n", encoding="utf-8")
    command = [program("tinyproxy"), "-d", "-c", str(folder / "proxy.conf")]
    with (folder / "proxy.log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            wait_until_it_listens(port)
            yield port
        finally:
            process.terminate()
            # A signal that comes while it accepts a connection is lost.
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


def wait_until_it_listens(port: int) -> None:
    for _ in range(500):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.02)
    pytest.fail("The proxy does not listen.")


def log_of(folder: Path) -> str:
    return (folder / "proxy.log").read_text(encoding="utf-8")


@pytest.mark.usefixtures("own_authority")
def test_own_authority_is_trusted_beside_the_public_ones(service: Peer) -> None:
    """A6"""
    assert ask(a_client(service.url)).seriess[0].id == "GNPCA"


def test_own_authority_is_refused_without_the_setting(service: Peer) -> None:
    fails(a_client(service.url), Unavailable, NO_CERTIFICATE)


@pytest.mark.usefixtures("own_authority")
def test_own_authority_signs_the_provider_of_accounts(service: Peer) -> None:
    service.will(http(b"{}"))

    assert bounded_http.get(service.url) == b"{}"


@pytest.mark.usefixtures("own_authority")
def test_service_is_asked_through_the_proxy(service: Peer, tmp_path: Path, settings: Settings) -> None:
    """A6: the proxy learns the name of the service, and neither the request nor the key."""
    with tinyproxy(tmp_path, "BasicAuth reader a-word") as port:
        settings.ECON_PROXY = f"http://reader:a-word@127.0.0.1:{port}"

        assert ask(a_client(service.url)).seriess[0].id == "GNPCA"
    assert f"CONNECT 127.0.0.1:{service.port}" in log_of(tmp_path)
    assert KEY not in log_of(tmp_path)
    assert "Proxy-Authorization" not in service.requests[0]


@pytest.mark.usefixtures("own_authority")
@pytest.mark.parametrize("lines", [["BasicAuth reader another"], ["ConnectPort 1"]])
def test_proxy_that_refuses_is_named(service: Peer, tmp_path: Path, settings: Settings, lines: list[str]) -> None:
    """U39"""
    with tinyproxy(tmp_path, *lines) as port:
        settings.ECON_PROXY = f"http://reader:a-word@127.0.0.1:{port}"

        fails(a_client(service.url), Unavailable, REFUSES)
    assert service.requests == []


def test_proxy_may_have_a_name_of_this_network(
    service: Peer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listening() as proxy:
        address = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", proxy.port))
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [address])
        proxy.will(http(b"", 403))
        settings.ECON_PROXY = f"http://proxy.example.org:{proxy.port}"

        fails(a_client(service.url), Unavailable, REFUSES)


def test_proxy_that_is_away_is_named(service: Peer, settings: Settings) -> None:
    """U39"""
    settings.ECON_PROXY = f"http://127.0.0.1:{unused_port()}"

    words = "The data provider cannot be reached: the proxy in ECON_PROXY does not accept a connection."
    fails(a_client(service.url), Unavailable, words)


def test_proxy_that_hangs_ends_with_the_deadline(service: Peer, settings: Settings) -> None:
    """U39"""
    with listening() as proxy:
        proxy.will(waits)
        settings.ECON_PROXY = proxy.url

        fails(a_client(service.url, DEADLINE), Unavailable, "The data provider did not answer in time.")


def test_proxies_of_the_environment_are_not_asked(service: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{unused_port()}")

    fails(a_client(service.url), Unavailable, NO_CERTIFICATE)
