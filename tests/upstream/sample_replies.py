"""Valid replies of a service, to be sent as they are or corrupted."""

import json
from typing import Any
from xml.sax.saxutils import quoteattr

from tests import builders

PERIOD = {"realtime_start": "2026-11-20", "realtime_end": "2026-11-20"}


def a_tag(**changes: Any) -> dict[str, Any]:
    return {
        "name": "usa",
        "group_id": "geo",
        "notes": "United States of America",
        "created": "2012-02-27 10:18:19-06",
        "popularity": 100,
        "series_count": 46,
        **changes,
    }


def a_series(**changes: Any) -> dict[str, Any]:
    return {**builders.a_series(), **PERIOD, "popularity": 39, **changes}


def a_tags_reply(*tags: dict[str, Any], **changes: Any) -> dict[str, Any]:
    envelope = {"order_by": "name", "sort_order": "asc", "count": len(tags), "offset": 0, "limit": 1000}
    return {**PERIOD, **envelope, "tags": list(tags), **changes}


def a_series_reply(*seriess: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**PERIOD, "seriess": list(seriess), **changes}


def as_json(reply: Any) -> bytes:
    return json.dumps(reply, separators=(",", ":")).replace("/", r"\/").encode()


def as_xml(reply: dict[str, Any]) -> bytes:
    plural = "tags" if "tags" in reply else "seriess"
    singular = {"tags": "tag", "seriess": "series"}[plural]
    envelope = {name: value for name, value in reply.items() if name != plural}
    children = "".join(f"  <{singular}{_attributes(record)}/>\n" for record in reply[plural])
    text = f'<?xml version="1.0" encoding="utf-8" ?>\n<{plural}{_attributes(envelope)}>\n{children}</{plural}>\n'
    return text.encode()


def _attributes(record: dict[str, Any]) -> str:
    given = {name: value for name, value in record.items() if value is not None}
    escapes = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
    return "".join(f" {name}={quoteattr(str(value), escapes)}" for name, value in given.items())


GOOD = a_series_reply(a_series())
GOOD_TAGS = a_tags_reply(a_tag(), a_tag(name="nsa", group_id="seas"))
