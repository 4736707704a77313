"""News as an Atom feed (RFC 4287)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.conf import settings
from django.utils.html import escape
from lxml import etree

from econweb.accounts.site_address import site_address
from econweb.dashboard.rendering.response_head import ATOM
from econweb.watching.news import NewsItem, drop_unprintable

_NAMESPACE = "http://www.w3.org/2005/Atom"
# The time of a feed that has no entry yet.
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Feed:
    """Entries under a title; `name` is what never changes of it, so that its id does not."""

    name: str
    title: str
    items: Sequence[NewsItem]
    # The addresses of the feed itself and of its page.
    link: str
    page: str
    subtitle: str = ""


def write_feed(feed: Feed, absolute: Callable[[str], str]) -> bytes:
    """Return the feed as XML, whatever the service has put into its texts."""
    names: Any = {None: _NAMESPACE}
    root = etree.Element(f"{{{_NAMESPACE}}}feed", nsmap=names)
    root.set("{http://www.w3.org/XML/1998/namespace}lang", "en")
    _add(root, "id", _urn(f"feed/{feed.name}"))
    _add(root, "title", feed.title)
    if feed.subtitle:
        _add(root, "subtitle", feed.subtitle)
    _add(root, "updated", _moment(max((item.confirmed for item in feed.items), default=_BEGINNING)))
    _add(_add(root, "author"), "name", settings.SITE.name)
    _add(root, "link", rel="self", type=ATOM, href=absolute(feed.link))
    _add(root, "link", rel="alternate", type="text/html", href=absolute(feed.page))
    for item in feed.items:
        _add_entry(root, item, absolute)
    document: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return document


def _add_entry(root: etree._Element, item: NewsItem, absolute: Callable[[str], str]) -> None:
    entry = _add(root, "entry")
    _add(entry, "id", _urn(f"news/{item.id}"))
    _add(entry, "title", item.title)
    _add(entry, "updated", _moment(item.confirmed))
    _add(entry, "published", _moment(item.confirmed))
    _add(entry, "category", term=item.kind)
    _add(entry, "link", rel="alternate", type="text/html", href=absolute(item.link))
    if item.comparison:
        _add(entry, "link", rel="related", type="text/html", href=absolute(item.comparison))
    _add(entry, "content", _html(item, absolute), type="html")


def _html(item: NewsItem, absolute: Callable[[str], str]) -> str:
    """Return HTML as text: every text of the service is escaped in it, and once more in the feed."""
    seen = f"Seen {item.seen:%Y-%m-%d %H:%M}, confirmed {item.confirmed:%Y-%m-%d %H:%M} (UTC)."
    lines = "".join(f"<li>{escape(line)}</li>" for line in item.lines)
    more = f"<p>And {item.more:,} more.</p>" if item.more else ""
    link = f'<p><a href="{escape(absolute(item.comparison))}">Compare before and now</a></p>' if item.comparison else ""
    return f"<p>{seen}</p>{f'<ul>{lines}</ul>' if lines else ''}{more}{link}"


def _add(parent: etree._Element, name: str, text: str = "", **attributes: str) -> etree._Element:
    element = etree.SubElement(parent, f"{{{_NAMESPACE}}}{name}", attributes)
    element.text = drop_unprintable(text) or None
    return element


def _urn(name: str) -> str:
    return f"urn:uuid:{uuid5(NAMESPACE_URL, f'{site_address()}/{name}')}"


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
