"""The names in the sample as labels, with notes on the best-known ones."""

import csv
from collections.abc import Iterator

from econweb.catalogue.loading import load as loading
from econweb.label_book.models import Label

# Labels with a note come first among the suggestions.
NOTES = {
    ("category", 9): "What households pay",
    ("category", 106): "What the country produces, as a whole and in its parts",
    ("category", 115): "Yields of government bonds, from one month to thirty years",
    ("category", 125): "Exports less imports",
    ("category", 32240): "People who lost their work this week",
    ("category", 32447): "Who looks for work, of all who could work",
    ("release", 10): "Prices of the month, by item and by city",
    ("release", 13): "Output of factories, mines and utilities, every month",
    ("release", 18): "Interest rates of the day",
    ("release", 50): "Jobs, hours, pay and unemployment of the month",
    ("release", 53): "The national accounts of the quarter",
    ("release", 54): "What people earn, spend and save",
}


def sample_labels() -> Iterator[Label]:
    """Yield the names in the sample as labels; here, because catalogue and label book do not import each other."""
    for kind, file in (("category", "categories.csv"), ("release", "releases.csv")):
        with (loading.SAMPLE / file).open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                number = int(row[f"{kind}_id"])
                yield Label(kind=kind, number=number, name=row["name"], note=NOTES.get((kind, number), ""))
