"""XML to records: what could reach out, grow or mislead is refused before a parser sees it."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec
from lxml import etree

from econweb.upstream.errors import BadReply
from econweb.upstream.records import Reply
from econweb.upstream.redaction import redacted
from econweb.upstream.unknown import tell_once

_DECLARED = re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]*)["']""")
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,15})")


class _Elements:
    """The attributes of the root and of its children of one name; lxml builds no tree for it."""

    def __init__(self, singular: str, of_root: tuple[str, ...], of_record: tuple[str, ...]) -> None:
        # Which attributes are numbers.
        self.of_root, self.of_record = of_root, of_record
        self.singular, self.depth = singular, 0
        self.name = ""
        self.root: dict[str, Any] = {}
        self.records: list[dict[str, Any]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self.depth += 1
        if self.depth == 1:
            self.name, self.root = name, _typed(attributes, self.of_root)
        elif self.depth == 2 and name == self.singular:
            self.records.append(_typed(attributes, self.of_record))

    def end(self, _name: str) -> None:
        self.depth -= 1

    def close(self) -> None:
        """The parser asks for it."""


def decode(text: bytes, of: type[Reply], plural: str, singular: str) -> Reply:
    found = _elements(text, _Elements(singular, *_integers(of, plural)))
    if found.name != plural:
        raise BadReply(f"The service's reply is {redacted(repr(found.name)):.50}, not {plural!r}.")
    return msgspec.convert({**found.root, plural: found.records}, of)


def error_message(text: bytes) -> str:
    found = _elements(text, _Elements("", (), ()))
    return str(found.root.get("message", "")) if found.name == "error" else ""


@cache
def _integers(of: type[Any], plural: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which fields of a reply are numbers, and which of a record in it: in another one they may be text."""
    root = get_type_hints(of)
    record = get_type_hints(get_args(root[plural])[0])
    of_root, of_record = (
        tuple(name for name, kind in hints.items() if kind in (int, int | None)) for hints in (root, record)
    )
    return of_root, of_record


def _elements(text: bytes, target: _Elements) -> _Elements:
    declared = _DECLARED.match(text)
    if declared and declared[1].lower() not in {b"utf-8", b"utf8", b"us-ascii", b"ascii"}:
        raise BadReply("The service's reply says that it is not in UTF-8.")
    # The parser reads UTF-8 and nothing else, so a declaration can be written in no other bytes than these.
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise BadReply("The service's reply has a document type, which the contract does not know.")
    # The stubs ask for more methods than lxml does.
    wanted: Any = target
    # Without a document type there are no entities but the five of XML itself, and those have to be resolved:
    # else an `&amp;` arrives as `&#38;`. A parser serves one call only.
    entities: Any = "internal"
    parser = etree.XMLParser(
        target=wanted,
        # Else it would guess, and read a document type in UTF-16, where the look above sees none.
        encoding="utf-8",
        resolve_entities=entities,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=False,
    )
    try:
        etree.fromstring(text, parser)
    except etree.XMLSyntaxError as error:
        raise BadReply(f"The service's reply is not whole XML: {_in_a_line(error.msg or '')}.") from None
    return target


def _in_a_line(message: str) -> str:
    """The parser quotes names of any length and with any sign."""
    shown = "".join(sign if sign.isprintable() else " " for sign in redacted(message))
    return " ".join(shown.split())[:200]


def _typed(attributes: Mapping[str, str], integers: tuple[str, ...]) -> dict[str, Any]:
    """Attributes are text; a number that is not written as one stays text, and is refused as such."""
    content: dict[str, Any] = dict(attributes)
    tell_once(content)
    for name in integers:
        if name in content and _INTEGER.fullmatch(content[name]):
            content[name] = int(content[name])
    return content
