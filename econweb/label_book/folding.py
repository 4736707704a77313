"""Fold text for comparison: no case, no accents, no punctuation."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

# A name has at most 200 letters, and a user types less than this.
MAX_SEARCHED_LETTERS, MAX_SEARCHED_WORDS = 1000, 20
# The dots within U.S., whose letters are one word.
INITIALS_DOT = r"(?<=\b[^\W\d_])\.(?=[^\W\d_]\b)"
_INITIALS_DOT = re.compile(INITIALS_DOT)
# A soft hyphen, a space without width, joiners, and marks of direction and of byte order.
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
# Fillers of Hangul, vowels of Khmer and a pattern of Braille, which are drawn as blanks.
_BLANKS = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
# An accent that is a character of its own, or nothing that is seen, may stand behind each letter.
_BEHIND = f"[\u0300-\u036f{INVISIBLE.pattern[1:-1]}]*"


def is_blank(text: str) -> bool:
    """Return whether nobody sees anything of the text."""
    return all(one.isspace() or one in _BLANKS or unicodedata.category(one) == "Cf" for one in text)


def fold(text: str) -> str:
    """Fold `São Paulo` and `SAO  PAULO` alike; a space before each word marks its start for a search."""
    if text.isascii():
        return "".join([f" {word}" for word in re.findall(r"\w+", join_initials(text.lower()))])
    # One within a word would split it.
    bare = join_initials(remove_accents(INVISIBLE.sub("", text)))
    return "".join(f" {word}" for word in re.findall(r"\w+", bare.casefold()))


def searched_words(text: str) -> list[str]:
    """Return the different words of a search; each costs a pass over all names, so there are few."""
    return list(dict.fromkeys(fold(text[:MAX_SEARCHED_LETTERS]).split()))[:MAX_SEARCHED_WORDS]


def forms_of(word: str) -> Iterator[str]:
    """Yield the word, its plural and its singular."""
    yield word
    if word.isalpha() and len(word) > 2:
        yield f"{word}s"
        if word.endswith("s") and not word.endswith("ss"):
            yield word[:-1]


def singular_of(word: str) -> str:
    """Return the form that the word does not begin, or else the word itself."""
    return next((form for form in forms_of(word) if not form.startswith(word)), word)


def join_initials(text: str) -> str:
    """Write `U.S.` as `US.`, so that it is one word and the same as `US`."""
    return _INITIALS_DOT.sub("", text) if "." in text else text


def remove_accents(text: str) -> str:
    # Letter by letter: to put a long run of accents in order takes quadratic time, and they are dropped anyway.
    parts = (unicodedata.normalize("NFKD", letter) for letter in text if not unicodedata.combining(letter))
    return "".join(letter for part in parts for letter in part if not unicodedata.combining(letter))


def pattern_of(word: str) -> str:
    """Return a regular expression, for databases too, that finds the word in any case, with or without accents."""
    bare = re.sub(_BEHIND, "", unicodedata.normalize("NFC", word.casefold()))
    folded = "".join(f"(?:{_pattern_of(one)}{_BEHIND})" for one in re.findall("ss|.", bare))
    # Some letters, such as those of Hebrew with points, have no composed form.
    return f"{re.escape(word)}|{folded}"


def _pattern_of(letters: str) -> str:
    if letters == "ss":
        return f"{_pattern_of('s')}{_BEHIND}{_pattern_of('s')}|[ßẞ]"
    base = remove_accents(letters).casefold()
    # Of a letter that stands for several, such as ½, none alone is the letter.
    alone = base if len(base) == 1 else ""
    forms = filter(str.isalnum, f"{letters}{letters.upper()}{alone}{_accented().get(base, '')}")
    return f"[{''.join(forms)}]" if letters.isalnum() else re.escape(letters)


@cache
def _accented() -> Mapping[str, str]:
    """Return the forms of each letter with accents, in alphabets as far as Japanese."""
    forms = defaultdict[str, str](str)
    for letter in filter(str.isalnum, map(chr, range(0x80, 0x3100))):
        forms[remove_accents(letter).casefold()] += letter
    # A word that is typed as far as its first s finds ß.
    forms["s"] += forms["ss"]
    return forms
