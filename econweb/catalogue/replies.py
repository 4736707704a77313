"""Write records as JSON or XML, the two formats of the contract."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from django.http import HttpResponse

Record = Mapping[str, object]

# XML parsers turn a plain newline in an attribute into a space.
_XML_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\n": "&#10;",
    "\r": "&#13;",
    "\t": "&#9;",
}
_XML_SPECIAL = re.compile('[&<>"\n\r\t]')
_END_OF_TAG = {"json": "}", "xml": '"/>\n'}
_CONTENT_TYPES = {"json": "application/json; charset=UTF-8", "xml": "text/xml; charset=UTF-8"}


def series(file_type: str, envelope: Record, records: Iterable[Record]) -> HttpResponse:
    """Return the reply to GET /series."""
    return _listing(file_type, envelope, "seriess", [_record(file_type, "series", record) for record in records])


def tags(file_type: str, envelope: Record, prefixes: Sequence[str], counted: Iterable[tuple[int, int]]) -> HttpResponse:
    """Return the reply to a request for tags, from their prefixes, by number, and their counts."""
    end = _END_OF_TAG[file_type]
    return _listing(file_type, envelope, "tags", [f"{prefixes[tag]}{count}{end}" for tag, count in counted])


def tag_prefix(file_type: str, tag: Record) -> str:
    """Return a tag's record up to `series_count`, the last field, which differs between answers."""
    whole = _record(file_type, "tag", dict(tag) | {"series_count": 0})
    return whole.removesuffix("0" + _END_OF_TAG[file_type])


def error(file_type: str, status: int, message: str) -> HttpResponse:
    if file_type == "json":
        return _response("json", _json({"error_code": status, "error_message": message}), status)
    return _response("xml", _element("error", {"code": status, "message": message}), status)


def _listing(file_type: str, envelope: Record, plural: str, records: Iterable[str]) -> HttpResponse:
    if file_type == "json":
        around = _json({**envelope, plural: ()})
        return _response("json", f"{around[:-2]}{','.join(records)}]}}")
    return _response("xml", f"<{plural}{_attributes(envelope)}>\n{''.join(records)}</{plural}>\n")


def _record(file_type: str, singular: str, record: Record) -> str:
    return _json(record) if file_type == "json" else f"  {_element(singular, record)}"


def _response(file_type: str, content: str, status: int = 200) -> HttpResponse:
    if file_type == "xml":
        content = f'<?xml version="1.0" encoding="utf-8" ?>\n{content}'
    return HttpResponse(content.encode(), status=status, content_type=_CONTENT_TYPES[file_type])


def _json(content: Record) -> str:
    return json.dumps(content, separators=(",", ":"), default=str).replace("/", r"\/")


def _element(name: str, record: Record) -> str:
    return f"<{name}{_attributes(record)}/>\n"


def _attributes(record: Record) -> str:
    return "".join(f' {name}="{_escape(str(value))}"' for name, value in record.items())


def _escape(text: str) -> str:
    return _XML_SPECIAL.sub(lambda match: _XML_ESCAPES[match[0]], text)
