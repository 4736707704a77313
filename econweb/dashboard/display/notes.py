"""Notes as HTML, on a page and shortened in a row of a table, and as plain text."""

import re
from collections import Counter
from collections.abc import Iterator
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
# Characters of notes in a row, at least and at most; the rest can be unfolded.
_SHORTEST, _SHORT = 60, 140


def notes_html(notes: str) -> SafeString:
    notes = notes.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    text, rest = without_lone_tags(notes[:MAX_LINKED]), escape(notes[MAX_LINKED:]).replace("\n", "<br>")
    paragraphs = [_link_urls(part) for part in re.split(r"\n{2,}", text)]
    # Every piece went through escape(), here or in _link_urls.
    return mark_safe("".join(f"<p>{part}</p>" for part in [*paragraphs[:-1], paragraphs[-1] + rest]))  # noqa: S308


def link_urls(text: str) -> SafeString:
    """Escape a text and link the URLs in it."""
    # Every piece went through escape() in _link_urls.
    return mark_safe(_link_urls(text[:MAX_LINKED]) + escape(text[MAX_LINKED:]))  # noqa: S308


def _link_urls(text: str) -> str:
    return "".join(_render(words, href) for words, href in find_links(text))


def _render(words: str, href: str) -> str:
    shown = escape(words).replace("\n", "<br>")
    return f'<a href="{escape(href)}" rel="noopener noreferrer">{shown}</a>' if href else shown


def find_links(text: str) -> Iterator[tuple[str, str]]:
    """Yield the text in pieces, each with the URL that it links to or an empty text."""
    at = 0
    for found in _LINK.finditer(text):
        address = found["href"] or _address_in(found["bare"])
        # A scheme alone is not a link.
        if not address.endswith("/" * 2):
            yield text[at : found.start()], ""
            yield found["text"] or unescape(address), unescape(address)
            at = found.end() if found["href"] else found.start() + len(address)
    yield text[at:], ""


def _address_in(text: str) -> str:
    """Return the URL without an unmatched closing bracket and without punctuation after it."""
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[0] in "([" else -1
        if depth < 0:
            return text[: bracket.start()].rstrip(_BEHIND_AN_ADDRESS)
    return text.rstrip(_BEHIND_AN_ADDRESS)


def without_lone_tags(text: str) -> str:
    """Remove closing tags without an opening one: a tenth of the notes of real series end with such a `</p>`."""
    if "</" not in text:
        return text
    open_tags: Counter[str] = Counter()

    def drop_lone(found: re.Match[str]) -> str:
        is_closing, name = bool(found[1]), found[2].lower()
        if is_closing and not open_tags[name]:
            return ""
        open_tags[name] += -1 if is_closing else 1
        return found[0]

    return _HTML_TAG.sub(drop_lone, text)


def notes_text(notes: str | None) -> str:
    """Return the notes as a user reads them, without markup."""
    text = without_lone_tags(notes or "")
    return "".join(words for words, _ in find_links(text[:MAX_LINKED])) + text[MAX_LINKED:]


def print_notes(notes: str) -> str:
    """Return the notes without markup, and behind the words of each link its URL, which paper cannot open."""
    text = without_lone_tags(notes)
    pieces = find_links(text[:MAX_LINKED])
    return (
        "".join(f"{words} ({href})" if href not in {"", words} else words for words, href in pieces) + text[MAX_LINKED:]
    )


def notes_cell(notes: str | None) -> str:
    """Return a table cell that shows the beginning of long notes, and the rest when it is unfolded."""
    notes = without_lone_tags(notes or "")
    if not notes:
        return '<td class="notes none">none'
    if "://" in notes[:MAX_LINKED]:
        return _linked_cell(notes)
    if len(notes) <= _SHORT:
        return f"<td class=notes>{escape(notes)}"
    cut = _find_cut(notes)
    return _folded_cell(notes[:cut], escape(notes[cut:]))


def _linked_cell(notes: str) -> str:
    words = notes_text(notes)
    if len(words) <= _SHORT:
        return f"<td class=notes>{_link_urls(notes)}"
    # A link is not cut in two, and none is inside what unfolds the rest.
    before = next(find_links(notes))[0]
    cut = min(_find_cut(words), len(before)) if len(before) >= _SHORTEST else 0
    rest = _link_urls(notes[cut:MAX_LINKED]) + escape(notes[MAX_LINKED:])
    return _folded_cell(notes[:cut] if cut else words[: _find_cut(words)], rest)


def _folded_cell(summary: str, rest: str) -> str:
    return f"<td class=notes><details><summary>{escape(summary)} …</summary>{rest}</details>"


def _find_cut(text: str) -> int:
    """Return the end of the last whole word that fits, or of the row where a word is too long."""
    return text.rfind(" ", _SHORTEST, _SHORT) if " " in text[_SHORTEST:_SHORT] else _SHORT
