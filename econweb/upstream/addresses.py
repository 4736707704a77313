"""Which addresses the service's host may have."""

import socket
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from threading import Thread

from django.conf import settings

from econweb.upstream.errors import Unavailable


def addresses_of(host: str, port: int, seconds: float) -> list[str]:
    """An address that is written in the settings is meant; a name may lead to public ones only.

    Who can change an answer of the name service could else send the key to a machine inside the house.
    `ECON_PRIVATE_ADDRESSES` allows it for a service that does live there.
    """
    if _is_address(host):
        return [host]
    found = _looked_up(host, port, seconds)
    if not found:
        raise Unavailable("The service cannot be reached: its name has no address.", passing=True)
    if host == "localhost":
        allowed = all(ip_address(address).is_loopback for address in found)
    else:
        allowed = settings.ECON_PRIVATE_ADDRESSES or all(ip_address(address).is_global for address in found)
    if not allowed:
        raise Unavailable("The service cannot be reached: its name leads to an address inside this network.")
    return found


def _looked_up(host: str, port: int, seconds: float) -> list[str]:
    # The system's look-up knows no time limit, so it runs beside us and is left behind when it hangs.
    answer: SimpleQueue[list[str]] = SimpleQueue()
    Thread(target=_look_up, args=(host, port, answer), daemon=True).start()
    try:
        return answer.get(timeout=seconds)
    except Empty:
        raise Unavailable("The service cannot be reached: its name was not found in time.") from None


def _look_up(host: str, port: int, answer: SimpleQueue[list[str]]) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        found = []
    answer.put(list(dict.fromkeys(str(address[0]) for *_, address in found)))


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
