"""The site behind a certificate of the institute's own authority, as the two commands that ask it see it."""

import io
import ssl
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import trustme
from django.core.management import CommandError, call_command
from pytest_django import Settings

from econweb.doctor.findings import Level
from econweb.doctor.proxy_checks import check_front
from tests.http_server import running


class Front(BaseHTTPRequestHandler):
    """A proxy in front that has a page for everybody."""

    def do_GET(self) -> None:
        is_closed = self.path in {"/metrics", "/readyz"}
        self.send_response(403 if is_closed else 200)
        self.send_header("Strict-Transport-Security", "max-age=1")
        self.end_headers()
        self.wfile.write(b"ok\n")

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def authority(tmp_path: Path) -> trustme.CA:
    made = trustme.CA()
    made.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    return made


@pytest.fixture
def url(authority: trustme.CA) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Front)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with running(server):
        yield f"https://127.0.0.1:{server.server_port}"


def test_doctor_says_what_is_wrong_with_a_certificate(url: str, settings: Settings, tmp_path: Path) -> None:
    (unknown,) = check_front(url)
    settings.ECON_CA_FILE = str(tmp_path / "authority.pem")
    (known,) = check_front(url)

    assert unknown.text.startswith(f"{url} does not answer (unable to get local issuer certificate; ECON_CA_FILE names")
    assert (known.level, known.text) == (Level.GOOD, f"{url} leads to an econweb, and hides what is for monitoring")


def test_check_proxy_trusts_the_own_authority(url: str, settings: Settings, tmp_path: Path) -> None:
    settings.SIGN_IN, output = "proxy", io.StringIO()
    with pytest.raises(CommandError, match="unable to get local issuer certificate"):
        call_command("check_proxy", url)
    settings.ECON_CA_FILE = str(tmp_path / "authority.pem")
    call_command("check_proxy", url, stdout=output)

    assert output.getvalue().startswith("Without a forged header: nobody (status 200).")
