"""The one place that takes keys and query strings out of a text."""

import base64
import logging
import re

# From a question mark behind a path to the next blank or quote; and the parameter wherever it stands.
_QUERY = re.compile(r"(?<=[\w/.~-])\?[^\s\"'<>\\]+")
_PARAMETER = re.compile(r"(api_?key(?:%3[dD]|[\"']?\s*[=:]\s*[\"']?))[^\s&\"'<>,;})]+", re.IGNORECASE)
_keys: set[str] = set()


def hide(key: str) -> None:
    """From now on this key, as it is or encoded, is taken out as well."""
    if key:
        percent = "".join(f"%{byte:02X}" for byte in key.encode())
        _keys.update((key, percent, base64.b64encode(key.encode()).decode().rstrip("=")))
        _keys.update(_amid_base64(key.encode(), before) for before in range(3))


def without(key: str, body: bytes) -> bytes:
    """A service that echoes the key: it is taken out before anything is read, kept or shown."""
    for form in {key, key.upper()} if key else ():
        body = body.replace(form.encode(), b"[hidden]")
    return body


def redacted(text: str) -> str:
    text = _PARAMETER.sub(r"\1[hidden]", _QUERY.sub("", text))
    # The longest first: one form may be a part of another.
    for key in sorted(_keys, key=len, reverse=True):
        text = re.sub(re.escape(key), "[hidden]", text, flags=re.IGNORECASE)
    return text


def _amid_base64(key: bytes, before: int) -> str:
    """The letters that do not depend on what stands around the key, with so many bytes before it."""
    letters = base64.b64encode(bytes(before) + key).rstrip(b"=").decode()
    return letters[(before * 8 + 5) // 6 : (before + len(key)) * 8 // 6]


def redact_record(record: logging.LogRecord) -> bool:
    """A filter for loggers of libraries that print whole addresses; it lets every record pass."""
    message = record.getMessage()
    clean = redacted(message)
    if clean != message:
        record.msg, record.args = clean, None
    return True
