"""JSON to records, and what the decoder lets pass but we do not."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from operator import attrgetter
from typing import Any, get_type_hints

import msgspec

from econweb.upstream.errors import TOO_DEEP, BadReply
from econweb.upstream.records import Reply, Tag, TagsReply, Timestamp
from econweb.upstream.redaction import redacted
from econweb.upstream.unknown import tell_once

# Finds fast whether an exact look is worth its while, which takes a hundred times as long.
_SUSPICIOUS = re.compile(rb"\\(?:u00[013]|[bf])")
# An escape that stands for a control character; tab and line breaks are text.
_CONTROL = re.compile(rb"(?<!\\)(?:\\\\)*\\(?:u00(?:0[0-8bBcCeEfF]|1[0-9a-fA-F])|b|f)")
_STAMPS = [field.name for field in msgspec.structs.fields(Tag) if field.type == Timestamp]
# A key has one colon, and a stamp has two.
_COLONS_OF_A_TAG = len(Tag.__struct_fields__) + 2 * len(_STAMPS)
_TEXTS = [
    attrgetter(name)
    for name, kind in get_type_hints(Tag).items()
    if kind in (str, str | None) and name not in _STAMPS
]
_OPTIONAL = [
    (attrgetter(field.name), b'"%s":null' % field.name.encode())
    for field in msgspec.structs.fields(Tag)
    if not field.required
]
_echoes = attrgetter(*TagsReply.__struct_fields__)


def decode(text: bytes, of: type[Reply]) -> Reply:
    try:
        reply: Reply = _decoder(of).decode(text)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError as error:
        raise BadReply(f"The service's reply is not whole JSON: {error}.") from None
    except RecursionError:
        raise BadReply(TOO_DEEP) from None
    suspicious = b"\\" in text and _SUSPICIOUS.search(text)
    if suspicious:
        _refuse_control_characters(text)
    # An escaped colon could make up for that of a key.
    if suspicious or _has_other_keys(reply, text):
        _look_at_each_key(text)
    return reply


def error_message(text: bytes) -> str:
    try:
        content = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return ""
    words = content.get("error_message")
    return words if isinstance(words, str) else ""


@cache
def _decoder(of: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(of)


def _refuse_control_characters(text: bytes) -> None:
    found = _CONTROL.search(text)
    if found:
        raise BadReply(f"The service's reply holds a control character (byte {found.end() - 1}).")


def _has_other_keys(reply: msgspec.Struct, text: bytes) -> bool:
    """Whether a text of exactly these tags would have another number of colons; other replies are short."""
    if not isinstance(reply, TagsReply):
        return True
    tags = reply.tags
    for value, null in _OPTIONAL:
        absent = [*map(value, tags)].count(None)
        if absent and text.count(null) != absent:
            return True
    echoes = _echoes(reply)
    colons = text.count(b":") - _COLONS_OF_A_TAG * len(tags) - len(echoes) + echoes.count(None)
    # What a text holds only adds to the colons, so that it need not be looked at where none is left.
    return bool(colons) and colons != sum(_colons(map(value, tags)) for value in _TEXTS)


def _colons(texts: Iterable[str | None]) -> int:
    return "".join(filter(None, texts)).count(":")


def _look_at_each_key(text: bytes) -> None:
    try:
        # Only keys are looked at, and Python refuses to read a number of more than 4300 digits.
        json.loads(text, object_pairs_hook=_without_repetition, parse_int=str, parse_float=str)
    except RecursionError:
        raise BadReply(TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise BadReply(f"The service's reply is not whole JSON (character {error.pos}).") from None


def _without_repetition(pairs: list[tuple[str, Any]]) -> None:
    """It gives nothing back, so that nothing is built."""
    content = dict(pairs)
    tell_once(content)
    if len(content) < len(pairs):
        times = Counter(name for name, _ in pairs)
        twice = next(name for name in times if times[name] > 1)
        raise BadReply(f"The service's reply holds {redacted(repr(twice)):.50} twice in one place.")
