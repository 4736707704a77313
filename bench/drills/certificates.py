"""The service's certificate expires, is of another host or of an unknown authority, and is renewed."""

import ssl
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import SHUT_RDWR, socket
from threading import Thread
from typing import Any

import trustme

from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.drills.upstream import PAGE
from bench.measure import load
from bench.servers import Server, econweb
from bench.service import Service

KEPT, SENTENCE = "/category/900/tags/", "The data provider cannot be reached: its certificate is not valid."
MAX_FRESH_SECONDS = 1


class SecureService(Service):
    """The service behind TLS, with a certificate that can be changed while it runs."""

    def __init__(self, certificate: trustme.LeafCert) -> None:
        super().__init__()
        self._opened: list[ssl.SSLSocket] = []
        self.present(certificate)

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.server_address[1]}"

    def present(self, certificate: trustme.LeafCert) -> None:
        """Use this certificate for all connections from now on, and end those that are open."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(context)
        self._context = context
        while self._opened:
            with suppress(OSError):
                self._opened.pop().shutdown(SHUT_RDWR)

    def get_request(self) -> tuple[socket, Any]:
        plain, address = super().get_request()
        # The handshake is part of the first read, in the thread of the connection.
        opened = self._context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False)
        self._opened.append(opened)
        return opened, address

    def handle_error(self, *_: object) -> None:
        """Write nothing: clients end the connection if they refuse the certificate."""


@contextmanager
def _serve(folder: str, authority: trustme.CA) -> Iterator[tuple[SecureService, Server]]:
    """Serve with an authority of the institute in ECON_CA_FILE."""
    trusted = Path(folder, "institute.pem")
    authority.cert_pem.write_to_path(str(trusted))
    with ExitStack() as stack:
        upstream = stack.enter_context(SecureService(authority.issue_cert("127.0.0.1")))
        Thread(target=upstream.serve_forever, args=(0.05,), daemon=True).start()
        stack.callback(upstream.shutdown)
        settings = {"ECON_CA_FILE": str(trusted), "ECON_FRESH_SECONDS": str(MAX_FRESH_SECONDS)}
        yield upstream, stack.enter_context(econweb(upstream.settings() | settings))


def certificates() -> Outcome:
    """U31: old answers stay, one sentence says why there are no new ones, and a renewal needs no restart."""
    authority = trustme.CA()
    past = datetime.now(UTC) - timedelta(days=9)
    wrong = {
        "expired": authority.issue_cert("127.0.0.1", not_before=past, not_after=past + timedelta(days=1)),
        "of another host": authority.issue_cert("other.example.org"),
        "of an unknown authority": trustme.CA().issue_cert("127.0.0.1"),
    }
    with tempfile.TemporaryDirectory(prefix="econweb-certificates-") as folder, _serve(folder, authority) as running:
        upstream, server = running
        lost, recovery = [], 0.0
        if server.get(KEPT).status != 200:
            lost.append("a valid certificate is refused")
        for number, (kind, certificate) in enumerate(wrong.items(), 1):
            upstream.present(certificate)
            asked = sum(upstream.asked.values())
            lost += [f"{kind}: {what}" for what in _read(server, number)]
            if sum(upstream.asked.values()) != asked:
                lost.append(f"{kind}: the service got a request")
            upstream.present(authority.issue_cert("127.0.0.1"))
            healed = seconds_until(lambda number=number: server.get(_new(number, 9)).status == 200)  # type: ignore[misc]
            recovery = max(recovery, healed)
            lost += [f"{kind}: /readyz still says so"] if SENTENCE in _ready(server) else []
        leaked = secrets_in(server)
    return Outcome("certificates", ", ".join(wrong), "; ".join(lost), leaked, recovery)


def _new(phase: int, number: int) -> str:
    """Return a view that nobody has opened."""
    return f"/category/{phase}{number}0900/tags/"


def _ready(server: Server) -> str:
    ready = server.get("/readyz")
    return f"{ready.status} {ready.body.decode()}"


def _read(server: Server, phase: int) -> list[str]:
    """Read a kept view until it is stale, and new ones: in the first phase until the circuit breaker opens."""
    with load(server, [PAGE], MAX_FRESH_SECONDS + 1, 16) as seen:
        time.sleep(MAX_FRESH_SECONDS)
        pages = [server.get(_new(phase, number)) for number in range(6 if phase == 1 else 2)]
        ready, about = _ready(server), server.get("/about/").body.decode()
    wrong = [not_in(seen, {"200"})]
    if any(page.status != 503 for page in pages) or SENTENCE.encode() not in pages[0].body:
        wrong.append(f"new views answer {[page.status for page in pages]}")
    if not ready.startswith("200 ") or SENTENCE not in ready:
        wrong.append(f"/readyz says {ready}")
    if SENTENCE not in about:
        wrong.append("/about/ does not say why")
    if f'"failure": "{SENTENCE}"' not in server.log():
        wrong.append("the log does not say why")
    return [what for what in wrong if what]
