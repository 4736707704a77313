"""Notes of the service: of a series with their links and line breaks, of a tag cut to fit its row."""

import re
from html import escape, unescape

from django.utils.safestring import SafeString, mark_safe

# A link that was written in HTML, or an address in the text; nothing but http and https is ever linked.
_LINK = re.compile(
    r"""<a\s[^<>]*?href\s*=\s*(["'])(?P<href>https?://[^"'<>\s]+)\1[^<>]*>(?P<text>[^<]*)</a>"""
    r"""|(?P<bare>https?://[^\s<>"']*[^\s<>"'.,;:!?)\]])""",
    re.IGNORECASE,
)

# In a row; the rest unfolds.
_SHORT = 140


def notes_html(notes: str) -> SafeString:
    paragraphs = re.split(r"\n{2,}", notes.replace("\r\n", "\n").replace("\r", "\n").strip("\n"))
    # Every piece went through escape() in _linked.
    return mark_safe("".join(f"<p>{_linked(text)}</p>" for text in paragraphs))  # noqa: S308


def _linked(text: str) -> str:
    pieces, at = [], 0
    for found in _LINK.finditer(text):
        href = unescape(found["href"] or found["bare"])
        pieces.append(escape(text[at : found.start()]))
        pieces.append(
            f'<a href="{escape(href)}" rel="noopener noreferrer">{escape(found["text"] or href)}</a>'
        )
        at = found.end()
    return "".join([*pieces, escape(text[at:])]).replace("\n", "<br>")


def notes_cell(notes: str | None) -> str:
    if not notes:
        return "<td class=none>none"
    if len(notes) <= _SHORT:
        return f"<td>{escape(notes)}"
    cut = notes.rfind(" ", 60, _SHORT) if " " in notes[60:_SHORT] else _SHORT
    return f"<td><details><summary>{escape(notes[:cut])} …</summary>{escape(notes[cut:])}</details>"
