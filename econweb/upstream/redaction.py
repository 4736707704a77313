"""The one place that takes keys and query strings out of a text."""

import base64
import logging
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

# From a question mark behind a path to the next blank or quote; and the parameter wherever it stands.
_QUERY = re.compile(r"(?<=[\w/.~-])\?[^\s\"'<>\\]+")
_PARAMETER = re.compile(r"(api_?key(?:%3[dD]|[\"']?\s*[=:]\s*[\"']?))[^\s&\"'<>,;})]+", re.IGNORECASE)
# No escape goes without one of these; each begins with one sign, which is found fast.
_ESCAPES = [re.compile(sign) for sign in (r"%(?:25)*[2-7a-fA-F]", r"\\(?:u00|x)", r"&(?:amp;)*#")]


class _Key(NamedTuple):
    """In how many ways it may be written, and those of them that hold no escape, in small letters."""

    pattern: re.Pattern[str]
    forms: list[str]


_keys: dict[str, _Key] = {}


def hide(key: str) -> None:
    """From now on this key is taken out, however it is written."""
    if key:
        amid = _amid_base64(key)
        letters, in_base64 = "".join(map(_written, key)), "|".join(map(re.escape, amid))
        # At the end of base64 the last letter says something of the key as well.
        pattern = re.compile(rf"{letters}|(?:{in_base64})(?:[\w+/]?=+)?", re.IGNORECASE)
        _keys[key] = _Key(pattern, [form.lower() for form in (key, key.encode().hex(), *amid)])


def redacted(text: str) -> str:
    # A look that costs little, since a line of the log rarely has either.
    if "?" in text:
        text = _QUERY.sub("", text)
    if "key" in text.lower():
        text = _PARAMETER.sub(r"\1[hidden]", text)
    for key in _that_may_be_in(text, _keys.values()):
        text = key.pattern.sub("[hidden]", text)
    return text


def without(key: str, packed: bytes) -> bytes:
    """For what is kept, in MessagePack, where the escapes of a reply are text: a service may send the key."""
    if not key or not _that_may_be_in(packed.decode("latin-1"), [_keys[key]]):
        return packed
    return msgspec.msgpack.encode(_each_without(_keys[key].pattern, msgspec.msgpack.decode(packed)))


def _that_may_be_in(text: str, keys: Iterable[_Key]) -> list[_Key]:
    """A fast look, since the patterns take their time."""
    if any(sign.search(text) for sign in _ESCAPES):
        return list(keys)
    small = text.lower()
    return [key for key in keys if any(form in small for form in key.forms)]


def _each_without(pattern: re.Pattern[str], value: Any) -> Any:
    if isinstance(value, str):
        return pattern.sub("[hidden]", value)
    if isinstance(value, list):
        return [_each_without(pattern, item) for item in value]
    if isinstance(value, dict):
        return {name: _each_without(pattern, item) for name, item in value.items()}
    return value


def _written(letter: str) -> str:
    """As it is, by its number in an address, JSON or HTML, also twice over, or as nothing but its number."""
    cases, html = sorted({letter.lower(), letter.upper()}), r"&(?:amp;){0,2}\#"
    before = rf"(?:%(?:25){{0,3}}|\\{{1,4}}(?:u00|x)|{html}x0{{0,6}})?"
    by_16 = ["".join(rf"{before}{byte:02x};?" for byte in case.encode()) for case in cases]
    by_10 = [rf"{html}0{{0,6}}{ord(sign)};?" for sign in "".join(cases)]
    return f"(?:{'|'.join([re.escape(letter), *by_16, *by_10])})"


def _amid_base64(key: str) -> list[str]:
    """The letters that do not depend on what stands around the key, for each place where it may begin."""
    found = []
    for before in range(3):
        letters = base64.b64encode(bytes(before) + key.encode()).decode()
        found.append(letters[(before * 8 + 5) // 6 : (before + len(key.encode())) * 8 // 6])
    return found


def redact_record(record: logging.LogRecord) -> bool:
    """A filter for loggers of libraries that print whole addresses; it lets every record pass."""
    message = record.getMessage()
    clean = redacted(message)
    if clean != message:
        record.msg, record.args = clean, None
    return True
