"""The fourteen recommendations for citing data that change (RDA WGDC, doi:10.15497/RDA00016), asked of this program.

The query store is the table of frozen copies. A copy keeps its records, as other services keep no versions of theirs.
"""

import io
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from econweb.dashboard.sharing.citations import MEDIA_TYPES
from econweb.library import canonical
from econweb.library.canonical import FORM, digest
from econweb.library.copies import read_lines
from econweb.library.models import Body, FrozenCopy
from tests.dashboard.frozen.copies import VIEW, freeze, view
from tests.fake_service import FakeService, a_tag, tags_of

__all__ = ["view"]
pytestmark = pytest.mark.django_db
TODAY = timezone.localdate


def rows_of(client: Client, path: str) -> list[dict[str, object]]:
    """Return the rows of a copy as a program reads them."""
    address, _, query = path.partition("?")
    found: list[dict[str, object]] = json.loads(client.get(f"{address.rstrip('/')}.json?{query}").getvalue())["tags"]
    return found


def newest() -> FrozenCopy:
    return FrozenCopy.objects.latest("created")


def test_r1_data_versioning(client: Client, view: str, stand_in: FakeService) -> None:
    """Earlier states of the data can be read after each change: additions, changes and removals."""
    first = freeze(client, view)
    before = rows_of(client, first)
    # With its dates the same view is another request, so that no answer of before is shown.
    stand_in.has("category", 125, [*tags_of(60)[2:], a_tag("tag 0000", series_count=1), a_tag("new")])
    second = freeze(client, f"{view}?realtime_start={TODAY()}&realtime_end={TODAY()}")

    assert rows_of(client, first) == before
    assert {str(row["name"]) for row in before} ^ {str(row["name"]) for row in rows_of(client, second)} == {
        "new",
        "tag 0001",
    }


def test_r2_timestamping(client: Client, view: str) -> None:
    """Each state has the moment at which the provider sent it, and the days for which the provider says it is valid."""
    before = timezone.now()
    freeze(client, view)
    copy = newest()

    assert before - timedelta(minutes=1) <= copy.fetched <= copy.created <= timezone.now()
    assert (copy.realtime_start, copy.realtime_end) == (TODAY(), TODAY())
    assert all(row["created"] for row in rows_of(client, f"/frozen/{copy.pk}/"))


def test_r3_query_store(client: Client, view: str) -> None:
    """The program stores the query, when it ran, of whom, and what proves the result."""
    freeze(client, f"{view}?tag_group_id=geo&limit=25")
    copy = newest()

    assert copy.target == f"{VIEW}?tag_group_id=geo&limit=25"
    assert (copy.rows, copy.view_rows, copy.form, copy.is_complete) == (60, 8, FORM, True)
    assert all([copy.sha256, copy.view_sha256, copy.fetched, copy.created, copy.person, copy.title])
    # The record of changes has it as well.
    assert copy.pk in client.get("/changes/record.csv").getvalue().decode()


@pytest.mark.parametrize(
    "written",
    [
        "?limit=25&tag_group_id=geo&tag_names=tag+0003;tag+0002",
        "?tag_names=tag%200002;tag%200003&tag_group_id=geo&limit=25&order_by=series_count&offset=0",
        "?search_text=&tag_names=tag+0003;tag+0003;tag+0002&sort_order=desc&limit=25&tag_group_id=geo",
    ],
)
def test_r4_query_uniqueness(client: Client, view: str, written: str) -> None:
    """Queries that mean the same are stored as the same text, so that equal ones are found."""
    first = freeze(client, f"{view}?tag_group_id=geo&tag_names=tag+0002;tag+0003&limit=25")
    second = freeze(client, view + written)

    assert len(set(FrozenCopy.objects.values_list("target", flat=True))) == 1
    found = client.get("/frozen/timemap", {"target": view + written}).text
    assert all(path.split("/")[2] in found for path in (first, second))


def test_r5_stable_sorting(client: Client, stand_in: FakeService) -> None:
    """The order of the rows is always the same, whatever order the provider sends, also where values are equal."""
    tags = [a_tag(f"tag {number}", series_count=7, popularity=7) for number in range(9)]
    stand_in.has("category", 125, tags)
    first = freeze(client, VIEW)
    stand_in.has("category", 125, tags[::-1])
    second = freeze(client, f"{VIEW}?realtime_start={TODAY()}&realtime_end={TODAY()}")

    assert rows_of(client, first) == rows_of(client, second)
    assert len(set(FrozenCopy.objects.values_list("sha256", flat=True))) == 1
    by_name = sorted(str(tag["name"]) for tag in tags)
    for order in ("popularity", "series_count", "created", "group_id"):
        ordered = [[row["name"] for row in rows_of(client, f"{path.partition('?')[0]}?order_by={order}")]
                   for path in (first, second)]  # fmt: skip
        assert ordered == [by_name, by_name]


def test_r6_result_set_verification(client: Client, view: str) -> None:
    """Anybody can compute the digest of the result from the file alone, and a changed result is not shown."""
    path = freeze(client, f"{view}?tag_group_id=geo")
    copy = newest()
    page = client.get(path).text
    for query, expected in (("", copy.sha256), ("?tag_group_id=geo", copy.view_sha256)):
        rows = rows_of(client, f"/frozen/{copy.pk}/{query}")
        # Keys and rows in the order of their names, a line each: the RFC and nothing of this program.
        lines = [json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False) for row in rows]
        text = "".join(f"{line}\n" for line in sorted(lines, key=lambda line: json.loads(line)["name"]))
        assert digest(text.encode()) == expected
        assert expected in page

    other = freeze(client, f"{view}?tag_group_id=freq")
    Body.objects.update(packed=b"other")
    assert client.get(other).status_code == 503


def test_r7_query_timestamping(client: Client, view: str) -> None:
    """The moment of the query is in the citation, in the head and on the page."""
    freeze(client, view)
    moment = datetime(2026, 3, 1, 12, 30, 5, tzinfo=UTC)
    FrozenCopy.objects.update(created=moment, fetched=moment)
    address = f"/frozen/{newest().pk}"

    assert "2026-03-01 12:30:05 UTC" in client.get(f"{address}.txt").text
    assert client.get(f"{address}/")["Memento-Datetime"] == "Sun, 01 Mar 2026 12:30:05 GMT"
    assert '<time datetime="2026-03-01T12:30:05+00:00">' in client.get(f"{address}/").text


def test_r8_query_pid(client: Client, view: str) -> None:
    """Each frozen query has an id that never means another one; its digest shows that two ids have equal content."""
    first, second = freeze(client, view), freeze(client, view)
    pids = [path.split("/")[2] for path in (first, second)]
    client.post(f"/me{first}withdraw/", {"reason": "Wrong."})

    assert pids[0] != pids[1]
    assert all(re.fullmatch("[0-9a-hjkmnp-tv-z]{13}", pid) for pid in pids)
    assert len(set(FrozenCopy.objects.values_list("sha256", flat=True))) == 1
    # The id stays with what it named.
    assert (client.get(first).status_code, client.get(second).status_code) == (410, 200)
    assert FrozenCopy.objects.filter(pk=pids[0]).exists()


def test_r9_store_the_query(client: Client, view: str) -> None:
    """The query stays with its id and data after any edit of words, and leads to the whole that it is part of."""
    path = freeze(client, f"{view}?tag_group_id=geo")
    copy = newest()
    given = {"title": "Another", "reason": "Other", "audience": "everyone", "seen": copy.changed.isoformat()}
    client.post(f"/me/frozen/{copy.pk}/edit/", given)
    after = newest()

    assert after.title == "Another"
    for field in ("pk", "target", "sha256", "view_sha256", "created", "fetched", "form", "service", "rows"):
        assert getattr(after, field) == getattr(copy, field)
    # The copy has the rows of the query, and all others of its source.
    assert (len(rows_of(client, path)), len(rows_of(client, f"/frozen/{copy.pk}/"))) == (8, 60)


def test_r10_automated_citation_texts(client: Client, view: str) -> None:
    """The program writes the citation, ready to copy and in the formats of reference managers."""
    path = freeze(client, view)
    copy, page = newest(), client.get(path).text
    citation = re.findall(r'<p id="citation">(.*?)</p>', page, re.DOTALL)[0]

    assert 'data-action="copy"' in page
    for needed in (copy.title, copy.pk, copy.sha256, f"http://testserver/frozen/{copy.pk}/"):
        assert needed in citation
        assert all(needed in client.get(f"/frozen/{copy.pk}.{suffix}").content.decode() for suffix in MEDIA_TYPES)


def test_r11_landing_page(client: Client, view: str) -> None:
    """The address of the id shows people what it is, from where, the data, and a way to what is live now."""
    path = freeze(client, view)
    copy, page = newest(), Client().get(path).text

    for needed in (copy.title, copy.reason, copy.pk, copy.sha256, f'href="{VIEW}"', "tag 0003", 'href="/help/'):
        assert needed in page
    assert f'href="/frozen/{copy.pk}/check"' in page


def test_r12_machine_actionability(client: Client, view: str) -> None:
    """A program that has only the address finds data, metadata, digest and time by headers and types."""
    path = freeze(client, view)
    head = client.head(path)
    links = re.findall(r'<([^>]+)>; rel="([\w-]+)"(?:; type="([^"]+)")?', head["Link"])
    found = {(rel, media_type): address for address, rel, media_type in links}

    rows = json.loads(client.get(found["item", "application/json"]).getvalue())["tags"]
    (citation,) = json.loads(client.get(found["describedby", MEDIA_TYPES["csl"]]).content)
    block = re.findall(r'<script type="application/ld\+json">(.*?)</script>', client.get(path).text)[0]
    assert len(rows) == 60
    assert citation["URL"] == found["cite-as", ""] == json.loads(block)["url"]
    assert json.loads(client.get(path, headers={"Accept": "application/json"}).getvalue())["tags"] == rows
    assert found["cite-as", ""] in client.get(found["timemap", "application/link-format"]).text


def export_library(folder: Path) -> Path:
    file = folder / "library.jsonl"
    call_command("library", "export", str(file), stdout=io.StringIO())
    return file


def test_r13_technology_migration(client: Client, view: str, tmp_path: Path) -> None:
    """Queries, ids, digests and data move to another database by a plain file, and are as they were."""
    path = freeze(client, f"{view}?tag_group_id=geo")
    stored = FrozenCopy.objects.values().get()
    answers = [client.get(f"/frozen/{stored['id']}.{suffix}").content for suffix in MEDIA_TYPES]
    rows, file = rows_of(client, path), export_library(tmp_path)
    FrozenCopy.objects.all().delete()
    Body.objects.all().delete()
    without = client.get(path).status_code
    call_command("library", "import", str(file), stdout=io.StringIO())

    assert without == 404
    assert FrozenCopy.objects.values().get() == stored
    assert rows_of(client, path) == rows
    assert [client.get(f"/frozen/{stored['id']}.{suffix}").content for suffix in MEDIA_TYPES] == answers


def test_r14_migration_verification(client: Client, view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One command recomputes each digest after a migration, and names the copy that is not what it was."""
    freeze(client, view)
    freeze(client, f"{view}?tag_names=tag+0003")
    output = io.StringIO()
    call_command("library", "verify", stdout=output)
    assert output.getvalue().startswith("0 saved views and 2 frozen copies were read")

    # The form has a number: what a later program would write differently is found by the stored digest.
    copy = newest()
    lines = read_lines(copy)
    assert (digest(lines), copy.form) == (copy.sha256, FORM)
    assert digest(canonical.write_lines(canonical.read_tags(lines)[::-1])) == copy.sha256
    FrozenCopy.objects.filter(pk=copy.pk).update(view_sha256="0" * 64)
    with pytest.raises(CommandError, match="1 of them is damaged"):
        call_command("library", "verify", stdout=output)
    assert copy.pk in output.getvalue()
