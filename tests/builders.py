"""Small catalogues for tests, in the form in which an operator would load them."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management import call_command

HEADERS = {
    "series": "id realtime_start realtime_end title observation_start observation_end frequency "
    "frequency_short units units_short seasonal_adjustment seasonal_adjustment_short last_updated "
    "popularity notes",
    "tags": "name group_id notes created popularity",
    "series_tags": "series_id tag_name",
    "series_categories": "series_id category_id",
    "series_releases": "series_id release_id",
    "categories": "category_id name",
    "releases": "release_id name",
}


# What distinguishes a_series() from others of its title.
SUMMARY = "Billions of Chained 2009 Dollars · Annual · Not Seasonally Adjusted"


def a_series(**changes: str) -> dict[str, str]:
    """One version of a series, ordinary but for the changes."""
    return {
        "id": "GNPCA",
        "realtime_start": "2013-01-01",
        "realtime_end": "9999-12-31",
        "title": "Real Gross National Product",
        "observation_start": "1929-01-01",
        "observation_end": "2012-01-01",
        "frequency": "Annual",
        "frequency_short": "A",
        "units": "Billions of Chained 2009 Dollars",
        "units_short": "Bil. of Chn. 2009 $",
        "seasonal_adjustment": "Not Seasonally Adjusted",
        "seasonal_adjustment_short": "NSA",
        "last_updated": "2013-07-31 09:26:16-05",
        "popularity": "39",
        "notes": "Output of what a nation's residents own.",
        **changes,
    }


def write_catalogue(folder: Path, **files: Iterable[Mapping[str, Any]]) -> Path:
    """Every file of the format; those that are not given hold a header only."""
    for name, header in HEADERS.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, header.split())
            writer.writeheader()
            writer.writerows(files.get(name, ()))
    return folder


def load_catalogue(folder: Path, **files: Iterable[Mapping[str, Any]]) -> None:
    call_command("load_catalogue", str(write_catalogue(folder, **files)), verbosity=0)
