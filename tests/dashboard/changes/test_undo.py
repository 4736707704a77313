"""Undo on the page of changes: where it is offered, and what a refusal says."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from econweb.accounts.changes import Edit, record_changes
from econweb.accounts.models import Change
from econweb.label_book.models import Label
from tests.dashboard.changes.test_changes import rename, undo_newest
from tests.dashboard.reading import document

pytestmark = pytest.mark.django_db


def offers(client: Client) -> list[str]:
    return [*map(str, document(client.get("/changes/")).xpath("//main//td//button/@aria-label"))]


def test_refused_undo_says_the_name_of_now(client: Client) -> None:
    """It said that the name of the change “stays as it is”."""
    rename(client, "Imports of all")
    first = Change.objects.get().pk
    rename(client, "Imports again")
    renamed = client.post(f"/me/changes/{first}/undo/")
    Label.objects.all().delete()
    deleted = client.post(f"/me/changes/{first}/undo/")

    assert "“Imports again” stays as it is, because it was changed again." in renamed.text
    assert "“category 125” stays as it is, because it was changed again." in deleted.text


def test_page_offers_no_undo_that_must_fail(client: Client) -> None:
    rename(client, "Old")
    rename(client, "New")
    rename(client, "Tin", 7)
    before = offers(client)
    undo_newest(client)

    assert before == ["Undo added Tin", "Undo changed New"]
    assert offers(client) == ["Undo undone Tin", "Undo changed New"]


def test_page_offers_no_undo_of_an_added_category_that_has_parts(client: Client) -> None:
    rename(client, "All")
    rename(client, "Part", 7)
    Label.objects.filter(number=7).update(parent=125)
    part = offers(client)
    rename(client, "Everything")

    assert part == []
    assert offers(client) == ["Undo changed Everything"]


def test_page_offers_no_undo_of_a_note_that_was_too_long(client: Client) -> None:
    record_changes("ada", "deleted", [Edit("name", "category 7", "Tin", {"name": "Tin", "note": "n" * 9000}, None)])

    assert offers(client) == []


def test_page_finds_what_can_be_undone_without_a_query_for_each_row(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rename(client, "Tin", 0)
    with CaptureQueriesContext(connection) as one:
        client.get("/changes/")
    count = len(one)
    for number in range(1, 6):
        rename(client, "Tin", number)

    with django_assert_num_queries(count):
        client.get("/changes/")
