"""How long asking takes: a view of a kept set of 1000 tags, and reading a reply against the bare library."""

import os
import sys
import time
import timeit
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "econweb.settings")

import django  # noqa: E402

django.setup()

import msgspec  # noqa: E402
from lxml import etree  # noqa: E402

from econweb.upstream import service  # noqa: E402
from econweb.upstream.queries import TagQuery  # noqa: E402
from econweb.upstream.records import TagsReply  # noqa: E402
from econweb.upstream.replies import tags_reply  # noqa: E402
from tests.upstream.replies_of_a_peer import a_tag, a_tags_reply, as_json, as_xml  # noqa: E402

GROUPS = ("freq", "gen", "geo", "geot", "rls", "seas", "src", "cc")
NOTES = ("", "United States of America", "Zürich and/or Genève", "Trade: goods & services")
TAGS = [
    a_tag(
        name=f"tag {number * 7919 % 1000:04}",
        group_id=GROUPS[number % 8],
        series_count=number // 3,
        notes=NOTES[number % 4],
    )
    for number in range(1000)
]
JSON, XML = as_json(a_tags_reply(*TAGS)), as_xml(a_tags_reply(*TAGS))
VIEWS = [
    TagQuery(),
    TagQuery(tag_group_id="geo", order_by="name", sort_order="asc"),
    TagQuery(tag_names=("tag 0001", "tag 0500", "tag 0999"), order_by="created"),
    TagQuery(
        tag_names=tuple(f"tag {n:04}" for n in range(0, 1000, 3)), tag_group_id="gen", order_by="popularity"
    ),
]


def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The whole service: a page of 1000, and then no more."""
    start_response("200 OK", [])
    return [
        JSON if "&offset=0&" in environ["QUERY_STRING"] else as_json(a_tags_reply(offset=1000, count=1000))
    ]


def bare_xml() -> Any:
    root = etree.fromstring(XML)
    tree: dict[Any, Any] = {**root.attrib, "tags": [dict(child.attrib) for child in root]}
    return msgspec.convert(tree, TagsReply, strict=False)


def milliseconds(call: Callable[[], Any], number: int = 200) -> float:
    """Of processor time; the best of several runs, since the others measure what else the machine did."""
    return min(timeit.repeat(call, timer=time.process_time, number=number, repeat=9)) / number * 1000


def main() -> None:
    setattr(service, "get_wsgi_application", lambda: answer)  # noqa: B010  mypy would ask for a handler
    for view in VIEWS:
        service.category_tags(125, view)
    hits = [milliseconds(lambda view=view: service.category_tags(125, view)) for view in VIEWS]  # type: ignore[misc]
    print("a hit on a kept set of 1000 tags, ms:", ", ".join(f"{hit:.3f}" for hit in hits))
    decoder = msgspec.json.Decoder(TagsReply)
    pairs = {
        "JSON": (lambda: tags_reply(JSON, "json"), lambda: decoder.decode(JSON)),
        "XML": (lambda: tags_reply(XML, "xml"), bare_xml),
    }
    for name, (ours, bare) in pairs.items():
        own, library = milliseconds(ours, 50), milliseconds(bare, 50)
        print(f"1000 tags of {name}, ms: {own:.3f}, bare library {library:.3f}, {own / library:.2f} times")


if __name__ == "__main__":
    main()
