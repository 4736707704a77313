"""Labels that come with a catalogue; here, because catalogue and label book do not import each other."""

import csv
from collections.abc import Iterable, Iterator, Sequence

from django.conf import settings
from django.core.exceptions import ValidationError

from econweb.catalogue.loading import load as loading
from econweb.catalogue.loading.contents import Contents
from econweb.catalogue.models import Owner
from econweb.label_book.models import Label
from econweb.label_book.storing import offer_labels

MAX_NAME = 200
# Labels with a note come first among the suggestions.
NOTES = {
    ("category", 9): "Prices that households pay",
    ("category", 106): "Total output and its components",
    ("category", 115): "Treasury yields, 1 month to 30 years",
    ("category", 125): "Exports minus imports",
    ("category", 32240): "New claims for unemployment benefits, weekly",
    ("category", 32447): "Share of the labor force without a job and looking for one",
    ("release", 10): "Monthly consumer prices, by item and city",
    ("release", 13): "Monthly output of factories, mines and utilities",
    ("release", 18): "Daily interest rates",
    ("release", 50): "Monthly report on jobs, hours, pay and unemployment",
    ("release", 53): "Quarterly national accounts",
    ("release", 54): "Household income, spending and saving",
}


def sample_labels() -> Iterator[Label]:
    """Yield the names in the sample as labels, with notes on the best-known ones."""
    for kind, file in (("category", "categories.csv"), ("release", "releases.csv")):
        with (loading.SAMPLE / file).open(encoding="utf-8", newline="") as stream:
            rows = csv.reader(stream)
            next(rows)
            for label in _labels(kind, rows):
                label.note = NOTES.get((kind, label.number), "")
                yield label


def store_catalogue_names(found: Contents) -> None:
    """Replace the names that nobody has edited by those of a catalogue."""
    if settings.ECON_BASE_URL:
        # Pages show another service, with other numbers.
        return
    _replace_names(label for owners in found.owners for label in _labels(owners.kind, owners.rows))


def _replace_names(labels: Iterable[Label]) -> None:
    sample, named = {(label.kind, label.number): label for label in sample_labels()}, list(labels)
    for label in named:
        known = sample.get((label.kind, label.number))
        label.note = known.note if known and known.name == label.name else ""
    offer_labels(named, replace=True)


def mark_edited_labels() -> None:
    """Tell the names of the sample from those that somebody entered, in a label book of an earlier version.

    That version left the names of the sample beside any catalogue, which now has its own.
    """
    unmarked = Label.objects.filter(is_edited=None)
    if stored := list(unmarked):
        sample = {(label.kind, label.number): (label.name, label.note) for label in sample_labels()}
        same = [label.pk for label in stored if sample.get((label.kind, label.number)) == (label.name, label.note)]
        unmarked.filter(pk__in=same).update(is_edited=False)
        unmarked.update(is_edited=True)
        owners = [] if settings.ECON_BASE_URL else list(Owner.objects.values_list("kind", "number", "name"))
        if owners:
            _replace_names(label for kind, number, name in owners for label in _labels(kind, [(str(number), name)]))


def _labels(kind: str, rows: Iterable[Sequence[str]]) -> Iterator[Label]:
    """Yield the rows that make valid labels: a catalogue may have longer names than the label book."""
    for number, name, *parent in rows:
        above = int(parent[0]) if parent and parent[0] else None
        label = Label(kind=kind, number=int(number), name=" ".join(name.split())[:MAX_NAME], parent=above)
        try:
            label.clean_fields(exclude=["words", "id"])
        except ValidationError:
            continue
        yield label
