"""Decode replies in XML or JSON to the records of the contract; anything else raises `BadReply`."""

import re
from operator import attrgetter

import msgspec

from econweb.redaction import redact
from econweb.upstream.errors import BadReply
from econweb.upstream.records import Reply, SeriesReply, TagsReply
from econweb.upstream.replies import json_reply, xml_reply

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WEB_PAGE = re.compile(rb"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
# Fields and rows take memory and time beyond their bytes. Twenty thousand tags have 160,000 of these characters.
MAX_SEPARATORS = 250_000
_SEPARATORS = {"json": (b",",), "xml": (b"<", b"=")}
# A longer error reply is not read; of its message this many characters are shown.
_MAX_ERROR_BYTES, _MAX_MESSAGE = 65_536, 500
# Removed from the service's messages before they are shown: line breaks, control and bidi characters.
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")

# The sentence names the provider's archive after "in", so only the text around the name is matched.
_NOT_IN_PERIOD = re.compile(r"does not exist in .{0,500}\bTry setting realtime_start and realtime_end\b")
# Parameters whose values come from the user unchanged.
_USER_PARAMETERS = re.compile(r"\b(series_id|realtime_start|realtime_end|search_text)\b")


def decode_series(body: bytes, file_type: str) -> SeriesReply:
    """Decode the reply to a request for a series: its versions come oldest first, as the contract has no order."""
    reply = _decode(body, file_type, SeriesReply, "seriess", "series")
    return msgspec.structs.replace(reply, seriess=tuple(sorted(reply.seriess, key=attrgetter("realtime_start"))))


def decode_tags(body: bytes, file_type: str) -> TagsReply:
    """Decode the reply to a request for tags."""
    return _decode(body, file_type, TagsReply, "tags", "tag")


def error_message(body: bytes) -> str:
    """Return the service's message in an error reply of either format, or an empty text."""
    if len(body) > _MAX_ERROR_BYTES:
        return ""
    try:
        text = _check_utf8(body)
        message = json_reply.error_message(text) if text.startswith(b"{") else xml_reply.error_message(text)
    except BadReply:
        return ""
    # Redacted before it is cut, because half a key would not be found.
    return redact(_CONTROL_CHARACTERS.sub(" ", message)).strip()[:_MAX_MESSAGE]


def is_not_in_period(message: str) -> bool:
    """Return True if the service has no record in the real-time period; it may have one without the period."""
    return _NOT_IN_PERIOD.search(message) is not None


def wrong_parameter(message: str) -> str:
    """Return the first parameter in the message whose value the user gave, or an empty text."""
    named = None if "api_key" in message else _USER_PARAMETERS.search(message)
    return named[0] if named else ""


def is_web_page(body: bytes) -> bool:
    rest = body[:2000].removeprefix(_BYTE_ORDER_MARK).lstrip()
    # A regular expression that skips comments could take exponential time.
    while rest.startswith((b"<!--", b"<?")):
        rest = rest.partition(b"-->" if rest.startswith(b"<!--") else b"?>")[2].lstrip()
    return bool(_WEB_PAGE.match(rest))


def _decode(body: bytes, file_type: str, of: type[Reply], plural: str, singular: str) -> Reply:
    text = _check_utf8(body)
    detected = _detect_format(text)
    if detected != file_type:
        raise BadReply(
            f"The data provider's reply is {detected or 'neither XML nor JSON'}, and {file_type} was asked for."
        )
    # A shorter text cannot hold more than this.
    if len(text) > MAX_SEPARATORS and sum(map(text.count, _SEPARATORS[file_type])) > MAX_SEPARATORS:
        raise BadReply("The data provider's reply has too many fields.")
    try:
        if file_type == "json":
            return json_reply.decode(text, of)
        return xml_reply.decode(text, of, plural, singular)
    except msgspec.ValidationError as error:
        raise BadReply(
            f"The data provider's reply does not follow the contract: {_CONTROL_CHARACTERS.sub(' ', str(error))}."
        ) from None


def _check_utf8(body: bytes) -> bytes:
    """Return the body without a byte order mark; raise if it is not UTF-8, as both formats have to be."""
    try:
        body.decode()
    except UnicodeDecodeError as error:
        raise BadReply(f"The data provider's reply is not UTF-8 (byte {error.start}).") from None
    return body.removeprefix(_BYTE_ORDER_MARK).lstrip(b" \t\r\n")


def _detect_format(text: bytes) -> str:
    """Detect the format by the first character; Content-Type is not trusted."""
    if not text:
        raise BadReply("The data provider's reply is empty.")
    return {b"<": "xml", b"{": "json", b"[": "json", b"n": "json"}.get(text[:1], "")
