"""One request on the wire and what came back: bytes that the contract allows, or one of our errors."""

import zlib
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
import structlog
import urllib3

from econweb.upstream import clock
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import (
    NOT_ASKED,
    NOT_IN_TIME,
    TOO_LONG,
    BadReply,
    Busy,
    NotFound,
    Refused,
    Unavailable,
    UpstreamError,
)
from econweb.upstream.replies import error_message, is_web_page
from econweb.upstream.wire import MOST_BYTES

CONNECT_SECONDS = 2.0
# Longer than this nobody is told to wait by a service in its senses.
LONGEST_TOLD = 3600.0
log = structlog.get_logger("econweb.upstream")

_BROKE_OFF = "The service's reply broke off."
# The first row that fits counts, so the special stands before the general.
LOWER_ERRORS: tuple[tuple[type[Exception], str, bool], ...] = (
    (requests.exceptions.SSLError, "The service cannot be reached: its certificate is not valid.", False),
    (urllib3.exceptions.SSLError, "The service cannot be reached: its certificate is not valid.", False),
    (requests.exceptions.Timeout, NOT_IN_TIME, False),
    (urllib3.exceptions.TimeoutError, NOT_IN_TIME, False),
    (TimeoutError, NOT_IN_TIME, False),
    (requests.exceptions.ChunkedEncodingError, _BROKE_OFF, True),
    (urllib3.exceptions.ProtocolError, _BROKE_OFF, True),
    (requests.exceptions.ConnectionError, "The service broke the connection.", True),
    (requests.exceptions.RequestException, NOT_ASKED, False),
    (urllib3.exceptions.HTTPError, _BROKE_OFF, True),
    (OSError, "The service broke the connection.", True),
)


@dataclass(frozen=True)
class Answer:
    """What came back, whole and decompressed."""

    status: int
    headers: requests.structures.CaseInsensitiveDict[str]
    body: bytes


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> None:
        """Nowhere: to get ready for a redirect that is not followed, requests would unpack its whole body."""


def new_session() -> requests.Session:
    session = _Session()
    # Neither proxies of the environment nor a .netrc have a say in where the key goes.
    session.trust_env = False
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    session.headers.update({"User-Agent": "econweb (metadata browser)", "Accept-Encoding": "gzip"})
    return session


def exchange(
    session: requests.Session, url: str, parameters: dict[str, str], deadline: Deadline
) -> bytes | UpstreamError:
    """Errors are returned: raised in here, they would drag the lower ones and their addresses along."""
    answer = _answer(session, url, parameters, deadline)
    if isinstance(answer, UpstreamError):
        return answer
    return _verdict(answer)


def _trace() -> dict[str, str]:
    """The id of the request that asks: the other side, the embedded one above all, writes it down as well."""
    identity = structlog.contextvars.get_contextvars().get("request_id")
    return {"X-Request-ID": identity} if identity else {}


def _answer(
    session: requests.Session, url: str, parameters: dict[str, str], deadline: Deadline
) -> Answer | UpstreamError:
    # requests passes it on as it is, which its types do not say.
    limits: Any = urllib3.Timeout(connect=CONNECT_SECONDS, total=max(deadline.left(), 0.01))
    try:
        with session.get(
            url, params=parameters, headers=_trace(), timeout=limits, allow_redirects=False, stream=True
        ) as reply:
            status = reply.status_code
            return Answer(status, reply.headers, _body(reply) if status == 200 else _words(reply))
    except UpstreamError as error:
        error.__context__ = None
        return error.with_traceback(None)
    except Exception as error:  # whatever it is, its text may hold the key
        return _mapped(error)


def _mapped(error: Exception) -> Unavailable:
    for lower, words, passing in LOWER_ERRORS:
        if isinstance(error, lower):
            return Unavailable(words, passing)
    log.error("an exception that the table does not know", kind=type(error).__name__)
    return Unavailable(NOT_ASKED)


def _body(reply: requests.Response) -> bytes:
    pieces, size = [], 0
    for piece in reply.raw.stream(65536, decode_content=False):
        pieces.append(piece)
        size += len(piece)
        if size > MOST_BYTES:
            raise BadReply(TOO_LONG)
    return _decompressed(b"".join(pieces), reply.headers.get("Content-Encoding", "").strip().lower())


def _words(reply: requests.Response) -> bytes:
    """The body of an error: the status says enough when it cannot be read."""
    try:
        return _body(reply)
    except Exception:  # there are as many kinds as in `_answer`
        return b""


def _decompressed(body: bytes, encoding: str) -> bytes:
    if encoding in {"", "identity"} or not body:
        return body
    if encoding not in {"gzip", "x-gzip", "deflate"}:
        raise BadReply("The service's reply is compressed in a way that was not asked for.")
    # 47 is both of the formats, told apart by their first bytes.
    decompressor = zlib.decompressobj(47)
    try:
        whole = decompressor.decompress(body, MOST_BYTES + 1)
    except zlib.error:
        raise BadReply("The service's reply cannot be decompressed.") from None
    if len(whole) > MOST_BYTES:
        raise BadReply(TOO_LONG)
    if not decompressor.eof or decompressor.unused_data:
        raise BadReply("The service's reply is not compressed whole.")
    return whole


def _verdict(answer: Answer) -> bytes | UpstreamError:
    status = answer.status
    # Whatever stands before the service sends pages, too, when it does not reach it.
    if is_web_page(answer.body) and (status == 200 or status >= 400) and status not in {401, 403, 429}:
        passing = status in {502, 503, 504}
        return Unavailable(
            "The service is not available: it answers with a web page, not with data.", passing
        )
    if status == 200:
        return answer.body
    if status >= 500:
        passing = status in {502, 503, 504}
        return Unavailable(f"The service is not available at the moment (status {status}).", passing)
    if status >= 400:
        return _refusal(answer)
    if status >= 300 and status != 304:
        return BadReply("The service points to another address, which is not followed.")
    return BadReply(f"The service answered with status {status}, which the contract does not know.")


def _refusal(answer: Answer) -> UpstreamError:
    status, words = answer.status, error_message(answer.body)
    if status == 429:
        return Busy("The service has had too many requests for the moment.", retry_after(answer.headers))
    if status in {401, 403}:
        words = words or f"It does not accept the key of this portal (status {status})."
        return Refused(f"{words} Whoever runs this portal has to look at its key.")
    if status == 404 or (status == 400 and (not words or words.endswith("does not exist."))):
        return NotFound(words or "The service does not know it.", told=bool(words))
    return Refused(words or f"The service refused the request with status {status}.")


def retry_after(headers: requests.structures.CaseInsensitiveDict[str]) -> float:
    """Seconds that the service tells to wait; 0 when it tells none or nonsense."""
    value = headers.get("Retry-After", "").strip()
    try:
        # int() alone would also read underscores and digits of other scripts.
        told = float(int(value)) if value.isascii() and value.isdigit() else _until(value)
    except (ValueError, OverflowError):
        return 0.0
    return told if 0 < told <= LONGEST_TOLD else 0.0


def _until(value: str) -> float:
    moment = parsedate_to_datetime(value)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - clock.now()
