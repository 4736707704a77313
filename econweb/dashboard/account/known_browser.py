"""The cookie of a browser that signed in before: strangers who guess at its account cannot lock it out."""

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string

from econweb.accounts.throttle import KNOWN_BROWSER_FOR

ID_LENGTH = 32


def read_browser(request: HttpRequest) -> str:
    """Return the id of this browser; a stranger may send any, which no account knows."""
    given = request.COOKIES.get(settings.BROWSER_COOKIE_NAME, "")
    return given if re.fullmatch(f"[A-Za-z0-9]{{{ID_LENGTH}}}", given) else ""


def new_browser() -> str:
    return get_random_string(ID_LENGTH)


def write_browser(response: HttpResponse, browser: str) -> None:
    response.set_cookie(
        settings.BROWSER_COOKIE_NAME,
        browser,
        max_age=KNOWN_BROWSER_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
