"""The network address of the client: the key of every limit per client, and a field of the log."""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from django.conf import settings

UNKNOWN = "unknown"
# An IPv6 address has 39, and may name its interface.
MAX_CHARACTERS = 64
# Why a request that names a person is refused: in the log, and on the page of the error.
NOT_OF_PROXY = "it did not come from PROXY_ADDRESSES"


def client_address(meta: Mapping[str, Any]) -> str:
    """Return the client's address; IPv6 clients are counted by their /64 network."""
    # The documented proxy replaces this header. Without a proxy any client could set it.
    forwarded = str(meta.get("HTTP_X_FORWARDED_FOR", "")) if settings.BEHIND_PROXY else ""
    return _normalize(forwarded) or _normalize(str(meta.get("REMOTE_ADDR", ""))) or UNKNOWN


def _normalize(text: str) -> str:
    """Return the last entry, which the proxy itself added, in a canonical form."""
    last = text.rpartition(",")[2].strip()
    return _canonical(last) if len(last) <= MAX_CHARACTERS else ""


@lru_cache(maxsize=1000)
def _canonical(text: str) -> str:
    address = parse_address(text)
    if isinstance(address, IPv6Address):
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address or "")


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address, or None; a socket for both versions shows an IPv4 client as an IPv6 address."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def is_loopback(host: str) -> bool:
    """Return whether an address or a name is this machine."""
    address = parse_address(host.strip("[]"))
    return address.is_loopback if address else host == "localhost"
