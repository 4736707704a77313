"""{{ icon("name") }}: a symbol of static/icons.svg, set into the page so that it costs no request."""

from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from lxml import etree

SVG = "{http://www.w3.org/2000/svg}"


def icon(name: str) -> SafeString:
    return _icons()[name]


@cache
def _icons() -> dict[str, SafeString]:
    sprite = etree.parse(Path(settings.BASE_DIR, "static", "icons.svg"))
    return {symbol.get("id", ""): _inline(symbol) for symbol in sprite.iter(f"{SVG}symbol")}


def _inline(symbol: etree._Element) -> SafeString:
    paths = "".join(f'<path d="{path.get("d")}"/>' for path in symbol)
    # The sprite is a file of ours: nothing in it comes from outside.
    return mark_safe(f'<svg class="icon" viewBox="{symbol.get("viewBox")}" aria-hidden="true">{paths}</svg>')  # noqa: S308
