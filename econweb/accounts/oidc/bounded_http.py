"""Requests to the OpenID provider: one deadline for each reply, few bytes, no redirects, no compression."""

import io
from typing import Any

import requests
import urllib3
from django.conf import settings

from econweb.timed_http import ReplyTooLong, TimedAdapter, isolate, name_cause, read_body

CONNECT_SECONDS = 2.0
REPLY_SECONDS = 5.0
# A discovery document has about 5 kB, and a set of keys about 10 kB.
MAX_REPLY_BYTES = 256 * 1024
HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "econweb (sign-in)"}


class ProviderUnavailable(Exception):
    """The provider does not answer, or what it sends cannot be used; the text is for the log."""


def bound(session: requests.Session) -> None:
    """Let the session send every request within these bounds, whatever its caller asks for."""
    isolate(session)
    session.headers.update(HEADERS)
    for scheme in ("https://", "http://"):
        session.mount(scheme, _BoundedAdapter(settings.ECON_CA_FILE, max_retries=0))


def get(address: str, access_token: str = "") -> bytes:
    """Return the body of a good reply."""
    with requests.Session() as session:
        bound(session)
        reply = session.get(address, headers={"Authorization": f"Bearer {access_token}"} if access_token else {})
        if reply.status_code != 200:
            raise ProviderUnavailable(f"status {reply.status_code}")
        return reply.content


class _BoundedAdapter(TimedAdapter):
    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
        limits = {"stream": True, "timeout": urllib3.Timeout(connect=CONNECT_SECONDS, read=REPLY_SECONDS)}
        try:
            reply = super().send(request, *args, **{**kwargs, **limits})
            with reply:
                body = _read(reply)
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ReplyTooLong) as error:
            raise ProviderUnavailable(name_cause(error)) from None
        reply.raw = io.BytesIO(body)
        return reply


def _read(reply: requests.Response) -> bytes:
    # The address of a redirect may be anywhere, and the request may hold the secret.
    if 300 <= reply.status_code < 400:
        raise ProviderUnavailable("a redirect")
    if reply.headers.get("Content-Encoding", "identity") != "identity":
        raise ProviderUnavailable("a compressed reply")
    return read_body(reply, MAX_REPLY_BYTES)
