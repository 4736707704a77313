"""The address of this site for mails, which no request names."""

from argparse import ArgumentTypeError
from urllib.parse import urlsplit

from django.conf import settings


def site_address() -> str:
    """Return the address with the first host of ALLOWED_HOSTS."""
    host = next((host for host in settings.ALLOWED_HOSTS if not host.startswith(".")), "localhost")
    return f"https://{host}" if settings.SESSION_COOKIE_SECURE else f"http://{host}:8000"


def parse_site_address(text: str) -> str:
    """Return the argument of a command without its last slash."""
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ArgumentTypeError("write it like https://portal.example.org")
    return text.rstrip("/")
