"""Words of titles and of searches: letters and digits only, without case and accents."""

import re

from econweb.label_book.folding import INVISIBLE, join_initials, remove_accents, singular_of

MAX_WORDS, MAX_LETTERS = 20, 64
# Words of a title that are indexed; titles have ten.
MAX_TITLE_WORDS = 100
# They are in a search as people say it, and in few titles: results need not have them.
OPTIONAL = frozenset(
    ["a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "u", "us", "usa"]
)
# Titles have either of the two.
ABBREVIATIONS = {
    "gdp": "gross domestic product",
    "gnp": "gross national product",
    "gdi": "gross domestic income",
    "cpi": "consumer price index",
    "ppi": "producer price index",
    "pce": "personal consumption expenditures",
    "bop": "balance of payments",
    "eu": "european union",
    "uk": "united kingdom",
    "ca": "california",
    "fl": "florida",
    "ny": "new york",
    "tx": "texas",
}
# Words that people type, and those in titles; the plural of a word here has the same ones.
SYNONYMS = {
    "car": ["vehicle", "auto"],
    "core": ["less food energy", "excluding food energy"],
    "employment": ["employees"],
    "eurozone": ["euro area"],
    "exchange rate": ["spot exchange"],
    "fed funds": ["federal funds"],
    "fx": ["foreign exchange", "spot exchange"],
    "gas price": ["gasoline price"],
    "home price": ["home price", "house price", "houses price"],
    "house price": ["home price", "house price", "houses price"],
    "inflation": ["consumer price index", "personal consumption expenditures price index"],
    "jobless": ["unemployment", "unemployed"],
    "jobless claim": ["initial claims", "continued claims"],
    "jobs": ["employees", "payrolls", "job"],
    "money supply": ["m2", "m1"],
    "non farm": ["nonfarm"],
    "oil": ["crude", "petroleum"],
    "payroll": ["employees nonfarm"],
    "pce deflator": ["personal consumption expenditures price index", "personal consumption expenditures deflator"],
    "stock price": ["share prices", "stock market"],
    "stocks": ["equities", "stock market"],
    "t bill": ["treasury bill", "treasury bills"],
    "tbill": ["treasury bill", "treasury bills"],
    "treasury yield": ["market yield treasury", "treasury constant maturity"],
    "unemployment claim": ["initial claims", "continued claims"],
    "vacancies": ["job openings"],
    "wages": ["earnings", "compensation"],
}


def fold_words(text: str, limit: int = MAX_TITLE_WORDS) -> list[str]:
    return [word[:MAX_LETTERS] for word in _split(text)][:limit]


def drop_optional_words(words: list[str]) -> list[str]:
    """Return the words that results must have."""
    return [word for word in words if word not in OPTIONAL] or words


def title_words(title: str) -> set[str]:
    return set(fold_words(title))


def _split(text: str) -> list[str]:
    if text.isascii():
        return re.findall(r"[a-z0-9]+", join_initials(text.lower()))
    return re.findall(r"[^\W_]+", join_initials(remove_accents(INVISIBLE.sub("", text))).casefold())


def _meanings() -> dict[tuple[str, ...], list[tuple[str, ...]]]:
    both_ways = [(short, [long]) for short, long in ABBREVIATIONS.items()]
    back = [(long, [short]) for short, long in ABBREVIATIONS.items()]
    return {
        tuple(typed.split()): [tuple(one.split()) for one in meant]
        for typed, meant in [*both_ways, *back, *SYNONYMS.items()]
    }


def meanings_of(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    return MEANINGS.get(words) or MEANINGS.get(tuple(map(singular_of, words)), [])


MEANINGS = _meanings()
MAX_PHRASE = max(map(len, MEANINGS))
