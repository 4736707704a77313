"""One HTTP request to the service: returns the body of a good reply, or one of our errors."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

import requests
import structlog
import urllib3
from django.conf import settings

from econweb.timed_http import ReplyTooLong, isolate, read_body
from econweb.upstream import clock
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import (
    NOT_ASKED,
    NOT_IN_PERIOD,
    NOT_IN_TIME,
    TOO_LONG,
    BadReply,
    Busy,
    NotFound,
    NotInPeriod,
    Refused,
    Unavailable,
    UpstreamError,
    WrongValue,
    is_not_found,
)
from econweb.upstream.limits.rate_limit import MAX_RETRY_AFTER
from econweb.upstream.replies.decode import (
    error_message,
    is_not_in_period,
    is_web_page,
    wrong_parameter,
)
from econweb.upstream.transport.network import MAX_REPLY_BYTES

CONNECT_SECONDS = 2.0
GZIP_MAGIC = b"\x1f\x8b"
# Compressed bytes that are read together.
PART_BYTES = 4096
log = structlog.get_logger("econweb.upstream")

_INCOMPLETE = "The data provider's reply broke off."
_NOT_WHOLE = "The data provider's reply is not completely compressed."
# The first matching row counts, so subclasses come before their base classes.
ERROR_MAP: tuple[tuple[type[Exception], str, bool], ...] = (
    (requests.exceptions.ProxyError, "The data provider cannot be reached: the proxy in ECON_PROXY refuses.", False),
    (requests.exceptions.SSLError, "The data provider cannot be reached: its certificate is not valid.", False),
    (urllib3.exceptions.SSLError, "The data provider cannot be reached: its certificate is not valid.", False),
    (requests.exceptions.Timeout, NOT_IN_TIME, False),
    (urllib3.exceptions.TimeoutError, NOT_IN_TIME, False),
    (TimeoutError, NOT_IN_TIME, False),
    (requests.exceptions.ChunkedEncodingError, _INCOMPLETE, True),
    (urllib3.exceptions.ProtocolError, _INCOMPLETE, True),
    (requests.exceptions.ConnectionError, "The data provider broke the connection.", True),
    (requests.exceptions.RequestException, NOT_ASKED, False),
    (urllib3.exceptions.HTTPError, _INCOMPLETE, True),
    (OSError, "The data provider broke the connection.", True),
)


@dataclass(frozen=True)
class HttpReply:
    """The complete reply, decompressed."""

    status: int
    headers: requests.structures.CaseInsensitiveDict[str]
    body: bytes


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> None:
        """Return None: requests would decompress the whole body to prepare a redirect that is not followed."""


def new_session() -> requests.Session:
    session = _Session()
    isolate(session)
    session.proxies = {"https": settings.ECON_PROXY} if settings.ECON_PROXY else {}
    session.headers.update({"User-Agent": "econweb (metadata browser)", "Accept-Encoding": "gzip"})
    return session


def exchange(
    session: requests.Session, url: str, parameters: dict[str, str], deadline: Deadline
) -> bytes | UpstreamError:
    """Return the body or an error; a raised error would carry the URL in the exception that caused it."""
    reply = _send(session, url, parameters, deadline)
    return reply if isinstance(reply, UpstreamError) else _classify(reply)


def _request_id_header() -> dict[str, str]:
    """Pass on the id of the current request, which the embedded service logs as well."""
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    return {"X-Request-ID": request_id} if request_id else {}


def _send(
    session: requests.Session, url: str, parameters: dict[str, str], deadline: Deadline
) -> HttpReply | UpstreamError:
    # requests passes a urllib3.Timeout on unchanged, although its type hints do not allow one.
    limits: Any = urllib3.Timeout(connect=CONNECT_SECONDS, total=max(deadline.remaining(), 0.01))
    try:
        with session.get(
            url, params=parameters, headers=_request_id_header(), timeout=limits, allow_redirects=False, stream=True
        ) as reply:
            status = reply.status_code
            return HttpReply(status, reply.headers, _read_body(reply) if status == 200 else _read_error_body(reply))
    except UpstreamError as error:
        error.__context__ = None
        return error.with_traceback(None)
    except ReplyTooLong:
        return BadReply(TOO_LONG)
    except Exception as error:  # the text of any of them may hold the key
        return _translate(error)


def _translate(error: Exception) -> Unavailable:
    for kind, message, is_retryable in ERROR_MAP:
        if isinstance(error, kind):
            return Unavailable(message, is_retryable)
    log.error("unexpected exception in a request to the service", kind=type(error).__name__)
    return Unavailable(NOT_ASKED)


def _read_body(reply: requests.Response) -> bytes:
    return _decompress(read_body(reply, MAX_REPLY_BYTES), reply.headers.get("Content-Encoding", "").strip().lower())


def _read_error_body(reply: requests.Response) -> bytes:
    """Return the body of an error reply, or nothing if it cannot be read: the status is enough."""
    try:
        return _read_body(reply)
    except Exception:  # as many kinds as in `_send`
        return b""


def _decompress(body: bytes, encoding: str) -> bytes:
    if encoding in {"", "identity"} or not body:
        return body
    if encoding not in {"gzip", "x-gzip", "deflate"}:
        raise BadReply("The data provider's reply is compressed in a way that was not asked for.")
    try:
        return b"".join(_decompress_members(body))
    except zlib.error:
        raise BadReply("The data provider's reply cannot be decompressed.") from None


def _decompress_members(body: bytes) -> Iterator[bytes]:
    """Decompress zlib, or all members of gzip (RFC 1952, 2.2)."""
    # 47 means gzip or zlib, detected by the header.
    decompressor, size, position = zlib.decompressobj(47), 0, 0
    while position < len(body):
        if decompressor.eof:
            if not (body.startswith(GZIP_MAGIC) and body.startswith(GZIP_MAGIC, position)):
                raise BadReply(_NOT_WHOLE)
            decompressor = zlib.decompressobj(47)
        # The end of each member copies what is behind it, which would take quadratic time for the whole body.
        part = body[position : position + PART_BYTES]
        yield (piece := decompressor.decompress(part, MAX_REPLY_BYTES + 1 - size))
        size += len(piece)
        if size > MAX_REPLY_BYTES:
            raise BadReply(TOO_LONG)
        position += len(part) - len(decompressor.unused_data)
    if not decompressor.eof:
        raise BadReply(_NOT_WHOLE)


def _classify(reply: HttpReply) -> bytes | UpstreamError:
    status = reply.status
    is_retryable = status in {502, 503, 504}
    # A proxy in front of the service sends web pages when it cannot reach the service.
    if is_web_page(reply.body) and (status == 200 or status >= 400) and status != 429:
        return Unavailable(
            "The data provider is not available: it answers with a web page, not with data.", is_retryable
        )
    if status == 200:
        return reply.body
    if status >= 500:
        return Unavailable(f"The data provider is not available at the moment (status {status}).", is_retryable)
    if status >= 400:
        return _classify_4xx(reply)
    if status >= 300 and status != 304:
        return BadReply("The data provider points to another address, which is not followed.")
    return BadReply(f"The data provider answered with status {status}, which the contract does not know.")


def _classify_4xx(reply: HttpReply) -> UpstreamError:
    status, message = reply.status, error_message(reply.body)
    if status == 429:
        return Busy("The data provider has had too many requests for the moment.", parse_retry_after(reply.headers))
    if status in {400, 404} and is_not_in_period(message):
        return NotInPeriod(NOT_IN_PERIOD, is_explicit=True)
    if status == 404 or (status == 400 and (not message or is_not_found(message))):
        return NotFound(message or "The data provider sent an error without a message.", is_explicit=bool(message))
    if status == 400 and (parameter := wrong_parameter(message)):
        return WrongValue(message, parameter)
    if status in {401, 403} or "api_key" in message:
        # Users do not send a key, so the message means the key of this site.
        message = message or f"The data provider does not accept the API key of this site (status {status})."
        words = f"{message.rstrip('.')}. The administrator of this site needs to check its API key."
        return Refused(words, is_about_key=True)
    return Refused(message or f"The data provider refused the request with status {status}.")


def parse_retry_after(headers: requests.structures.CaseInsensitiveDict[str]) -> float:
    """Return the seconds of the Retry-After header, or 0 if it is missing or invalid."""
    value = headers.get("Retry-After", "").strip()
    try:
        # int() alone would also read underscores and digits of other scripts.
        seconds = float(int(value)) if value.isascii() and value.isdigit() else _seconds_until(value)
    except (ValueError, OverflowError):
        return 0.0
    return seconds if 0 < seconds <= MAX_RETRY_AFTER else 0.0


def _seconds_until(value: str) -> float:
    moment = parsedate_to_datetime(value)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - clock.now()
