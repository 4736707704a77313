"""Links that change a view: a chip sets a filter or drops one, a head sorts by its column."""

from collections.abc import Iterable, Mapping
from html import escape

from django.utils.safestring import SafeString
from msgspec import Struct

DIRECTIONS = {"asc": "ascending", "desc": "descending"}


class Chip(Struct, frozen=True):
    """A link that sets a filter or drops one; the count is None where none is said."""

    key: str
    name: str
    link: str
    count: int | None = None
    current: bool = False


class Head(Struct, frozen=True):
    """A head of a table; without a link it sorts nothing."""

    key: str
    name: str
    link: str = ""
    sorted: str = ""
    next: str = ""
    kind: str = ""
    # What the name is short for; it holds the name.
    title: str = ""


def tabs(chips: Iterable[Chip], name: str = "") -> SafeString:
    """By its id, which begins with the name, the focus finds one again."""
    # Like rows, these and heads are made here: a template takes three times as long for them.
    return SafeString(
        "\n".join(_tab(chip, f' id="{name}-{n}"' if name else "") for n, chip in enumerate(chips))
    )


def _tab(chip: Chip, identity: str) -> str:
    zero = ' class="zero"' if chip.count == 0 else ""
    current = ' aria-current="true"' if chip.current else ""
    count = "" if chip.count is None else f" <b>{chip.count:,}</b>"
    name = chip.name if isinstance(chip.name, SafeString) else escape(chip.name)
    return f'<a{identity}{zero} href="{escape(chip.link)}"{current}>{name}{count}</a>'


def listed(links: Mapping[str, str]) -> SafeString:
    """Words, and where each leads to."""
    items = (f'<li><a href="{escape(link)}">{escape(words)}</a></li>' for words, link in links.items())
    return SafeString("\n".join(items))


def heads(columns: Iterable[Head]) -> SafeString:
    return SafeString("".join(map(_head, columns)))


def _head(head: Head) -> str:
    kind = f' class="{head.kind}"' if head.kind else ""
    ordered = f' aria-sort="{head.sorted}"' if head.sorted else ""
    return f'<th scope="col"{kind}{ordered}>{_sorting_link(head) if head.link else escape(head.name)}</th>\n'


def _sorting_link(head: Head) -> str:
    title = f' title="{escape(head.title)}"' if head.title else ""
    label = f"{escape(head.title or head.name)}: sort {head.next}"
    link = f'href="{escape(head.link)}"{title} aria-label="{label}"'
    return f'<a id="by-{escape(head.key)}" {link}>{escape(head.name)}</a>'
