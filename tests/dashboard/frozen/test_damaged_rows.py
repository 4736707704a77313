"""Rows that no form stores, such as those of an earlier import: each page says so, and no list breaks."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client

from econweb.library.canonical import Record, digest
from econweb.library.freezing import freeze
from econweb.library.models import FrozenCopy
from tests.library.builders import ADA, DAY, DRAFT, TARGET, a_content, a_series_record, a_tag

pytestmark = pytest.mark.django_db
FIRST, LAST = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
EMPTY = {"rows": 0, "view_rows": 0, "sha256": digest(b""), "view_sha256": digest(b"")}
DAMAGE: dict[str, dict[str, Any]] = {
    "first year": {"created": FIRST, "changed": FIRST, "fetched": FIRST},
    "last year": {"created": LAST, "changed": LAST, "fetched": LAST, "expires": LAST},
    "days of the first year": {"realtime_start": date(1, 1, 1), "realtime_end": date(1, 1, 1)},
    "backwards": {"realtime_start": date(2026, 3, 1), "realtime_end": date(2020, 1, 1)},
    "service": {"service": "https://["},
    "other service": {"service": "not an address"},
    "letters": {"title": "A\u202eb\x00c\nd", "reason": "\x00\u2066", "person": "a\u202eda"},
    "warnings": {"warnings": "x" * 100_000, "missing": "y" * 100_000},
    "no content": {"body": None},
    "empty": {"body": None} | EMPTY,
    "view": {"view_rows": 1},
    "no such target": {"target": "/nowhere/?a=1"},
    "target with controls": {"target": "/category/125/tags/?search_text=%00\u202e"},
}
CONTENT: dict[str, tuple[dict[str, Any], Sequence[Record], str]] = {
    "tags": ({"target": TARGET}, [a_tag("usa"), a_tag("nation", 5)], "/category/126/tags/"),
    "series": ({"target": "/series/GNPCA/"}, [a_series_record("GNPCA", DAY)], "/series/UNRATE/"),
    "list": ({"target": "/series/?ids=GNPCA"}, [a_series_record("GNPCA", DAY)], "/series/?ids=UNRATE"),
}
PARTS = ("/", "/check", "/?against=live", ".csv", ".bib", ".json", ".zip", ".xlsx", "/names", "/profile", "/?embed=1")


def read(client: Client, path: str) -> int:
    answer = client.get(path)
    answer.close()
    return answer.status_code


@pytest.mark.parametrize("kind", CONTENT)
@pytest.mark.parametrize("damage", [*DAMAGE, "other id"])
def test_damaged_row_breaks_no_page(client: Client, kind: str, damage: str) -> None:
    fields, records, other = CONTENT[kind]
    copy = freeze(ADA, DRAFT, a_content(*records, kind=kind, view=records, **fields))
    good = freeze(ADA, DRAFT, a_content(*records, kind=kind, view=records, **fields))
    FrozenCopy.objects.filter(pk=copy.pk).update(**DAMAGE.get(damage, {"target": other}))

    for prefix in ("", "/me"):
        assert [part for part in PARTS if read(client, f"{prefix}/frozen/{copy.pk}{part}") == 500] == []
        listed = client.get(f"{prefix}/frozen/")
        assert listed.status_code == 200
        assert good.pk in listed.text
    for program in ("timemap", "timegate"):
        answer = client.get(f"/frozen/{program}", {"target": fields["target"]})
        assert answer.status_code == (200 if program == "timemap" else 302)
