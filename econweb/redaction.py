"""Removal of API keys from text: from what this site writes, and from what users paste.

`redact` finds this site's secrets in every encoding, and removes query strings. From a pasted text only the key goes.
"""

import base64
import logging
import re
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import unquote_plus

import msgspec

# A query string, from the question mark after a path to the next space or quote; and the parameter anywhere.
_QUERY = re.compile(r"(?<=[\w/.~-])\?[^\s\"'<>\\]+")
_KEY_NAME = "api_?key"
_PARAMETER = re.compile(rf"({_KEY_NAME}(?:%3d|[\"']?\s*[=:]\s*[\"']?))[^\s&\"'<>,;}})]+", re.IGNORECASE)
# No blank after the sign: removing twice must give the same, or the redirect to the clean address would repeat.
PASTED_KEY = re.compile(rf"({_KEY_NAME}(?:=|%3d))[^&#\s]*", re.IGNORECASE)
# As in code and JSON, before anything that is long enough for a key.
QUOTED_KEY = re.compile(
    rf"""{_KEY_NAME}(?:["']\s{{0,9}}[=:]|\s{{1,9}}[=:]|:)\s{{0,9}}["']?[a-z0-9]{{16}}[^&#\s]*""", re.IGNORECASE
)
# Every escaped form contains one of these; each begins with a fixed character, which makes the search fast.
_ESCAPES = [re.compile(sign) for sign in (r"%(?:25)*[2-7a-fA-F]", r"\\(?:u00|x)", r"&(?:amp;)*#")]


def _spellings(letter: str) -> str:
    """Return a pattern of a letter as it is, or escaped once or twice for a URL, JSON or HTML, or in hex."""
    cases, html = sorted({letter.lower(), letter.upper()}), r"&(?:amp;){0,2}\#"
    before = rf"(?:%(?:25){{0,3}}|\\{{1,4}}(?:u00|x)|{html}x0{{0,6}})?"
    by_16 = ["".join(rf"{before}{byte:02x};?" for byte in case.encode()) for case in cases]
    by_10 = [rf"{html}0{{0,6}}{ord(sign)};?" for sign in "".join(cases)]
    return f"(?:{'|'.join([re.escape(letter), *by_16, *by_10])})"


# With the link of an invitation, any reader of the log could choose its password. Also in a wrong spelling,
# which is a 404: the token in it is right.
_SLASH = _spellings("/")
_INVITATION = re.compile(
    rf"({_SLASH}{''.join(map(_spellings, 'sign-in'))}{_SLASH}+[^/\s]{{1,300}}?{_SLASH}+)[^/\s]+", re.IGNORECASE
)


class _Key(NamedTuple):
    """A pattern for all spellings of a key, and the spellings without escapes in lower case."""

    pattern: re.Pattern[str]
    forms: list[str]


_keys: dict[str, _Key] = {}


def register_secret(key: str) -> None:
    """Redact this key from now on, in every encoding."""
    if key:
        fragments = _base64_fragments(key)
        spelled, in_base64 = "".join(map(_spellings, key)), "|".join(map(re.escape, fragments))
        # The last base64 letter before the padding holds bits of the key as well.
        pattern = re.compile(rf"{spelled}|(?:{in_base64})(?:[\w+/]?=+)?", re.IGNORECASE)
        _keys[key] = _Key(pattern, [form.lower() for form in (key, key.encode().hex(), *fragments)])


def redact(text: str) -> str:
    # Cheap checks first: a log line rarely has a query or a key.
    if "?" in text:
        text = _QUERY.sub("", text)
    lower = text.lower()
    if "sign-in" in lower or _has_escape(text):
        text = _INVITATION.sub(r"\1[hidden]", text)
    if "key" in lower:
        text = _PARAMETER.sub(r"\1[hidden]", text)
    for key in _keys_possibly_in(text, _keys.values()):
        text = key.pattern.sub("[hidden]", text)
    return text


def redact_packed(key: str, packed: bytes) -> bytes:
    """Redact the key from MessagePack before it is cached: a reply may contain the key."""
    if not key or not _keys_possibly_in(packed.decode("latin-1"), [_keys[key]]):
        return packed
    return msgspec.msgpack.encode(_redact_values(_keys[key].pattern, msgspec.msgpack.decode(packed)))


def _has_escape(text: str) -> bool:
    return any(escape.search(text) for escape in _ESCAPES)


def _keys_possibly_in(text: str, keys: Iterable[_Key]) -> list[_Key]:
    """Select keys fast, because the patterns are slow."""
    if _has_escape(text):
        return list(keys)
    lower = text.lower()
    return [key for key in keys if any(form in lower for form in key.forms)]


def _redact_values(pattern: re.Pattern[str], value: Any) -> Any:
    if isinstance(value, str):
        return pattern.sub("[hidden]", value)
    if isinstance(value, list):
        return [_redact_values(pattern, item) for item in value]
    if isinstance(value, dict):
        return {name: _redact_values(pattern, item) for name, item in value.items()}
    return value


def _base64_fragments(key: str) -> list[str]:
    """Return the base64 letters that depend on the key alone, for each of the three possible alignments."""
    fragments = []
    for before in range(3):
        letters = base64.b64encode(bytes(before) + key.encode()).decode()
        fragments.append(letters[(before * 8 + 5) // 6 : (before + len(key.encode())) * 8 // 6])
    return fragments


def redact_record(record: logging.LogRecord) -> bool:
    """Redact a log record of a library that logs whole URLs; a logging filter that passes every record."""
    message = record.getMessage()
    clean = redact(message)
    if clean != message:
        record.msg, record.args = clean, None
    return True


def remove_pasted_key(text: str) -> str:
    return PASTED_KEY.sub(r"\1", QUOTED_KEY.sub("…", text))


def remove_key_parameter(query_string: str) -> str:
    """Return the query string of a request without the parameter `api_key`."""
    if "%" not in query_string and "key" not in query_string.lower():
        return query_string
    parts = query_string.split("&")
    return "&".join(part for part in parts if unquote_plus(part.partition("=")[0]).lower() != "api_key")


def has_key(text: str) -> bool:
    return bool(PASTED_KEY.search(text) or QUOTED_KEY.search(text))


def holds_secret(text: str) -> bool:
    """Return whether a text to be stored has an API key or the link of an invitation; a question is no query string."""
    plain = text.replace("?", " ")
    return has_key(text) or redact(plain) != plain
