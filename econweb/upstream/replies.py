"""Bytes of a reply, XML or JSON, to the records of the contract; whatever differs from it is a `BadReply`."""

import re

import msgspec

from econweb.upstream import json_text, xml_text
from econweb.upstream.errors import BadReply
from econweb.upstream.records import Reply, SeriesReply, TagsReply
from econweb.upstream.redaction import redacted

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WEB_PAGE = re.compile(rb"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
# Fields and rows take memory and time beyond their bytes. Twenty thousand tags have 160,000 of these signs.
MOST_SIGNS = 250_000
_SIGNS = {"json": (b",",), "xml": (b"<", b"=")}
# Of an error reply: what is longer than this is no message, and what is shown of one.
_LONGEST_ERROR, _MOST_WORDS = 65_536, 500
# What a page shows of the service's words: no line breaks, nothing that moves the cursor.
_NOT_WORDS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")


def series_reply(body: bytes, file_type: str) -> SeriesReply:
    """Spec 2.1 and 2.2."""
    return _reply(body, file_type, SeriesReply, "seriess", "series")


def tags_reply(body: bytes, file_type: str) -> TagsReply:
    """Spec 2.3 and 2.4."""
    return _reply(body, file_type, TagsReply, "tags", "tag")


def error_message(body: bytes) -> str:
    """The service's own words in an error reply, in either format; empty when there are none."""
    if len(body) > _LONGEST_ERROR:
        return ""
    try:
        text = _text(body)
        words = json_text.error_message(text) if text.startswith(b"{") else xml_text.error_message(text)
    except BadReply:
        return ""
    # Redacted before it is cut: half a key is none that would be found.
    return redacted(_NOT_WORDS.sub(" ", words)).strip()[:_MOST_WORDS]


def is_web_page(body: bytes) -> bool:
    rest = body[:2000].removeprefix(_BYTE_ORDER_MARK).lstrip()
    # Not by a pattern: one that passes over comments can take for ever to say no.
    while rest.startswith((b"<!--", b"<?")):
        rest = rest.partition(b"-->" if rest.startswith(b"<!--") else b"?>")[2].lstrip()
    return bool(_WEB_PAGE.match(rest))


def _reply(body: bytes, file_type: str, of: type[Reply], plural: str, singular: str) -> Reply:
    text = _text(body)
    found = _format(text)
    if found != file_type:
        raise BadReply(
            f"The service's reply is {found or 'neither XML nor JSON'}, and {file_type} was asked for."
        )
    # Fewer bytes cannot hold so many.
    if len(text) > MOST_SIGNS and sum(map(text.count, _SIGNS[file_type])) > MOST_SIGNS:
        raise BadReply("The service's reply holds more fields than any that the contract knows.")
    try:
        if file_type == "json":
            return json_text.decode(text, of)
        return xml_text.decode(text, of, plural, singular)
    except msgspec.ValidationError as error:
        raise BadReply(
            f"The service's reply does not hold what it should: {_NOT_WORDS.sub(' ', str(error))}."
        ) from None


def _text(body: bytes) -> bytes:
    """UTF-8, which both formats are in; a mark that says so is dropped."""
    try:
        body.decode()
    except UnicodeDecodeError as error:
        raise BadReply(f"The service's reply is not UTF-8 (byte {error.start}).") from None
    return body.removeprefix(_BYTE_ORDER_MARK).lstrip(b" \t\r\n")


def _format(text: bytes) -> str:
    """The first character tells; what a header says does not count."""
    if not text:
        raise BadReply("The service's reply is empty.")
    return {b"<": "xml", b"{": "json", b"[": "json", b"n": "json"}.get(text[:1], "")
