"""The files of the record of changes: bounded, and sent again after every change."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from econweb.accounts.changes import Edit, record_changes
from econweb.accounts.models import Change
from tests.dashboard.changes.test_changes import rename

pytestmark = pytest.mark.django_db


def test_file_that_a_browser_has_is_sent_again_after_a_change(client: Client) -> None:
    rename(client, "Old")
    etag = client.get("/changes/record.csv")["ETag"]
    rename(client, "New")

    assert client.get("/changes/record.csv", headers={"If-None-Match": etag}).status_code == 200


def test_file_that_a_browser_has_is_sent_again_after_a_change_with_an_earlier_moment(client: Client) -> None:
    """A transaction may begin first and end last, and the clock of a host may be behind."""
    rename(client, "Old")
    etag = client.get("/changes/record.csv")["ETag"]
    rename(client, "New")
    Change.objects.filter(pk=Change.objects.latest("id").pk).update(moment=timezone.now() - timedelta(hours=1))
    again = client.get("/changes/record.csv", headers={"If-None-Match": etag})

    assert again.status_code == 200
    assert b",New," in again.getvalue()


def test_long_record_is_a_file_of_its_newest_changes_that_names_the_next_file(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("econweb.dashboard.changes.sheet.MAX_ROWS", 50)
    record_changes("ada", "imported", [Edit("name", f"release {n}", f"N{n}", None, {"name": "x"}) for n in range(120)])
    files = [client.get(f"/changes/record.csv?offset={offset}").getvalue().decode() for offset in (0, 50, 100)]
    keys = [re.findall(r",name,release (\d+),", file) for file in files]

    assert [len(found) for found in keys] == [50, 50, 20]
    assert [key for found in keys for key in found] == [str(number) for number in range(119, -1, -1)]
    assert [re.findall("# warning,(.*)\r", file.replace('"', "")) for file in files] == [
        ["50 of 120 changes, from number 1 on. The next ones are in the file with offset=50."],
        ["50 of 120 changes, from number 51 on. The next ones are in the file with offset=100."],
        ["20 of 120 changes, from number 101 on."],
    ]
