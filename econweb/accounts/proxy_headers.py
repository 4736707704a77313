"""The person whom the proxy names in headers, with SIGN_IN=proxy."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from django.conf import settings

from econweb.accounts.client_address import NOT_OF_PROXY, parse_address
from econweb.accounts.models import MAX_PERSON
from econweb.accounts.names import is_of_site

MAX_GROUPS = 4000


class NamedPerson(NamedTuple):
    name: str
    groups: frozenset[str]


def named_person(meta: Mapping[str, Any]) -> NamedPerson | None:
    """Return whom the proxy names; None for a reader without an account."""
    name, groups = _read(meta)
    if not name or find_forgery(meta):
        return None
    return NamedPerson(name, frozenset(group.strip() for group in groups.split(",")) - {""})


def find_forgery(meta: Mapping[str, Any]) -> str:
    """Return why the headers of this request are refused; an empty text for a good one."""
    name, groups = _read(meta)
    if not name and not groups:
        return ""
    if not _is_of_proxy(str(meta.get("REMOTE_ADDR", ""))):
        return NOT_OF_PROXY
    return find_fault(name, groups)


def find_fault(name: str, groups: str = "") -> str:
    """Return why the proxy may not send such headers; an empty text for good ones."""
    # The server joins a header that comes twice with a comma.
    if "," in name:
        return "the user header came twice, or has a comma"
    if len(name) > MAX_PERSON or len(groups) > MAX_GROUPS:
        return "a header is too long"
    if not (name + groups).isprintable() or name != name.strip():
        return "a header has control characters or outer spaces"
    return "the name is one that this site itself uses" if is_of_site(name) else ""


def header_keys() -> tuple[str, str]:
    """Return the names of both headers as WSGI has them."""
    return f"HTTP_{settings.PROXY_USER_HEADER.upper()}", f"HTTP_{settings.PROXY_GROUPS_HEADER.upper()}"


def _read(meta: Mapping[str, Any]) -> tuple[str, str]:
    name, groups = (str(meta.get(key, "")) for key in header_keys())
    return name, groups


@lru_cache(maxsize=1000)
def _is_of_proxy(text: str) -> bool:
    address = parse_address(text)
    return address is not None and any(address in network for network in settings.PROXY_ADDRESSES)
