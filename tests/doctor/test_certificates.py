"""Certificates that end soon, as `manage.py doctor` names them."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
import trustme
from pytest_django import Settings

from econweb.doctor.certificate_checks import check_certificates
from econweb.doctor.findings import Finding, Level
from econweb.management.commands import doctor
from tests.doctor.test_own_authority import Front
from tests.http_server import running

TODAY = datetime.now(UTC)


@contextmanager
def secure(days: int, file: Path) -> Iterator[str]:
    """Run a server whose certificate ends after these days, and write its authority to the file."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    end = TODAY + timedelta(days=days)
    authority.issue_cert("127.0.0.1", not_before=end - timedelta(days=90), not_after=end).configure_cert(context)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Front)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with running(server):
        yield f"127.0.0.1:{server.server_port}"


def find(days: int, settings: Settings, folder: Path, scheme: str = "https") -> tuple[str, list[Finding]]:
    file = folder / "authority.pem"
    with secure(days, file) as server:
        settings.ECON_CA_FILE = str(file)
        settings.CACHE_URL = f"rediss://{server}/0" if scheme == "rediss" else ""
        url = f"https://{server}" if scheme == "https" else ""
        name = url or "the cache"
        return f"the certificate of {name}", [*check_certificates(url)]


@pytest.mark.parametrize("scheme", ["https", "rediss"])
def test_certificate_that_ends_within_thirty_days_is_a_warning(scheme: str, settings: Settings, tmp_path: Path) -> None:
    name, (late,) = find(31, settings, tmp_path, scheme)
    _, (soon,) = find(29, settings, tmp_path, scheme)
    _, ended = find(-1, settings, tmp_path, scheme)

    end = f"{TODAY + timedelta(days=31):%Y-%m-%d}"
    assert (late.level, late.text) == (Level.GOOD, f"{name} ends first, on {end}")
    end = f"{TODAY + timedelta(days=29):%Y-%m-%d}"
    assert (soon.level, soon.text.partition(" ends on ")[2].partition(":")[0]) == (Level.WARNING, end)
    assert ended[0].level == Level.ERROR
    assert "or its authority, has ended: renew it" in ended[0].text


def test_authority_that_ends_is_a_warning(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "authority.pem"
    trustme.CA().cert_pem.write_to_path(str(file))
    settings.ECON_CA_FILE = str(file)
    (late,) = check_certificates("")
    (name,) = (line for line in late.text.split(" ends") if "authority" in line)

    assert (late.level, name) == (Level.GOOD, f"authority 1 in {file}")


def test_site_without_certificates_is_not_mentioned(settings: Settings) -> None:
    settings.ECON_CA_FILE = settings.CACHE_URL = ""

    assert [*check_certificates("http://127.0.0.1:1")] == []
    assert [*check_certificates("https://127.0.0.1:1")] == []
    assert any(getattr(check, "func", None) is check_certificates for check in doctor._checks(""))
