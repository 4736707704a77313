"""Decode XML replies; document types and foreign encodings are refused before parsing."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec
from lxml import etree

from econweb.redaction import redact
from econweb.upstream.errors import BadReply
from econweb.upstream.records import Reply
from econweb.upstream.replies.unknown_fields import log_unknown_once

_DECLARED = re.compile(rb"""\A<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]*)["']""")
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,15})")


class _Elements:
    """A parser target that collects the attributes of the root and of its children of one name, without a tree."""

    def __init__(self, singular: str, root_integers: tuple[str, ...], record_integers: tuple[str, ...]) -> None:
        self.root_integers, self.record_integers = root_integers, record_integers
        self.singular, self.depth = singular, 0
        self.name = ""
        self.root: dict[str, Any] = {}
        self.records: list[dict[str, Any]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self.depth += 1
        if self.depth == 1:
            self.name, self.root = name, _convert_integers(attributes, self.root_integers)
        elif self.depth == 2 and name == self.singular:
            self.records.append(_convert_integers(attributes, self.record_integers))

    def end(self, _name: str) -> None:
        self.depth -= 1

    def close(self) -> None:
        """Do nothing: lxml requires the method."""


def decode(text: bytes, of: type[Reply], plural: str, singular: str) -> Reply:
    elements = _parse(text, _Elements(singular, *_integer_fields(of, plural)))
    if elements.name != plural:
        raise BadReply(f"The data provider's reply is {redact(repr(elements.name)):.50}, not {plural!r}.")
    return msgspec.convert({**elements.root, plural: elements.records}, of)


def error_message(text: bytes) -> str:
    elements = _parse(text, _Elements("", (), ()))
    return str(elements.root.get("message", "")) if elements.name == "error" else ""


@cache
def _integer_fields(of: type[Any], plural: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the integer fields of a reply, and those of its records; elsewhere the same name may be text."""
    root = get_type_hints(of)
    record = get_type_hints(get_args(root[plural])[0])
    of_reply, of_record = (
        tuple(name for name, kind in hints.items() if kind in (int, int | None)) for hints in (root, record)
    )
    return of_reply, of_record


def _parse(text: bytes, target: _Elements) -> _Elements:
    declared = _DECLARED.match(text)
    if declared and declared[1].lower() not in {b"utf-8", b"utf8", b"us-ascii", b"ascii"}:
        raise BadReply("The data provider's reply declares another encoding than UTF-8.")
    # The parser reads UTF-8 only, so a document type can only be declared in these bytes.
    if b"<!DOCTYPE" in text:
        raise BadReply("The data provider's reply has a document type, which the contract does not know.")
    # lxml-stubs requires more methods than lxml does.
    untyped_target: Any = target
    # Without a document type only the five entities of XML exist. They have to be resolved: else `&amp;` arrives
    # as `&#38;`. A parser can be used for one call only.
    entities: Any = "internal"
    parser = etree.XMLParser(
        target=untyped_target,
        # Else lxml detects UTF-16, in which the check above finds no document type.
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
        raise BadReply(f"The data provider's reply is not complete XML: {_one_line(error.msg or '')}.") from None
    return target


def _one_line(message: str) -> str:
    """Shorten the parser's message, which quotes names of any length and with any character."""
    printable = "".join(letter if letter.isprintable() else " " for letter in redact(message))
    return " ".join(printable.split())[:200]


def _convert_integers(attributes: Mapping[str, str], integers: tuple[str, ...]) -> dict[str, Any]:
    """Convert integer attributes; an invalid one stays text, and fails the type check of its record."""
    content: dict[str, Any] = dict(attributes)
    log_unknown_once(content)
    for name in integers:
        if name in content and _INTEGER.fullmatch(content[name]):
            content[name] = int(content[name])
    return content
