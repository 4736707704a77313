"""DNS lookup of the service's host, and the check of the addresses found."""

import socket
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from threading import Thread

from econweb.upstream.errors import Unavailable


def resolve(host: str, port: int, seconds: float, may_be_private: bool) -> list[str]:
    """Return the addresses of a host; a name may resolve to public addresses only.

    Otherwise an attacker who can forge a DNS answer could send the key to a machine in the private network.
    `ECON_PRIVATE_ADDRESSES` allows it for a service that runs there. An IP address in the settings is used as is.
    """
    if _is_address(host):
        return [host]
    found = _look_up_in_time(host, port, seconds)
    if not found:
        raise Unavailable("The data provider cannot be reached: its name has no address.", is_retryable=True)
    if host == "localhost":
        is_allowed = all(ip_address(address).is_loopback for address in found)
    else:
        is_allowed = may_be_private or all(ip_address(address).is_global for address in found)
    if not is_allowed:
        raise Unavailable("The data provider cannot be reached: its name leads to an address inside this network.")
    return found


def _look_up_in_time(host: str, port: int, seconds: float) -> list[str]:
    # getaddrinfo has no timeout, so it runs in a thread, which is abandoned when it hangs.
    answer: SimpleQueue[list[str]] = SimpleQueue()
    Thread(target=_look_up, args=(host, port, answer), daemon=True).start()
    try:
        return answer.get(timeout=seconds)
    except Empty:
        raise Unavailable("The data provider cannot be reached: its name was not found in time.") from None


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
