"""Series ids in pasted text, with any separators or inside addresses."""

import re
from collections import Counter
from collections.abc import Mapping

from econweb.dashboard.parameter_checks import INVISIBLE
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


class _Column:
    """Cells of a column with words; the first line may be a heading, and counts where it can be an id."""

    def __init__(self, heading: str, cells: list[str]) -> None:
        ids = [cell for cell in cells if _has_ids(cell)]
        others = [cell for cell in cells if not _has_ids(cell)]
        first = [heading] if _LETTER.search(heading) and _has_ids(heading) else []
        values = [cell.upper() for cell in [*first, *ids]]
        self.has_repeats = len({*values}) < len(values)
        self.has_titles = any(map(_is_title, others))
        self.has_sure_titles = any(map(_is_surely_title, others))
        self.is_clean = not others and not self.has_repeats
        self.is_in_capitals = all(cell.isupper() for cell in ids or first)
        self.has_other_case = any(not cell.isupper() and not cell.islower() for cell in ids or first)
        # Half is enough where the other cells are single words, such as #N/A, and neither numbers nor dates.
        has_words = not self.has_repeats and not self.has_titles and all(re.search("[A-Za-z]", cell) for cell in others)
        self.has_mostly_ids = 2 * len({*values}) + has_words > len(values) + len(others)


def _choose_columns(found: Mapping[int, _Column]) -> set[int]:
    """Return the columns of ids, which `docs/usage.md` defines; none where no column is plainly one."""
    mostly = {at for at, one in found.items() if one.has_mostly_ids or one.is_clean}
    capitals = {at for at in mostly if found[at].is_in_capitals}
    repeated = {at for at in mostly if found[at].has_repeats}
    titled = {at for at in mostly if found[at].has_titles}
    columns = {at for at in mostly if found[at].is_clean} | (capitals - repeated - titled)
    if columns and not columns & capitals:
        # No other column may be that of the ids.
        in_one_case = {at for at in mostly - repeated - titled if not found[at].has_other_case}
        columns |= {at for at in capitals if at not in titled or at < min(columns)} | in_one_case
    if not columns or min(columns) not in capitals:
        return columns
    # Beside a column with other cells, one in small letters may have the ids.
    small = set() if found[min(columns)].is_clean else {at for at in mostly - capitals if not found[at].has_other_case}
    return columns & capitals | small


def _leave_out_titles(found: Mapping[int, _Column]) -> set[int]:
    """Return the columns without titles in small letters, and before them those in capitals with mostly ids."""
    columns = {at for at, one in found.items() if not one.has_sure_titles}
    first = min(columns, default=0)
    return columns | {at for at, one in found.items() if one.has_mostly_ids and one.is_in_capitals and at < first}


def _select_column(text: str) -> str:
    """Return the columns of ids of a table with titles, without headings of several words; another text as it is.

    Without such a column, all but those of titles in small letters are read. Lines without tabs are kept.
    """
    lines = [[_clean_cell(cell) for cell in line.split("\t")] for line in text.splitlines()]
    table = [line for line in lines if len(line) > 1]
    # Tabs before code separate no cells.
    has_cells = any(len([*filter(None, line)]) > 1 for line in table)
    if not has_cells or not any(_is_title(cell) for line in table for cell in line):
        return text
    below: dict[int, list[str]] = {}
    for line in table[1:] or table:
        for at, cell in enumerate(line):
            if _LETTER.search(cell):
                below.setdefault(at, []).append(cell)
    headings = dict(enumerate(table[0])) if len(table) > 1 else {}
    found = {at: _Column(headings.get(at, ""), cells) for at, cells in below.items()}
    columns = _choose_columns(found)
    is_left_out = _is_title if columns else _is_surely_title
    columns = columns or _leave_out_titles(found)
    if not columns:
        return text
    # No word of another line is left out in silence.
    table[0][:] = ["" if is_left_out(cell) else cell for cell in table[0]]
    kept = (line if len(line) == 1 else [cell for at, cell in enumerate(line) if at in columns] for line in lines)
    return "\n".join(cell for line in kept for cell in line)


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
