"""The address of this site: for mails, which no request names, and whether it is one of this machine."""

import re
from argparse import ArgumentTypeError
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

from econweb.accounts.client_address import is_loopback


def site_address() -> str:
    """Return the address with the first host of ALLOWED_HOSTS."""
    host = next((host for host in settings.ALLOWED_HOSTS if not host.startswith(".")), "localhost")
    return f"https://{host}" if settings.SESSION_COOKIE_SECURE else f"http://{host}:8000"


def is_guessed() -> bool:
    """Return whether no setting names the address: people open the site on this machine, at any port."""
    return not settings.SESSION_COOKIE_SECURE


def note_on_local_address(request: HttpRequest) -> str:
    """Return the caveat of links with the address of the request; empty where they work on other machines."""
    is_local = is_loopback(split_domain_port(request.get_host())[0])
    return "The address of this site works on this machine only." if is_local else ""


def parse_site_address(text: str) -> str:
    """Return the argument of a command without its last slash."""
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or 1) > 0
    except ValueError:
        is_address = False
    # Paths are put behind it.
    if not is_address or re.search(r"[?#@\s]", text):
        raise ArgumentTypeError("write it like https://portal.example.org, without a user, query or fragment")
    return text.rstrip("/")
