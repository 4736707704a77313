"""JSON to records, and what the decoder lets pass but we do not."""

import json
import re
from collections import Counter
from functools import cache
from typing import Any, TypeVar

import msgspec

from econweb.upstream.errors import BadReply
from econweb.upstream.records import SeriesReply, TagsReply
from econweb.upstream.redaction import redacted
from econweb.upstream.unknown import tell_once

Reply = TypeVar("Reply", SeriesReply, TagsReply)
# Finds fast whether an exact look is worth its while, which takes a hundred times as long.
_SUSPICIOUS = re.compile(rb"\\(?:u00[013]|[bf])")
# An escape that stands for a control character; tab and line breaks are text.
_CONTROL = re.compile(rb"(?<!\\)(?:\\\\)*\\(?:u00(?:0[0-8bBcCeEfF]|1[0-9a-fA-F])|b|f)")


def decode(text: bytes, of: type[Reply]) -> Reply:
    try:
        reply: Reply = _decoder(of).decode(text)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError as error:
        raise BadReply(f"The service's reply is not whole JSON: {error}.") from None
    except RecursionError:
        raise BadReply("The service's reply is nested too deep.") from None
    suspicious = _SUSPICIOUS.search(text)
    if suspicious:
        _refuse_control_characters(text)
    # An escaped colon could make up for that of a key.
    if suspicious or text.count(b":") != _colons(reply, text):
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


def _colons(reply: SeriesReply | TagsReply, text: bytes) -> int:
    """How many colons a text of exactly this reply has; another number means that there are other keys."""
    if isinstance(reply, SeriesReply):
        return -1
    tags = reply.tags
    words = "".join([tag.name for tag in tags])
    given = [tag.notes for tag in tags if tag.notes is not None]
    if len(given) < len(tags) and text.count(b'"notes":null') != len(tags) - len(given):
        return -1
    notes = "".join(given)
    echoed = [reply.order_by, reply.sort_order, reply.count, reply.offset, reply.limit]
    # A record has six keys, and its stamp has two colons; a group with one is worth the exact look.
    return 8 * len(tags) + 3 + 5 - echoed.count(None) + words.count(":") + notes.count(":")


def _look_at_each_key(text: bytes) -> None:
    try:
        # Only keys are looked at, and Python refuses to read a number of more than 4300 digits.
        json.loads(text, object_pairs_hook=_without_repetition, parse_int=str, parse_float=str)
    except RecursionError:
        raise BadReply("The service's reply is nested too deep.") from None
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
