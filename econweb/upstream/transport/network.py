"""The requests adapter for a remote service: it looks up the name, and checks the addresses found."""

import socket

from django.conf import settings
from urllib3.connection import HTTPConnection
from urllib3.util.connection import create_connection

from econweb.timed_http import SecureTimedConnection, TimedAdapter, TimedConnection
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import Unavailable
from econweb.upstream.transport.dns import resolve

MIB = 1024 * 1024
MAX_REPLY_BYTES = 8 * MIB
MAX_CONNECTIONS = 8


def _connect(connection: HTTPConnection) -> socket.socket:
    """Look up the name and connect to the address that was checked, not to a second look-up's."""
    deadline = Deadline(float(connection.timeout or 0))
    # The operator's own proxy may be in this network, and looks up the name of the service itself.
    may_be_private = settings.ECON_PRIVATE_ADDRESSES or bool(connection.proxy)
    addresses = resolve(connection.host, connection.port, deadline.remaining(), may_be_private)
    for number, address in enumerate(addresses):
        # An address that does not respond leaves the others their share of the time.
        share = deadline.remaining() / (len(addresses) - number)
        try:
            opened = create_connection(
                (address, connection.port),
                max(share, 0.01),
                source_address=connection.source_address,
                socket_options=connection.socket_options,
            )
        except OSError:
            continue
        # The rest of the time is for the TLS handshake.
        opened.settimeout(max(deadline.remaining(), 0.01))
        return opened
    peer = "the proxy in ECON_PROXY" if connection.proxy else "it"
    if not deadline.remaining():
        raise Unavailable(f"The data provider cannot be reached: {peer} does not answer in time.")
    raise Unavailable(f"The data provider cannot be reached: {peer} does not accept a connection.", is_retryable=True)


class _Connection(TimedConnection):
    _new_conn = _connect


class _SecureConnection(SecureTimedConnection):
    _new_conn = _connect


class DeadlineAdapter(TimedAdapter):
    """An adapter for `https://` and `http://` that neither retries nor waits for a free connection."""

    plain_connection = _Connection
    secure_connection = _SecureConnection

    def __init__(self) -> None:
        super().__init__(settings.ECON_CA_FILE, pool_connections=1, pool_maxsize=MAX_CONNECTIONS, max_retries=0)
