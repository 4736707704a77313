"""Series ids in pasted text, with any separators or inside addresses."""

import re
from collections import Counter

from econweb.label_book.folding import INVISIBLE
from econweb.redaction import remove_pasted_key
from econweb.upstream.queries import is_series_id

# Series of one list.
MAX_IDS = 200
# The id in the address of a page or of a request; other requests have another word after `series`.
_ADDRESS = re.compile(r"(?:(?:^|//)[^/?#]*/series/|/series/?\?(?:[^?#]*&)?series_id=)([A-Za-z0-9_]+)")
# The function in pasted code: c("GDP", "UNRATE").
_FUNCTION_CALL = re.compile(r"(?<![\w.])[\w.]+\(")
# A word has a letter, a digit or an emoji; anything else is a bullet or part of a frame.
_LETTER = re.compile(r"[\w\U00010000-\U0010ffff]")
_ASCII_LETTER = re.compile("[A-Za-z]")
_SEPARATORS = re.compile(r"[\s,;|\"'`(){}\[\]<>]+")
# At the ends of a word: within one, a typographic quote is an apostrophe.
_MARKS = ".:!?*-•\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b«»‹›"

# The number of an entry before its word, such as 1. or 1) or (1).
_LIST_MARK = re.compile(r"(?<![^\s,;|\ufeff])\(?[0-9]{1,3}(?:\.\)?|\))\s+(?=\S*[^\W\d])")


def parse_ids(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of a pasted text, in order and without repetitions, and the words that cannot be ids."""
    spoken = [word for word in dict.fromkeys(_split_words(text)) if _LETTER.search(word)]
    ids = tuple(word for word in spoken if is_series_id(word))
    return ids, tuple(word for word in spoken if not is_series_id(word))


def extract_id(text: str) -> str:
    """Return the id of a text that is one id with marks around it; empty for another text."""
    parts = [part for part in _SEPARATORS.split(_LIST_MARK.sub(" ", text)) if _LETTER.search(part)]
    word = _extract_id(parts[0]) if len(parts) == 1 else ""
    return word if is_series_id(word) and not word.isdigit() else ""


def find_repeated(text: str) -> list[str]:
    """Return the ids that a pasted text has more than once."""
    counts = Counter(word for word in _split_words(text) if is_series_id(word))
    return [word for word, count in counts.items() if count > 1]


def has_other_columns(text: str) -> bool:
    """Return whether a pasted text is a table of which only the column of ids is read."""
    return _select_column(text) != text


def _split_words(text: str) -> list[str]:
    plain = _LIST_MARK.sub(" ", _select_column(remove_pasted_key(text)))
    return [_extract_id(word) for word in _SEPARATORS.split(_FUNCTION_CALL.sub(" ", plain))]


def _select_column(text: str) -> str:
    """Return the columns of ids of a table with titles, without headings of several words; another text as it is.

    Without such a column, all but those of titles in small letters are read. A line of one cell is kept, unless it is
    a note: only blanks separate some of its words, and not all are in capitals.
    """
    lines = [[_clean_cell(cell) for cell in line.split("\t")] for line in text.splitlines()]
    table = [line for line in lines if len(line) > 1]
    # Tabs before code separate no cells.
    has_cells = any(len([*filter(None, line)]) > 1 for line in table)
    if not has_cells or not any(_is_title(cell) for line in table for cell in line):
        return text
    lines = [line for line in lines if not _is_note(line)]
    table = [line for line in table if not _is_note(line)]
    # The first line may be a heading.
    below: dict[int, list[str]] = {}
    for line in table[1:] or table:
        for at, cell in enumerate(line):
            if _LETTER.search(cell):
                below.setdefault(at, []).append(cell)
    headings = dict(enumerate(table[0])) if len(table) > 1 else {}
    columns = _choose_columns([_Column(at, headings.get(at, ""), cells) for at, cells in below.items()])
    is_left_out = _is_title if columns else _is_surely_title
    columns = columns or {at for at, cells in below.items() if not any(map(_is_surely_title, cells))}
    if not columns:
        return text
    # No word of another line is left out in silence.
    table[0][:] = ["" if is_left_out(cell) else cell for cell in table[0]]
    kept = (line if len(line) == 1 else [cell for at, cell in enumerate(line) if at in columns] for line in lines)
    return "\n".join(cell for line in kept for cell in line)


class _Column:
    """The cells of a column below the first line, which counts where it can be an id: it may be a heading."""

    def __init__(self, at: int, heading: str, cells: list[str]) -> None:
        seen = "".join(cell for cell in cells if _has_ids(cell)) or heading
        cells = [heading, *cells] if _LETTER.search(heading) and _has_ids(heading) else cells
        ids = [cell.upper() for cell in cells if _has_ids(cell)]
        others = [cell for cell in cells if not _has_ids(cell)]
        numbers = [cell for cell in others if not _ASCII_LETTER.search(cell)]
        self.at = at
        self.is_in_capitals = seen == seen.upper()
        self.is_in_small_letters = seen == seen.lower()
        self.has_repeats = len({*ids}) < len(ids)
        self.has_titles = any(map(_is_title, others))
        self.is_clean = not others and not self.has_repeats
        self.has_mostly_ids = len({*ids}) >= len(others) and len({*ids}) > len(numbers) and self.is_in_capitals


def _choose_columns(found: list[_Column]) -> set[int]:
    """Return the places of the columns of ids by the rule in `docs/usage.md`; none where none is plainly one."""
    chosen = [one for one in found if one.is_clean or (one.has_mostly_ids and not (one.has_repeats or one.has_titles))]
    if not any(one.is_in_capitals or one.is_in_small_letters for one in chosen):
        chosen = [one for one in found if one.is_clean or one.has_mostly_ids]
    first = min(chosen, key=lambda one: one.at, default=None)
    if first and first.is_in_capitals:
        # Codes with other cells between them are no reason to drop ids in small letters.
        chosen = [one for one in chosen if one.is_in_capitals or (one.is_in_small_letters and not first.is_clean)]
    return {one.at for one in chosen}


def _clean_cell(cell: str) -> str:
    """Return a cell without characters that nobody sees, and without the number before what may be an id."""
    cell = INVISIBLE.sub("", cell).strip()
    rest = _LIST_MARK.sub("", cell)
    return rest if rest.isupper() or rest.islower() else cell


def _is_title(cell: str) -> bool:
    """Return whether a cell has words that only blanks separate; ids may have commas or semicolons between them."""
    return re.search(r"[^\s,;]\s+[^\s,;]", cell) is not None


def _is_surely_title(cell: str) -> bool:
    """Return whether a cell has such words and is not in capitals, as ids are that only blanks separate."""
    return not cell.isupper() and _is_title(cell)


def _is_note(line: list[str]) -> bool:
    """Return whether a line has one cell, and that is a title; bullets and addresses of series are no words of it."""
    cells = [*filter(None, line)]
    words = [word for word in " ".join(cells).split() if _LETTER.search(word) and not _ADDRESS.search(word)]
    return len(cells) == 1 and _is_surely_title(" ".join(words))


def _has_ids(cell: str) -> bool:
    words = [_extract_id(word) for word in _SEPARATORS.split(cell) if _LETTER.search(word)]
    return not _is_title(cell) and all(is_series_id(word) and not word.isdigit() for word in words)


def _extract_id(word: str) -> str:
    bare = INVISIBLE.sub("", word)
    found = _ADDRESS.search(bare)
    # A formula of a spreadsheet begins with a sign.
    bare = found[1] if found else bare.strip(_MARKS).lstrip("=" + _MARKS)
    if is_series_id(bare):
        return bare.upper()
    return bare if found else word.strip(_MARKS)
