"""The label book as this process holds it; what somebody else changes is seen after a second."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

import structlog
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Sum

from econweb.shelf.models import Label

log = structlog.get_logger("econweb.shelf")


@dataclass(frozen=True)
class HeldBook:
    """Labels in the order in which they are offered: the shortest names first."""

    stamp: tuple[int, int] = (0, 0)
    labels: Sequence[Label] = ()
    # What is searched of each of them, apart from them: to look into 10,000 models takes three times as long.
    words: Sequence[str] = ()
    # By number, but those with a note first: somebody cared for them.
    noted_first: Sequence[Label] = ()
    by_number: Mapping[tuple[str, int], Label] = field(default_factory=dict)
    by_words: Mapping[str, Sequence[Label]] = field(default_factory=dict)


class _Memory:
    held = HeldBook()
    # A monotonic time; until then nobody looks whether the book was changed.
    good_until = 0.0
    reading = Lock()


def book() -> HeldBook:
    # Only the first readers wait; later on, what is held is good enough while one of them looks.
    is_old, is_first = time.monotonic() >= _Memory.good_until, _Memory.good_until == 0.0
    if is_old and _Memory.reading.acquire(blocking=is_first):
        try:
            _look_again()
        finally:
            _Memory.reading.release()
    return _Memory.held


def _look_again() -> None:
    try:
        while (stamp := _stored_stamp()) != _Memory.held.stamp:
            _Memory.held = _read(stamp)
    except DatabaseError:
        # A page needs no names to say what it has to say.
        log.warning("the label book cannot be read: pages show the names that are known")
    _Memory.good_until = time.monotonic() + settings.LABELS_RECHECK_SECONDS


def _stored_stamp() -> tuple[int, int]:
    """Each writing draws a new revision, so any change changes the sum, in whatever order writers end."""
    found = Label.objects.aggregate(labels=Count("id"), revisions=Sum("revision", default=0))
    return found["labels"], found["revisions"]


def _read(stamp: tuple[int, int]) -> HeldBook:
    labels = list(Label.objects.all())
    labels.sort(key=lambda label: (len(label.words), label.name, label.kind, label.number))
    by_words: defaultdict[str, list[Label]] = defaultdict(list)
    for label in labels:
        by_words[label.words].append(label)
    return HeldBook(
        stamp=stamp,
        labels=labels,
        words=[label.words for label in labels],
        noted_first=sorted(labels, key=lambda label: (not label.note, label.number)),
        by_number={(label.kind, label.number): label for label in labels},
        by_words=by_words,
    )
