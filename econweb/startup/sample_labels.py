"""The names in the sample as labels, with notes on the best-known ones."""

import csv
from collections.abc import Iterator

from econweb.catalogue.loading import load as loading
from econweb.label_book.models import Label

# Labels with a note come first among the suggestions.
NOTES = {
    ("category", 9): "Consumer prices: CPI and PCE",
    ("category", 106): "Total output and its components",
    ("category", 115): "Treasury yields, 1 month to 30 years",
    ("category", 125): "Exports minus imports",
    ("category", 32240): "New claims for unemployment benefits, weekly",
    ("category", 32447): "Share of the labor force without a job",
    ("release", 10): "Monthly consumer prices, by item and city",
    ("release", 13): "Monthly output of factories, mines and utilities",
    ("release", 18): "Daily interest rates",
    ("release", 50): "Monthly jobs report",
    ("release", 53): "Quarterly national accounts",
    ("release", 54): "Household income, spending and saving",
}


def sample_labels() -> Iterator[Label]:
    """Yield the names in the sample as labels; here, because catalogue and label book do not import each other."""
    for kind, file in (("category", "categories.csv"), ("release", "releases.csv")):
        with (loading.SAMPLE / file).open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                number = int(row[f"{kind}_id"])
                yield Label(kind=kind, number=number, name=row["name"], note=NOTES.get((kind, number), ""))
