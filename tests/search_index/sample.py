"""The series of the sample, in the index."""

import csv

import pytest
from django.conf import settings

from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record


def sample_records() -> list[Record]:
    with settings.SAMPLE_SERIES.open(encoding="utf-8", newline="") as rows:
        return [
            Record(
                row["id"],
                row["title"],
                row["frequency"],
                row["seasonal_adjustment"],
                row["units"],
                int(row["popularity"]),
            )
            for row in csv.DictReader(rows)
            if row["realtime_end"] == "9999-12-31"
        ]


@pytest.fixture
def sample_titles(db: None) -> None:
    title_index.add(sample_records(), title_index.FETCHED)
