"""What people paste: ids between any signs, and addresses with a key in them."""

import re
from urllib.parse import unquote_plus

SERIES_ID = re.compile(r"[A-Za-z0-9_]{1,25}")
_KEY = re.compile(r"(api_key=)[^&#\s]*", re.IGNORECASE)
# An id stands in the link of a page or of a request; in other requests another word follows upon `series`.
_ADDRESS = re.compile(r"(?:(?:^|//)[^/?#]*/series/|/series/?\?(?:[^?#]*&)?series_id=)([A-Za-z0-9_]+)")
# The name of what is called in pasted code: c("GDP", "UNRATE").
_CALLED = re.compile(r"(?<![\w.])[\w.]+\(")
_BETWEEN = re.compile(r"[\s,;|\"'`(){}\[\]<>]+")


def without_key(text: str) -> str:
    return _KEY.sub(r"\1", text)


def without_key_parameter(query: str) -> str:
    if "%" not in query and "key" not in query.lower():
        return query
    parts = query.split("&")
    return "&".join(part for part in parts if unquote_plus(part.partition("=")[0]).lower() != "api_key")


def holds_key(text: str) -> bool:
    return _KEY.search(text) is not None


def ids_in(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ids in a pasted text, in its order and once each, and the words in it that cannot be ids."""
    words = [_id_of(word) for word in _BETWEEN.split(_CALLED.sub(" ", without_key(text)))]
    spoken = [word for word in dict.fromkeys(words) if re.search(r"\w", word)]
    ids = tuple(word for word in spoken if SERIES_ID.fullmatch(word))
    return ids, tuple(word for word in spoken if not SERIES_ID.fullmatch(word))


def _id_of(word: str) -> str:
    found = _ADDRESS.search(word)
    word = found[1] if found else word.strip(".:!?*-•")
    return word.upper() if SERIES_ID.fullmatch(word) else word
