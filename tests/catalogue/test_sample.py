"""The sample holds what clients and their own tests ask for, and dates that can be."""

import csv
from datetime import date

import pytest

from econweb.catalogue.loading import load as loading
from econweb.startup.load_catalogue import load_sample_if_due
from tests.catalogue.api_calls import Ask

pytestmark = pytest.mark.django_db(transaction=True)


def test_sample_versions_were_updated_within_their_period() -> None:
    with (loading.SAMPLE / "series.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    outside = [
        row["id"]
        for row in rows
        if not row["realtime_start"] <= row["last_updated"][:10] <= row["realtime_end"]
        or not date.fromisoformat(row["observation_start"]) <= date.fromisoformat(row["observation_end"])
    ]

    assert len(rows) > 700
    assert outside == []


def test_sample_has_release_86_and_the_root_category(transactional_db: None, ask: Ask) -> None:
    load_sample_if_due()

    status, release = ask("release/tags", release_id="86", tag_names="commercial paper;daily;frb")
    assert (status, release["count"]) == (200, 3)
    assert ask("category/tags", category_id="0")[1]["tags"] == []
    assert ask("series", series_id="DCPN3M")[1]["seriess"][0]["frequency"] == "Daily"
