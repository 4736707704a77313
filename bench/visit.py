"""Measure a first visit: the page and all its files, with an empty cache."""

import gzip
from typing import Any
from urllib.parse import urljoin, urlsplit, urlunsplit

import brotli
from lxml import html

from bench.servers import Reply, Server

# The picture beside the title is asked for after the page is there.
FILES = "//link[contains(@rel, 'stylesheet')]/@href | //script/@src | //img/@src"
TAKES = {"Accept-Encoding": "gzip, br"}


def first_visit(server: Server, path: str) -> dict[str, int]:
    """A missing or foreign file counts as a request without bytes."""
    page = server.get(path, TAKES)
    tree: Any = html.document_fromstring(_plain(page))
    links = {urljoin(path, link) for link in tree.xpath(FILES) if not link.startswith("data:")}
    replies = [_reply(server, link) for link in links]
    there = [reply for reply in replies if reply.status == 200]
    return {
        "requests": 1 + len(links),
        "sent": sum(len(reply.body) for reply in [page, *there]),
        "behind_a_proxy_that_packs": sum(map(_packed, [page, *there])),
        "without_bytes": len(replies) - len(there),
    }


def _reply(server: Server, link: str) -> Reply:
    parts = urlsplit(link)
    is_elsewhere = parts.hostname not in {None, "127.0.0.1"}
    return Reply(0) if is_elsewhere else server.get(urlunsplit(("", "", *parts[2:])), TAKES)


def _plain(reply: Reply) -> bytes:
    if reply.headers.get("content-encoding") == "br":
        return bytes(brotli.decompress(reply.body))
    return gzip.decompress(reply.body) if "content-encoding" in reply.headers else reply.body


def _packed(reply: Reply) -> int:
    if reply.headers.get("content-encoding"):
        return len(reply.body)
    return min(len(reply.body), len(gzip.compress(reply.body)))
