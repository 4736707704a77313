"""This process's snapshot of the label book; changes by other processes are visible after a second."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

import structlog
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Sum

from econweb.label_book.models import Label
from econweb.label_book.tree import CategoryTree, build_tree

log = structlog.get_logger("econweb.label_book")


@dataclass(frozen=True)
class LabelSnapshot:
    """All labels in the order of suggestions: those with a note first, then the shortest names."""

    revision: tuple[int, int] = (0, 0)
    labels: Sequence[Label] = ()
    # The folded names, with a space behind the last word, in a list of their own: searching 10,000 models takes
    # three times as long.
    words: Sequence[str] = ()
    # By number, but labels with a note first.
    noted_first: Sequence[Label] = ()
    by_number: Mapping[tuple[str, int], Label] = field(default_factory=dict)
    by_words: Mapping[str, Sequence[Label]] = field(default_factory=dict)
    tree: CategoryTree = field(default_factory=CategoryTree)
    # By kind, made when they are first listed: the labels from A to Z, and the folded names in the same order.
    _sorted: dict[str, tuple[Sequence[Label], Sequence[str]]] = field(default_factory=dict)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """All words of the names, folded."""
        return frozenset(word for words in self.words for word in words.split())

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """The places of the labels that have a word, by the word."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, words in enumerate(self.words):
            for word in {*words.split()}:
                places[word].append(place)
        return places

    def alphabetical(self, kind: str) -> tuple[Sequence[Label], Sequence[str]]:
        """Return the labels of a kind from A to Z, and their folded names."""
        if kind not in self._sorted:
            of_kind = (label for label in self.labels if label.kind == kind)
            labels = sorted(of_kind, key=lambda label: (label.words, label.number))
            self._sorted[kind] = labels, [f"{label.words} " for label in labels]
        return self._sorted[kind]


# Like catalogue/access.py and catalogue/answers/snapshot.py, but with another rule for the threads that wait. A class
# for all three would need a package that both import, and more lines than the three rules have.
class _Memory:
    snapshot = LabelSnapshot()
    # A monotonic time; until then the stored revision is not compared.
    good_until = 0.0
    reading = Lock()


def label_snapshot() -> LabelSnapshot:
    # Only the first threads wait; later ones use the old snapshot while one of them refreshes it.
    is_old, is_first = time.monotonic() >= _Memory.good_until, _Memory.good_until == 0.0
    if is_old and _Memory.reading.acquire(blocking=is_first):
        try:
            _refresh()
        finally:
            _Memory.reading.release()
    return _Memory.snapshot


def _refresh() -> None:
    try:
        while (revision := _stored_revision()) != _Memory.snapshot.revision:
            _Memory.snapshot = _read(revision)
    except DatabaseError:
        # Pages work without names.
        log.warning("the label book cannot be read: pages show the names that are known")
    _Memory.good_until = time.monotonic() + settings.LABELS_RECHECK_SECONDS


def _stored_revision() -> tuple[int, int]:
    """Return count and sum of revisions. Each write draws a random revision, so any change changes the sum."""
    found = Label.objects.aggregate(labels=Count("id"), revisions=Sum("revision", default=0))
    return found["labels"], found["revisions"]


def _read(revision: tuple[int, int]) -> LabelSnapshot:
    labels = list(Label.objects.all())
    labels.sort(key=lambda label: (not label.note, len(label.words), label.name, label.kind, label.number))
    by_words: defaultdict[str, list[Label]] = defaultdict(list)
    for label in labels:
        by_words[label.words].append(label)
    return LabelSnapshot(
        revision=revision,
        labels=labels,
        words=[f"{label.words} " for label in labels],
        noted_first=sorted(labels, key=lambda label: (not label.note, label.number)),
        by_number={(label.kind, label.number): label for label in labels},
        by_words=by_words,
        tree=build_tree(labels),
    )
