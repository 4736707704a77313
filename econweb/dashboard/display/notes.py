"""Notes as HTML: with links and line breaks for a series, shortened to fit the row for a tag."""

import re
from collections import Counter
from html import escape, unescape

from django.utils.safestring import SafeString, mark_safe

# An HTML link, or a URL in the text. Only http and https are linked.
# Every repetition is bounded or ends where the next match starts: otherwise hostile notes take quadratic time.
_LINK = re.compile(
    r"""<a\s[^<>]{0,300}?href\s{0,20}=\s{0,20}(["'])(?P<href>https?://[^"'<>\s]{1,2000})\1[^<>]{0,300}>"""
    r"""(?P<text>[^<]*)</a>"""
    r"""|(?P<bare>https?://[^\s<>"']{1,2000})""",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"[()\[\]]")
# Characters after a URL that are not part of it.
_BEHIND_AN_ADDRESS = ".,;:!?([…™®©℠"
_HTML_TAG = re.compile(r"<(/?)([a-z][a-z0-9]{0,10})(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)

# Looking for links takes a microsecond a letter, and a reply may hold eight million letters.
MAX_LINKED = 64 * 1024
# Characters of notes in a row; the rest can be unfolded.
_SHORT = 140


def notes_html(notes: str) -> SafeString:
    notes = notes.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    text, rest = _without_lone_closing_tags(notes[:MAX_LINKED]), escape(notes[MAX_LINKED:]).replace("\n", "<br>")
    paragraphs = [_linked(part) for part in re.split(r"\n{2,}", text)]
    # Every piece went through escape(), here or in _linked.
    return mark_safe("".join(f"<p>{part}</p>" for part in [*paragraphs[:-1], paragraphs[-1] + rest]))  # noqa: S308


def _linked(text: str) -> str:
    pieces, at = [], 0
    for found in _LINK.finditer(text):
        address = found["href"] or _address_in(found["bare"])
        end = found.end() if found["href"] else found.start() + len(address)
        # A scheme alone is not a link.
        if not address.endswith("/" * 2):
            href = unescape(address)
            pieces.append(escape(text[at : found.start()]))
            pieces.append(f'<a href="{escape(href)}" rel="noopener noreferrer">{escape(found["text"] or href)}</a>')
            at = end
    return "".join([*pieces, escape(text[at:])]).replace("\n", "<br>")


def _address_in(text: str) -> str:
    """Return the URL without an unmatched closing bracket and without punctuation after it."""
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[0] in "([" else -1
        if depth < 0:
            return text[: bracket.start()].rstrip(_BEHIND_AN_ADDRESS)
    return text.rstrip(_BEHIND_AN_ADDRESS)


def _without_lone_closing_tags(text: str) -> str:
    """Remove closing tags without an opening one: a tenth of the notes of real series end with such a `</p>`."""
    if "</" not in text:
        return text
    open_tags: Counter[str] = Counter()

    def kept(found: re.Match[str]) -> str:
        is_closing, name = bool(found[1]), found[2].lower()
        if is_closing and not open_tags[name]:
            return ""
        open_tags[name] += -1 if is_closing else 1
        return found[0]

    return _HTML_TAG.sub(kept, text)


def notes_cell(notes: str | None) -> str:
    notes = _without_lone_closing_tags(notes or "")
    if not notes:
        return "<td class=none>none"
    if len(notes) <= _SHORT:
        return f"<td>{escape(notes)}"
    cut = notes.rfind(" ", 60, _SHORT) if " " in notes[60:_SHORT] else _SHORT
    return f"<td><details><summary>{escape(notes[:cut])} …</summary>{escape(notes[cut:])}</details>"
