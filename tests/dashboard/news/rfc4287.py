"""The rules of RFC 4287 for a feed, as far as an XML parser can check them."""

import re
from typing import Any
from urllib.parse import urlsplit

from lxml import etree

ATOM = "{http://www.w3.org/2005/Atom}"
XML = "{http://www.w3.org/XML/1998/namespace}"
# How often each child may occur: section 4.1.1 and 4.1.2.
ONCE = {"id", "title", "updated"}
IN_BOTH = ONCE | {"author", "category", "contributor", "link", "rights"}
IN_FEED = IN_BOTH | {"entry", "generator", "icon", "logo", "subtitle"}
IN_ENTRY = IN_BOTH | {"content", "published", "source", "summary"}
REPEATED = {"author", "category", "contributor", "entry", "link"}
# RFC 3339, with capital T and Z: section 3.3.
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+")


def broken_rules(root: Any) -> list[str]:
    """Return each rule that a feed breaks, with the place."""
    wrong = [] if root.tag == f"{ATOM}feed" else ["the root is no atom:feed"]
    wrong += _check_children(root, IN_FEED)
    entries = root.findall(f"{ATOM}entry")
    has_author = root.find(f"{ATOM}author") is not None
    for entry in entries:
        wrong += _check_children(entry, IN_ENTRY)
        if not has_author and entry.find(f"{ATOM}author") is None:
            wrong.append("4.1.2: no author")
        links = [link.get("rel", "alternate") for link in entry.findall(f"{ATOM}link")]
        if entry.find(f"{ATOM}content") is None and "alternate" not in links:
            wrong.append("4.1.2: neither content nor alternate")
    versions = [(one.findtext(f"{ATOM}id"), one.findtext(f"{ATOM}updated")) for one in entries]
    if len(set(versions)) < len(versions):
        wrong.append("4.1.1: two entries with one id and moment")
    return wrong


def _check_children(parent: Any, known: set[str]) -> list[str]:
    names = [str(child.tag).removeprefix(ATOM) for child in parent if isinstance(child.tag, str)]
    wrong = [f"4.1: {name} is not allowed here" for name in names if name not in known]
    wrong += [f"4.1: {names.count(name)} times {name}" for name in ONCE if names.count(name) != 1]
    wrong += [f"4.1: several {name}" for name in known - REPEATED - ONCE if names.count(name) > 1]
    for child in parent:
        wrong += _check_child(child, str(child.tag).removeprefix(ATOM))
    kinds = [(one.get("type"), one.get("hreflang")) for one in parent.findall(f"{ATOM}link[@rel='alternate']")]
    if len(set(kinds)) < len(kinds):
        wrong.append("4.1: two alternate links of one type")
    return wrong


def _check_child(child: Any, name: str) -> list[str]:
    text, wrong = child.text or "", []
    if name in {"updated", "published"} and not MOMENT.fullmatch(text):
        wrong.append(f"3.3: {name} is {text!r}")
    if name == "id" and not (urlsplit(text).scheme and text == text.strip()):
        wrong.append(f"4.2.6: id is {text!r}")
    if name == "link":
        if not urlsplit(child.get("href", "")).scheme or re.search(r"[\s<>\"{}|\\^`]", child.get("href", "")):
            wrong.append(f"4.2.7.1: href is {child.get('href')!r}")
        if "type" in child.attrib and not MEDIA_TYPE.fullmatch(child.get("type")):
            wrong.append(f"4.2.7.3: type is {child.get('type')!r}")
    if name == "category" and not child.get("term"):
        wrong.append("4.2.2.1: no term")
    if name == "author" and not child.findtext(f"{ATOM}name"):
        wrong.append("3.2.1: no name")
    if name in {"title", "subtitle", "summary", "rights", "content"} and child.get("type", "text") in {"text", "html"}:
        wrong += ["3.1.1: elements in a text"] if len(child) else []
    wrong += [f"2: {one} is not known" for one in child.attrib if one.startswith("{") and not one.startswith(XML)]
    return wrong


def parse_strictly(content: bytes) -> Any:
    parser = etree.XMLParser(recover=False, resolve_entities=False)
    return etree.fromstring(content, parser)
