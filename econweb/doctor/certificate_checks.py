"""The days on which certificates end: those of the site, the database and the cache, and the authorities in files."""

import socket
import ssl
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone
from requests.utils import DEFAULT_CA_BUNDLE_PATH

from econweb.doctor.findings import Finding, error, good, warning

TOPIC = "TLS"
SECONDS = 10.0
# To renew one at an institute's authority may take weeks.
MIN_LEFT = timedelta(days=30)
REMEDY = "renew it, and reload what serves it (docs/deploy.md, TLS)"
# OpenSSL's X509_V_ERR_CERT_HAS_EXPIRED.
EXPIRED = 10
# With this message a client asks PostgreSQL for TLS, which answers `S`.
_ASK_FOR_TLS = struct.pack("!ii", 8, 80877103)


class Server(NamedTuple):
    """A server with a certificate; `authority` is a file beside the public ones, or empty."""

    name: str
    host: str
    port: int
    authority: str
    is_postgresql: bool = False


def check_certificates(url: str) -> Iterator[Finding]:
    """Say of each certificate that it ends soon, or has ended."""
    ends = dict(_ends_of_authorities())
    for server in _servers(url):
        try:
            ends[f"the certificate of {server.name}"] = read_end(server)
        except ssl.SSLCertVerificationError as refusal:
            if refusal.verify_code == EXPIRED:
                yield error(TOPIC, f"the certificate of {server.name}, or its authority, has ended: {REMEDY}")
        except (OSError, ValueError):
            # The checks of the proxy, database and cache say why.
            continue
    soon = {name: end for name, end in ends.items() if end < timezone.now() + MIN_LEFT}
    for name, end in soon.items():
        verb = "ends" if end > timezone.now() else "ended"
        yield warning(TOPIC, f"{name} {verb} on {end:%Y-%m-%d}: {REMEDY}")
    if ends and not soon:
        name, end = min(ends.items(), key=lambda one: one[1])
        yield good(TOPIC, f"{name} ends first, on {end:%Y-%m-%d}")


def read_end(server: Server) -> datetime:
    """Return when the certificate of a server ends; raise OSError where it cannot be read or verified."""
    context = ssl.create_default_context(cafile=DEFAULT_CA_BUNDLE_PATH)
    # The other checks compare names; each of them by its own rule.
    context.check_hostname = False
    if server.authority:
        context.load_verify_locations(server.authority)
    with socket.create_connection((server.host, server.port), timeout=SECONDS) as plain:
        if server.is_postgresql:
            plain.sendall(_ASK_FOR_TLS)
            if plain.recv(1) != b"S":
                raise ConnectionError
        with context.wrap_socket(plain, server_hostname=server.host) as secure:
            return _end_of(secure.getpeercert() or {})


def _servers(url: str) -> Iterator[Server]:
    site, cache = urlsplit(url), urlsplit(settings.CACHE_URL)
    database: dict[str, Any] = settings.DATABASES["default"]
    if site.scheme == "https" and site.hostname:
        yield Server(url, site.hostname, site.port or 443, settings.ECON_CA_FILE)
    if cache.scheme == "rediss" and cache.hostname:
        yield Server("the cache", cache.hostname, cache.port or 6379, settings.ECON_CA_FILE)
    if "postgresql" in database["ENGINE"] and database["HOST"]:
        authority = database.get("OPTIONS", {}).get("sslrootcert", "")
        yield Server("the database", database["HOST"], int(database["PORT"] or 5432), authority, is_postgresql=True)


def _ends_of_authorities() -> Iterator[tuple[str, datetime]]:
    """Yield the end of each authority in ECON_CA_FILE, which the start has read."""
    if settings.ECON_CA_FILE:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(settings.ECON_CA_FILE)
        for number, authority in enumerate(context.get_ca_certs(), start=1):
            yield f"authority {number} in {settings.ECON_CA_FILE}", _end_of(authority)


def _end_of(certificate: object) -> datetime:
    """Return when a certificate ends, as Python's library describes it."""
    if not isinstance(certificate, dict) or "notAfter" not in certificate:
        raise ValueError
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), UTC)
