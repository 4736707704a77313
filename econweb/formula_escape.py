"""The sign before a text in CSV that a spreadsheet would run as a formula."""

import re

# A spreadsheet may take these for a formula, and readers may take `#` for a comment. A leading `'` is
# escaped too, so that removing one restores the text.
_PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "'", "#", "＝", "＋", "－", "＠")
# Excel splits at the `;` of German and French lists, or at a tab, and then at the line breaks of a cell as well.
# It may drop quotation marks in front. A `'` in the text itself is escaped like a leading one.
_FORMULA_BEHIND = """(?='*"*[-=+@＝＋－＠])"""
_SPLIT = re.compile(rf"([;\t\r\n]){_FORMULA_BEHIND}")
_ESCAPED_SPLIT = re.compile(rf"([;\t\r\n])'{_FORMULA_BEHIND}")


def escape_formula(text: str) -> str:
    """Put a `'` before a formula at the start, and where a spreadsheet may split the text."""
    text = _SPLIT.sub(r"\1'", text)
    return f"'{text}" if text.startswith(_PREFIXES) else text


def unescape_formula(text: str) -> str:
    """Undo `escape_formula`; an apostrophe before a letter belongs to the name."""
    text = text[1:] if text.startswith("'") and text[1:].startswith(_PREFIXES) else text
    return _ESCAPED_SPLIT.sub(r"\1", text)
