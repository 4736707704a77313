"""Whatever a description holds, the files of a list and of a comparison give it back."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils.escape import unescape

from tests.builders import a_series
from tests.dashboard.files.sheets import HOSTILE, WIDE
from tests.stand_in import StandIn

pytestmark = pytest.mark.django_db
TEXTS = dict(enumerate(HOSTILE + WIDE))
Records = list[dict[str, str]]


def from_csv(body: bytes) -> Records:
    lines = list(csv.reader(io.StringIO(body.decode(), newline="")))
    header, *rows = [line for line in lines if not line[0].startswith("#")]
    return [dict(zip(header, (cell.removeprefix("'") for cell in row), strict=True)) for row in rows]


def from_xlsx(body: bytes) -> Records:
    header, *rows = load_workbook(io.BytesIO(body)).worksheets[0].values
    return [
        dict(zip(map(str, header), (unescape(str(cell or "")) for cell in row), strict=True)) for row in rows
    ]


def from_json(body: bytes) -> Records:
    found = json.loads(body)
    return list(found.get("seriess") or found.get("rows"))


def from_xml(body: bytes) -> Records:
    return [{str(name): str(value) for name, value in one.items()} for one in etree.fromstring(body)]


READERS: dict[str, Callable[[bytes], Records]] = {
    "csv": from_csv,
    "xlsx": from_xlsx,
    "json": from_json,
    "xml": from_xml,
}


@pytest.fixture(autouse=True)
def hostile_series(stand_in: StandIn) -> None:
    def described(text: str, **more: Any) -> list[dict[str, Any]]:
        texts = dict.fromkeys(("title", "units", "seasonal_adjustment", "notes"), text)
        return [{**a_series(), "popularity": 1, **texts, **more}]

    stand_in.seriess = {f"S{n}": described(text, id=f"S{n}") for n, text in TEXTS.items()}


@pytest.mark.parametrize("suffix", READERS)
def test_a_list_gives_every_text_back(client: Client, suffix: str) -> None:
    ids = ",".join(f"S{n}" for n in TEXTS)
    body = client.get(f"/series.{suffix}?ids={ids}&columns=title,units,notes").getvalue()

    records = READERS[suffix](body)

    assert [(record["id"], record["title"], record["units"], record["notes"]) for record in records] == [
        (f"S{n}", text, text, text) for n, text in TEXTS.items()
    ]


@pytest.mark.parametrize("suffix", READERS)
def test_a_comparison_gives_every_text_back(client: Client, suffix: str) -> None:
    for n in range(0, len(TEXTS) - 1, 2):
        body = client.get(f"/compare.{suffix}?a=series:S{n}&b=series:S{n + 1}").getvalue()
        rows = {record["field"]: record for record in READERS[suffix](body)}

        assert (rows["notes"]["a"], rows["notes"]["b"]) == (TEXTS[n], TEXTS[n + 1])
        assert rows["title"]["differs"] == "yes"
