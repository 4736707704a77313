"""Files of lists and comparisons return hostile descriptions unchanged."""

from typing import Any

import pytest
from django.test import Client

from tests.builders import a_series
from tests.dashboard.files.reading import READERS, as_read
from tests.dashboard.files.sheets import HOSTILE, WIDE
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db
TEXTS = dict(enumerate(HOSTILE + WIDE))


@pytest.fixture(autouse=True)
def hostile_series(stand_in: FakeService) -> None:
    def described(text: str, **more: Any) -> list[dict[str, Any]]:
        texts = dict.fromkeys(("title", "units", "seasonal_adjustment", "notes"), text)
        return [{**a_series(), "popularity": 1, **texts, **more}]

    stand_in.seriess = {f"S{n}": described(text, id=f"S{n}") for n, text in TEXTS.items()}


@pytest.mark.parametrize("suffix", READERS)
def test_series_list_returns_hostile_text_unchanged(client: Client, suffix: str) -> None:
    ids = ",".join(f"S{n}" for n in TEXTS)
    body = client.get(f"/series.{suffix}?ids={ids}&columns=title,units,notes").getvalue()

    records = READERS[suffix](body)

    assert [(record["id"], record["title"], record["units"], record["notes"]) for record in records] == [
        (f"S{n}", *[as_read(text, suffix)] * 3) for n, text in TEXTS.items()
    ]


@pytest.mark.parametrize("suffix", READERS)
def test_comparison_returns_hostile_text_unchanged(client: Client, suffix: str) -> None:
    for n in range(0, len(TEXTS) - 1, 2):
        body = client.get(f"/compare.{suffix}?a=series:S{n}&b=series:S{n + 1}").getvalue()
        # On paper the heads are the titles, which are hostile too, and notes have no markup.
        rows = {field.lower(): values for field, *values in map(dict.values, READERS[suffix](body))}

        texts = [as_read(TEXTS[n], suffix), as_read(TEXTS[n + 1], suffix)]
        assert [rows[field][:2] for field in ("units", "title")] == [texts, texts]
        assert suffix == "tex" or rows["notes"][:2] == texts
        assert rows["title"][2] == "yes"
