"""Changes of names: with a check that nobody else was faster, and with their record."""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import IO, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import normalize_newlines

from econweb import advisory_lock
from econweb.accounts.changes import TOO_LONG, Edit, State, record_changes
from econweb.accounts.models import Change
from econweb.label_book.files import BadFile, read_labels
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.label_book.tree import problem_in_stored_tree, problem_with_new_parent

# The kind of the label's changes in the record.
KIND = "name"


class ChangedMeanwhile(Exception):
    """Somebody else changed what the form shows; of a single label it has that of today, if there is one."""

    def __init__(self, label: Label | None = None) -> None:
        super().__init__("it was changed again.")
        self.label = label


class BadParent(Exception):
    """The label does not fit into the tree of categories; the text says why."""


class CannotUndo(Exception):
    """The label cannot be again what it was; the text says why."""


def state_of(label: Label | None) -> State | None:
    return {"name": label.name, "note": label.note, "parent": label.parent} if label else None


def edit_of(label: Label, before: State | None, after: State | None) -> Edit:
    return Edit(KIND, f"{label.kind} {label.number}", label.name, before, after)


def save_name(person: str, label: Label, opened: int, reason: str = "") -> None:
    """Store a label that an editor saw at revision `opened`, which is 0 for one without a name."""
    with transaction.atomic():
        advisory_lock.take_turns(advisory_lock.NAMES)
        stored = _lock_label(label.kind, label.number)
        if (stored.revision if stored else 0) != opened:
            raise ChangedMeanwhile(stored)
        if problem := problem_with_new_parent(label, stored.parent if stored else None):
            raise BadParent(problem)
        before, after = state_of(stored), state_of(label)
        if before != after:
            label.is_edited = True
            save_labels([label])
            record_changes(person, "changed" if stored else "added", [edit_of(label, before, after)], reason)


def find_undoable(changes: Iterable[Change]) -> set[int]:
    """Return the ids of those changes of names that nothing came after, by two queries.

    A category with parts stays, so that its addition cannot be undone.
    """
    ours = [change for change in changes if change.kind == KIND and not _is_cut(change)]
    numbers = {int(change.key.split(" ")[1]) for change in ours}
    stored = {f"{label.kind} {label.number}": state_of(label) for label in Label.objects.filter(number__in=numbers)}
    parents = Label.objects.filter(kind="category", parent__in=numbers).order_by().values_list("parent", flat=True)
    staying = {f"category {number}" for number in parents.distinct()}
    undoable = [change for change in ours if stored.get(change.key) == change.after]
    return {change.pk for change in undoable if change.before is not None or change.key not in staying}


def _is_cut(change: Change) -> bool:
    return TOO_LONG in [*(change.before or {}).values(), *(change.after or {}).values()]


def undo(person: str, change: Change) -> None:
    """Bring back the label from before the change, if it is still as the change left it."""
    if _is_cut(change):
        raise CannotUndo("its note was too long to be recorded.")
    kind, number = change.key.split(" ")
    with transaction.atomic():
        advisory_lock.take_turns(advisory_lock.NAMES)
        stored = _lock_label(kind, int(number))
        if state_of(stored) != change.after:
            raise ChangedMeanwhile(stored)
        if change.before is None:
            # Only a category has parts.
            if part := Label.objects.filter(kind=kind, parent=number).first():
                raise CannotUndo(f"category {part.number} is part of it.")
            Label.objects.filter(kind=kind, number=number).delete()
        else:
            label = Label(kind=kind, number=int(number), is_edited=True, **change.before)
            try:
                label.clean_fields(exclude=["words", "id"])
            except ValidationError:
                raise CannotUndo("its former name or note is no longer accepted.") from None
            if problem := problem_in_stored_tree(label):
                raise CannotUndo(problem)
            save_labels([label])
        undone = Edit(KIND, change.key, change.title, change.after, change.before)
        record_changes(person, "undone", [undone])


def delete_name(person: str, kind: str, number: int) -> None:
    with transaction.atomic():
        advisory_lock.take_turns(advisory_lock.NAMES)
        if stored := _lock_label(kind, number):
            record_changes(person, "deleted", [edit_of(stored, state_of(stored), None)])
            stored.delete()


def compare_labels(labels: Sequence[Label]) -> tuple[list[Edit], int]:
    """Return what the labels of a file would change, and how many of them are stored as they are."""
    return _compare(labels, Label.objects.all())


def digest_of(edits: Iterable[Edit]) -> str:
    """Return a digest of the labels that the edits replace."""
    return sha256(json.dumps([[edit.key, edit.before] for edit in edits]).encode()).hexdigest()


def _compare(labels: Sequence[Label], known: Iterable[Label]) -> tuple[list[Edit], int]:
    stored = dict[tuple[str, int], Label]()
    for label in known:
        # Earlier versions stored other line ends, which alone are no change.
        label.note = normalize_newlines(label.note)
        stored[label.kind, label.number] = label
    edits = [edit_of(label, state_of(stored.get((label.kind, label.number))), state_of(label)) for label in labels]
    changed = [edit for edit in edits if edit.before != edit.after]
    return changed, len(labels) - len(changed)


class Import(NamedTuple):
    """The number of labels in a file, and of all those that it changed and deleted."""

    labels: int
    changed: int
    deleted: int


def import_labels(person: str, file: IO[str], replace: bool = False, seen: str | None = None) -> Import:
    """Store the labels of a file, and with `replace` delete all others.

    `seen` is the digest of what a person saw that they replace.
    """
    with transaction.atomic():
        advisory_lock.take_turns(advisory_lock.NAMES)
        labels = read_labels(file, replace)
        if replace and not labels:
            raise BadFile("The file has no names, so --replace would delete all of them.")
        # All of them: until this ends, nobody deletes one in Django's admin.
        edits, _ = _compare(labels, Label.objects.select_for_update().order_by("pk"))
        if seen not in {None, digest_of(edits)}:
            raise ChangedMeanwhile
        named = {(label.kind, label.number) for label in labels}
        others = [label for label in Label.objects.all() if replace and (label.kind, label.number) not in named]
        if others:
            record_changes(person, "deleted", [edit_of(label, state_of(label), None) for label in others])
            Label.objects.filter(pk__in=[label.pk for label in others]).delete()
        # All of them: a name that nobody had edited counts as edited from now on.
        save_labels(labels)
        return Import(len(labels), record_changes(person, "imported", edits), len(others))


def _lock_label(kind: str, number: int) -> Label | None:
    return Label.objects.select_for_update().filter(kind=kind, number=number).first()
