"""Lists of ids in the search box, and how they differ from words."""

import re
from collections.abc import Sequence

from econweb.dashboard.lookup.found_series import find_best
from econweb.dashboard.lookup.known_series import look_up
from econweb.dashboard.parameter_checks import remove_invisible
from econweb.dashboard.search_box.addresses import is_address
from econweb.dashboard.search_box.pasted_ids import MAX_IDS, extract_id, parse_ids
from econweb.upstream.queries import is_series_id

# Ids of a list that are looked up before the list is offered.
MAX_LOOKED_UP = 6
_MARKS = " \t\r\n,;.:?!"
_AROUND = "()<>[]{}‹›«»“”„‘’\"'"


def drop_marks(text: str) -> str:
    """Return a typed text without the marks at its end, or around one id, and what nobody sees; only marks stay."""
    text = remove_invisible(text).strip()
    text = text.rstrip(_MARKS) or text
    if text.startswith(tuple(_AROUND)) and is_address(bare := text.strip(_AROUND)):
        return bare
    series_id = "" if is_series_id(text) or is_address(text) else extract_id(text)
    if not series_id or not _means_id(text, series_id):
        return text
    # Small letters may be a name as well.
    return series_id if text.isupper() else series_id.lower()


def _means_id(text: str, series_id: str) -> bool:
    """Return whether a text with marks is this id: it is known, or has the form of an id and is in no title."""
    if look_up(series_id).exists:
        return True
    has_form = text.isupper() or not (series_id.isalpha() or series_id[0].isdigit())
    found = find_best(series_id, 1)
    return any(one.series_id == series_id for one in found) or (has_form and not found)


def parse_list(text: str) -> tuple[str, ...]:
    """Return the ids, if the text is two or more of them and nothing else."""
    ids, refused = parse_ids(text)
    return () if len(ids) < 2 or refused else ids


def parse_joined_rows(text: str) -> tuple[str, ...]:
    """Return the ids of a table whose line breaks became blanks, as in a field of one line: each is before a tab.

    They are in capitals, and words of titles are not.
    """
    cells = text.split("\t")
    has_titles = any(len(cell.split()) > 1 for cell in cells)
    if not has_titles or text.isupper() or re.search(r"[\n\r]", text):
        return ()
    words = dict.fromkeys(word for cell in cells[:-1] for word in cell.split()[-1:])
    known = [word for word in words if word.isupper() and is_series_id(word)][:MAX_IDS]
    ids = tuple(word for word in known if look_up(word).exists is not False)
    return ids if len(ids) > 1 else ()


def may_be_list(text: str, ids: Sequence[str], has_names: bool) -> bool:
    """Words between blanks are ids only in capitals, and only if none of them is known to be missing."""
    if not separates_ids(text):
        return text.isupper() and not any(_are_missing(ids))
    return not all(_are_missing(ids)) or (text.isupper() and not has_names)


def separates_ids(text: str) -> bool:
    """Return whether the text has separators, and not only as commas between words, such as “rate, california”."""
    if re.search(r"[\n\r\t]", text) or (text.isupper() and re.search(r"[,;|]", text)):
        return True
    parts = re.split(r"[,;|]", text)
    if len(parts) < 2:
        return False
    if any(len(part.split()) > 1 for part in parts):
        ids = parse_list(text)
        return bool(ids) and all(look_up(each).exists for each in ids[:MAX_LOOKED_UP])
    ids, _ = parse_ids(text)
    return not all(_are_missing(ids))


def _are_missing(ids: Sequence[str]) -> list[bool]:
    return [look_up(each).exists is False for each in ids[:MAX_LOOKED_UP]]
