"""Store many labels, each in place of an earlier one."""

from collections.abc import Iterable

from django.db import transaction

from econweb import advisory_lock
from econweb.label_book.models import Label
from econweb.label_book.tree import find_circles, problem_with_parent, stored_parents

# The fields that are replaced when a label is stored again.
_UPDATED = ["name", "note", "parent", "is_edited", "words", "revision"]


def save_labels(labels: Iterable[Label]) -> int:
    """Store labels, in place of those with the same number."""
    by_id = {(label.kind, label.number): label for label in labels}
    for label in by_id.values():
        label.prepare()
    with transaction.atomic():
        Label.objects.bulk_create(
            by_id.values(),
            batch_size=500,
            update_conflicts=True,
            unique_fields=["kind", "number"],
            update_fields=_UPDATED,
        )
    return len(by_id)


def count_edited() -> int:
    """Return the number of labels that `offer_labels` leaves as they are."""
    return Label.objects.exclude(is_edited=False).count()


def offer_labels(labels: Iterable[Label], replace: bool = False) -> int:
    """Store names that come with the program or a catalogue, except where somebody has edited the label.

    With `replace`, other labels that nobody has edited are deleted: they belong to an earlier catalogue.
    """
    with transaction.atomic():
        advisory_lock.take_turns(advisory_lock.NAMES)
        edited = {*Label.objects.exclude(is_edited=False).values_list("kind", "number")}
        offered = [label for label in labels if (label.kind, label.number) not in edited]
        if replace:
            Label.objects.filter(is_edited=False).delete()
        parents = stored_parents() | {label.number: label.parent for label in offered if label.kind == "category"}
        circles = find_circles(parents)
        for label in offered:
            label.is_edited = False
            # An edited label may have turned the tree round, or may be all that is left of a catalogue.
            if problem_with_parent(label, parents, circles):
                label.parent = None
        return save_labels(offered)
