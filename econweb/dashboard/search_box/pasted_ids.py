"""Series ids in pasted text, with any separators or inside addresses."""

import csv
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
# Signs around words, which separate them as commas do.
_FRAMES = re.compile(r"[|\"'`(){}\[\]<>]+")
# At the ends of a word: within one, a typographic quote is an apostrophe.
_MARKS = ".:!?*-•\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b«»‹›"

# Between the cells of a table.
_CELL_SEPARATORS = "\t|;,"
# A cell that makes the first line a heading.
_HEADING = re.compile(r"(?:^|\s|^series_)(?:id|code)s?\Z", re.IGNORECASE)
# A word that may be an id among others; FRED is part of a heading.
_CAPITALS = re.compile(r"\b(?!FRED\b)[A-Z][A-Z0-9_]+\b")
# A list in pasted code: ["GDP", "UNRATE"].
_CODE = re.compile(r"[(\[{]\s*[\"']")

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


def leaves_out(text: str) -> bool:
    """Return whether a pasted text is a table of which more than headings is left out."""
    return _read_table(text)[1]


def _split_words(text: str) -> list[str]:
    plain = _LIST_MARK.sub(" ", _read_table(remove_pasted_key(text))[0])
    return [_extract_id(word) for word in _SEPARATORS.split(_FUNCTION_CALL.sub(" ", plain))]


def _read_table(text: str) -> tuple[str, bool]:
    """Return the columns of ids of a table, by the rule in `docs/usage.md`, and whether more than headings is left out.

    Another text is returned as it is.
    """
    lines = next((lines for separator in _CELL_SEPARATORS if (lines := _split_lines(text, separator))), [])
    kept = [line for line in lines if not _is_note(line)]
    table = [line for line in kept if len(line) > 1]
    heading, rows = (table[0], table[1:]) if len(table) > 1 else ([], table)
    is_heading = any(map(_HEADING.search, heading))
    if not is_heading and not any(_is_title(cell) for line in lines if len(line) > 1 for cell in line):
        return text, False
    heading[:] = ["" if is_heading or _is_heading(cell) else cell for cell in heading]
    columns = _choose_columns(heading, rows)
    if not columns:
        return text, False
    left_out = (cell for line in table for at, cell in enumerate(line) if at not in columns)
    read = (line if len(line) == 1 else [cell for at, cell in enumerate(line) if at in columns] for line in kept)
    return "\n".join(cell for line in read for cell in line), len(kept) < len(lines) or any(
        map(_LETTER.search, left_out)
    )


def _split_lines(text: str, separator: str) -> list[list[str]]:
    """Return the cells of each line with words; none if the text is no table with that separator.

    Sentences and code have the other separators, too. These make a table of even lines with one column of ids alone.
    """
    try:
        split = [*csv.reader(text.splitlines(True), delimiter=separator, skipinitialspace=True, strict=True)]
    except csv.Error:
        split = [line.split(separator) for line in text.splitlines()]
    cleaned = ([_clean_cell(cell) for cell in line] for line in split)
    lines = [line for line in cleaned if _LETTER.search("".join(line))]
    table = [line for line in lines if len(line) > 1 and not _is_comment(line)]
    is_even = len(table) > 1 and len({len(line) for line in table}) == 1 and not _CODE.search(text)
    has_ids = is_even and any(map(_is_of_other_ids, zip(*table[1:], strict=True)))
    # Tabs before code, and commas after a word, separate no cells.
    has_cells = any(len([*filter(None, line)]) > 1 for line in table)
    return lines if has_cells and (has_ids or separator == "\t") else []


def _is_of_other_ids(cells: tuple[str, ...]) -> bool:
    """Return whether each cell is an id that no other one has, and no name."""
    return len({*cells}) == len(cells) and all(_has_ids(cell) and not _is_name(cell) for cell in cells)


class _Column:
    """The cells of a column below the first line, which counts where it can be an id: it may be a heading."""

    def __init__(self, at: int, heading: str, cells: list[str]) -> None:
        ids = [cell for cell in [heading, *cells] if _LETTER.search(cell) and _has_ids(cell)]
        others = [cell for cell in cells if not _has_ids(cell)]
        numbers = [cell for cell in others if not _ASCII_LETTER.search(cell)]
        self.at = at
        distinct = {cell.upper() for cell in ids}
        # A word that each line repeats, as in code, is none.
        is_one_word = len(distinct) == 1 < len(ids)
        self.is_of_ids = len(ids) >= len(others) and len(ids) > len(numbers) and not is_one_word
        self.has_names = any(_has_ids(cell) and _is_name(cell) for cell in cells)
        self.has_repeats = len(distinct) < len(ids)
        self.has_titles = any(map(_is_title, others))
        self.is_in_capitals = "".join(cells).isupper()
        self.is_in_small_letters = "".join(cells).islower()


def _choose_columns(heading: list[str], rows: list[list[str]]) -> set[int]:
    """Return the places of the columns of ids."""
    below: dict[int, list[str]] = {}
    for line in rows:
        for at, cell in enumerate(line):
            if _LETTER.search(cell):
                below.setdefault(at, []).append(cell)
    headings = dict(enumerate(heading))
    found = [_Column(at, headings.get(at, ""), below[at]) for at in sorted(below)]
    chosen = [one for one in found if one.is_of_ids]
    chosen = [one for one in chosen if not one.has_names] or chosen
    chosen = [one for one in chosen if not one.has_repeats] or chosen
    chosen = [one for one in chosen if not one.has_titles] or chosen
    if chosen and chosen[0].is_in_capitals:
        chosen = [one for one in chosen if not one.is_in_small_letters]
    return {one.at for one in chosen}


def _clean_cell(cell: str) -> str:
    """Return a cell without characters that nobody sees, and without the number before what may be an id."""
    cell = INVISIBLE.sub("", cell).strip()
    rest = _LIST_MARK.sub("", cell)
    return rest if rest.isupper() or rest.islower() else cell


def _is_title(cell: str) -> bool:
    """Return whether a cell has words that only blanks separate; ids may have commas or semicolons between them."""
    return re.search(r"[^\s,;]\s+[^\s,;]", cell) is not None


def _is_name(cell: str) -> bool:
    """Return whether a cell has capitals and small letters, as no id has that is no address."""
    return cell not in (cell.upper(), cell.lower()) and not _ADDRESS.search(cell)


def _is_heading(cell: str) -> bool:
    """Return whether a cell of the first line has several words, and none in capitals, which could be an id."""
    return _is_title(cell) and not _CAPITALS.search(cell)


def _is_note(line: list[str]) -> bool:
    """Return whether a line is a comment, or has one cell with a title that is not all in capitals, and no address."""
    cells = [*filter(None, line)]
    words = _LIST_MARK.sub("", _FRAMES.sub(",", " ".join(cells))).split()
    title = " ".join(word if _LETTER.search(word) else "," for word in words)
    is_title = _is_title(title) and not title.isupper() and not any(map(_ADDRESS.search, words))
    return _is_comment(line) or (len(cells) == 1 and is_title)


def _is_comment(line: list[str]) -> bool:
    # Without a blank it may be #N/A or #1.
    return line[0].startswith("# ")


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
