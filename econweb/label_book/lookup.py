"""Look up labels: names by number, numbers by name, and the tree of categories."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from econweb.label_book.folding import MAX_SEARCHED_LETTERS, fold, forms_of, searched_words, singular_of
from econweb.label_book.models import Label
from econweb.label_book.snapshot import LabelSnapshot, label_snapshot
from econweb.label_book.spelling import one_slip_away
from econweb.label_book.tree import CategoryTree

# Suggestions of each kind.
MAX_PER_KIND = 6
# Characters of a text that near names are looked up for, and of the shortest word that counts.
MAX_NEAR_LENGTH, MIN_NEAR_WORD = 100, 3
# Shorter words are one letter away from too many others.
MIN_MISSPELT_WORD = 4


def get_label(kind: str, number: int) -> Label | None:
    return label_snapshot().by_number.get((kind, number))


def search(text: str, kind: str = "") -> list[Label]:
    """Return labels in whose names every word of the text begins a word, or is its plural.

    Names that begin with the text come first, then those that begin with its first word. Of each, labels with a note
    come first, then the shortest names.
    """
    snapshot, words = label_snapshot(), _written_forms(text)
    if not words:
        return []
    named: Iterable[tuple[str, Label]] = zip(snapshot.words, snapshot.labels, strict=True)
    for word, singular in words:
        named = [each for each in named if word in each[0] or singular in each[0]]
    if kind:
        named = [each for each in named if each[1].kind == kind]
    whole, first = fold(text[:MAX_SEARCHED_LETTERS]), words[0]
    named = sorted(named, key=lambda each: each[0].startswith(whole) + each[0].startswith(first), reverse=True)
    return [label for _, label in named]


def _written_forms(text: str) -> list[tuple[str, str]]:
    """Return each word of a search as names have it where it begins one of theirs, and its singular as a whole word."""
    return [(f" {word}", f" {singular_of(word)} ") for word in searched_words(text)]


def near_matches(text: str) -> list[Label]:
    """Return the labels in whose names the most words of the text begin a word; at least one does.

    A word that begins none counts as those that differ by one letter.
    """
    snapshot = label_snapshot()
    words = [word for word in fold(text[:MAX_NEAR_LENGTH]).split() if len(word) >= MIN_NEAR_WORD]
    meant = [meanings for word in words if (meanings := _meanings(word, snapshot))]
    counts = [sum(any(word in name for word in each) for each in meant) for name in snapshot.words]
    most = max(counts, default=0)
    return [label for label, count in zip(snapshot.labels, counts, strict=True) if count == most] if most else []


def share_words(words: Iterable[str], least: int) -> list[Label]:
    """Return the labels whose names have the most of the words, in singular or plural; none with fewer than `least`."""
    snapshot = label_snapshot()
    counts = Counter[int]()
    for forms in {frozenset(forms_of(singular_of(word))) for word in words}:
        counts.update({place for form in forms for place in snapshot.places.get(form, ())})
    most = max(counts.values(), default=0)
    return [snapshot.labels[place] for place in sorted(counts) if counts[place] == most] if most >= least else []


def _meanings(word: str, snapshot: LabelSnapshot) -> list[str]:
    """Return the word, or those of the names that it may be a slip of, each after a space."""
    if any(f" {word}" in name for name in snapshot.words):
        return [f" {word}"]
    slips = one_slip_away(word) if len(word) >= MIN_MISSPELT_WORD else ()
    return [f" {other}" for other in {*slips} & snapshot.vocabulary]


def alphabetical(kind: str, text: str = "") -> Sequence[Label]:
    """Return the labels of a kind from A to Z: all, or those whose name or number has the words of the text."""
    labels, names = label_snapshot().alphabetical(kind)
    words = _written_forms(text)
    if not words:
        return labels
    found: Iterable[int] = range(len(labels))
    for word, singular in words:
        found = [index for index in found if word in names[index] or singular in names[index]]
    number = text.strip()
    if number.isdecimal():
        found = sorted({*found, *(index for index, label in enumerate(labels) if str(label.number) == number)})
    return [labels[index] for index in found]


def category_tree() -> CategoryTree:
    return label_snapshot().tree


def known_numbers() -> set[tuple[str, int]]:
    """Return kind and number of every label."""
    return {*label_snapshot().by_number}


def revision() -> tuple[int, int]:
    """Return what changes whenever a label does."""
    return label_snapshot().revision


def exact_matches(name: str) -> list[Label]:
    """Return at most two labels with this name."""
    return list(label_snapshot().by_words.get(fold(name), ())[:2]) if fold(name) else []


def suggestions() -> list[Label]:
    """Return some labels of each kind, those with a note first."""
    return [
        label
        for kind, _ in Label.KINDS
        for label in islice((one for one in label_snapshot().noted_first if one.kind == kind), MAX_PER_KIND)
    ]
