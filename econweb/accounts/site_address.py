"""The address of this site for mails, which no request names."""

from django.conf import settings


def site_address() -> str:
    """Return the address with the first host of ALLOWED_HOSTS."""
    host = next((host for host in settings.ALLOWED_HOSTS if not host.startswith(".")), "localhost")
    return f"https://{host}" if settings.SESSION_COOKIE_SECURE else f"http://{host}:8000"
