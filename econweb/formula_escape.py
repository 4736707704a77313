"""The sign before a text in CSV that a spreadsheet would run as a formula."""

# A spreadsheet may take these for a formula, and readers may take `#` for a comment. A leading `'` is
# escaped too, so that removing the first `'` of any cell restores its value.
_PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "'", "#", "＝", "＋", "－", "＠")


def escape_formula(text: str) -> str:
    return f"'{text}" if text.startswith(_PREFIXES) else text


def unescape_formula(text: str) -> str:
    """Undo `escape_formula`; an apostrophe before a letter belongs to the name."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_PREFIXES) else text
