"""Measure a view of a cached set of 1000 tags, and decoding a reply against the bare library.

python -m bench.upstream [ROUNDS]
"""

import os
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "econweb.settings")

import django

django.setup()

import msgspec  # noqa: E402
from lxml import etree  # noqa: E402

from bench.bounds import Bound, report_bounds  # noqa: E402
from bench.measure import Call, Figures, compare_calls  # noqa: E402
from bench.report import machine, report  # noqa: E402
from bench.tags import tags  # noqa: E402
from econweb.redaction import redact_packed  # noqa: E402
from econweb.upstream import new_client, service  # noqa: E402
from econweb.upstream.queries import TagQuery  # noqa: E402
from econweb.upstream.records import TagsReply  # noqa: E402
from econweb.upstream.replies.decode import decode_tags  # noqa: E402
from tests.upstream.sample_replies import a_tags_reply, as_json, as_xml  # noqa: E402

TAGS = [dict(row) for row in tags(21_000)]
NAMES = [str(row["name"]) for row in TAGS]
JSON, XML = as_json(a_tags_reply(*TAGS)), as_xml(a_tags_reply(*TAGS))
VIEWS = {
    "all": TagQuery(),
    "a group by name": TagQuery(tag_group_id="geo", order_by="name", sort_order="asc"),
    "three names by date": TagQuery(tag_names=tuple(NAMES[:3]), order_by="created"),
    "333 names of a group": TagQuery(tag_names=tuple(NAMES[::3]), tag_group_id="gen", order_by="popularity"),
}


def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The whole service: a page of 1000, and then no more."""
    start_response("200 OK", [])
    return [JSON if "&offset=0&" in environ["QUERY_STRING"] else as_json(a_tags_reply(offset=1000, count=1000))]


def bare_xml() -> Any:
    root = etree.fromstring(XML)
    tree: dict[Any, Any] = {**root.attrib, "tags": [dict(child.attrib) for child in root]}
    return msgspec.convert(tree, TagsReply, strict=False)


def calls() -> dict[str, Call]:
    hits = {
        f"a hit on a kept set of 1000 tags, {name}": Call(partial(service.tags, "category", 125, view))
        for name, view in VIEWS.items()
    }
    packed = msgspec.msgpack.encode(decode_tags(JSON, "json"))
    key = service.upstream().client.api_key
    return hits | {
        "1000 tags of JSON": Call(partial(decode_tags, JSON, "json"), len(JSON)),
        "1000 tags of JSON, bare msgspec": Call(partial(msgspec.json.Decoder(TagsReply).decode, JSON), len(JSON)),
        "1000 tags of XML": Call(partial(decode_tags, XML, "xml"), len(XML)),
        "1000 tags of XML, bare lxml": Call(bare_xml, len(XML)),
        "the key looked for in 1000 tags": Call(partial(redact_packed, key, packed), len(packed)),
    }


def bounds(figures: Mapping[str, Figures]) -> list[Bound]:
    cpu = {name: row.cpu_us for name, row in figures.items()}
    slowest = max(cpu[name] for name in cpu if name.startswith("a hit"))
    in_json = cpu["1000 tags of JSON"] / cpu["1000 tags of JSON, bare msgspec"]
    in_xml = cpu["1000 tags of XML"] / cpu["1000 tags of XML, bare lxml"]
    return [
        Bound("a view of a cached set of 1,000 tags", slowest / 1000, 1, "ms"),
        Bound("1,000 tags of JSON decoded and checked, against the bare library", in_json, 1.3, "times"),
        Bound("1,000 tags of XML decoded and checked, against the bare library", in_xml, 1.3, "times"),
    ]


def main() -> None:
    before, rounds = machine(), int(sys.argv[1]) if sys.argv[1:] else 5
    setattr(new_client, "InProcessHandler", lambda: answer)  # noqa: B010  mypy would ask for a handler
    figures = compare_calls(calls(), rounds)
    report("upstream", figures, before)
    report_bounds("upstream", before, bounds(figures))


if __name__ == "__main__":
    main()
