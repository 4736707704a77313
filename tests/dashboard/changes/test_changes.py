"""The record of changes: what it holds, filters, pages, files and undo."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts.changes import Edit, record_changes
from econweb.accounts.models import Change
from econweb.label_book.editing import edit_of, state_of
from econweb.label_book.models import Label
from tests.dashboard.reading import words

pytestmark = pytest.mark.django_db


def rename(client: Client, name: str, number: int = 125) -> None:
    label = Label.objects.filter(number=number).first()
    data = {"name": name, "opened": label.revision if label else 0}
    assert client.post(f"/me/names/category/{number}/", data).status_code == 200


def undo_newest(client: Client) -> int:
    return client.post(f"/me/changes/{Change.objects.order_by('-id')[0].pk}/undo/").status_code


def test_changes_are_listed_newest_first(client: Client) -> None:
    rename(client, "Old")
    rename(client, "New")
    page = client.get("/changes/")

    assert words(page, "//main//tbody//th") == ["changed New category 125", "added Old category 125"]
    assert words(page, "//main//caption") == ["2 changes"]
    assert words(page, "//main//*[@class='changed-field']") == ["name: Old New", "name: Old"]


@pytest.mark.parametrize(("query", "found"), [("q=tin", 1), ("q=category 7", 1), ("kind=name", 2), ("kind=role", 0)])
def test_changes_are_filtered(client: Client, query: str, found: int) -> None:
    rename(client, "Zinc")
    rename(client, "Tin", 7)

    assert len(words(client.get(f"/changes/?{query}"), "//main//tbody//th")) == found


def test_changes_are_found_in_any_case(client: Client) -> None:
    rename(client, "Österreich")

    assert len(words(client.get("/changes/?q=ÖSTERREICH österreich"), "//main//tbody//th")) == 1


@pytest.mark.parametrize("query", ["q=" + "a+" * 2000, "q=%00", "kind=%00", "kind=" + "k" * 1000])
@pytest.mark.parametrize("path", ["/changes/", "/changes/record.csv"])
def test_changes_refuse_words_that_no_search_has(client: Client, path: str, query: str) -> None:
    """B10: thousands of words took half a minute, and then the database refused them."""
    rename(client, "Zinc")

    assert client.get(f"{path}?{query}").status_code == 400


def test_changes_have_pages_and_files(client: Client) -> None:
    record_changes(
        "ada", "imported", [Edit("name", f"release {n}", f"N{n}", None, {"name": f"N{n}"}) for n in range(120)]
    )
    first, last = client.get("/changes/"), client.get("/changes/?offset=100")
    file = client.get("/changes/record.csv").getvalue()

    assert [len(words(page, "//main//tbody//tr")) for page in (first, last)] == [50, 20]
    assert words(first, "//main//nav[@aria-label='Pages']//a") == ["Next"]
    assert file.count(b",imported,name,release ") == 120


def test_page_has_words_and_files_the_stored_values(client: Client) -> None:
    states = [
        Edit("saved view", "a", "(private)", None, {"audience": "me", "changed": "2026-11-26T20:30:18.810046+00:00"}),
        Edit(
            "saved view", "b", "Trade", {"audience": "signed-in", "pinned": False}, {"audience": "me", "pinned": True}
        ),
        Edit("watch", "1", "(private)", None, {"since": "2026-11-26T20:30:18.810046+00:00"}),
    ]
    record_changes("ada", "changed", states)
    page, file = client.get("/changes/"), client.get("/changes/record.csv").getvalue().decode()

    assert sorted(words(page, "//main//*[@class='changed-field']")) == [
        "audience: Only the owner and the administrators",
        "audience: People who are signed in Only the owner and the administrators",
        "changed: 2026-11-26 20:30",
        "pinned: no yes",
        "since: 2026-11-26 20:30",
    ]
    assert words(page, "//select[@name='kind']/option") == ["All", "Saved view", "Follow"]
    assert words(client.get("/changes/?kind=watch"), "//option[@selected]") == ["Follow"]
    assert "2026-11-26T20:30:18.810046+00:00" in file
    assert ",watch," in file


def test_undo_brings_back_the_name_and_is_recorded(client: Client) -> None:
    rename(client, "Old")
    rename(client, "New")
    status = undo_newest(client)

    assert status == 302
    assert Label.objects.get().name == "Old"
    assert Change.objects.order_by("-id")[0].verb == "undone"


LOST = "S\ufffdo bad"


def test_undo_of_a_name_that_the_rules_of_today_refuse_leads_to_its_record(client: Client) -> None:
    """An earlier version accepted the name, and no search does."""
    given = {"kind": "category", "number": 125, "note": "", "parent": None}
    label = Label.objects.create(**given, name=LOST)
    record_changes("ada", "added", [edit_of(label, None, state_of(label))])
    page = client.post(f"/me/changes/{Change.objects.get().pk}/undo/", follow=True)

    assert (page.status_code, Label.objects.exists()) == (200, False)
    assert words(page, "//main//tbody//th") == [f"{verb} {LOST} category 125" for verb in ("undone", "added")]


@pytest.mark.parametrize("field", ["name", "note"])
def test_undo_brings_back_no_name_or_note_that_the_rules_of_today_refuse(client: Client, field: str) -> None:
    rename(client, "New")
    label = Label.objects.get()
    before = {"name": "Old", "note": "", "parent": None, field: LOST}
    record_changes("ada", "changed", [edit_of(label, before, state_of(label))])
    refused = client.post(f"/me/changes/{Change.objects.latest('id').pk}/undo/")

    assert refused.status_code == 409
    assert "“New” stays as it is, because its former name or note is no longer accepted." in refused.text
    assert (Label.objects.get().name, Label.objects.get().note) == ("New", "")


def test_undo_of_a_new_name_deletes_it_and_can_be_undone(client: Client) -> None:
    rename(client, "New")
    undo_newest(client)
    after = Label.objects.count()
    undo_newest(client)

    assert (after, Label.objects.get().name) == (0, "New")


def test_undo_that_would_leave_a_part_without_its_whole_is_refused(client: Client) -> None:
    rename(client, "Whole", 1)
    assert client.post("/me/names/category/2/", {"name": "Part", "parent": 1, "opened": 0}).status_code == 200
    answer = client.post(f"/me/changes/{Change.objects.get(key='category 1').pk}/undo/")

    assert answer.status_code == 409
    assert "stays as it is, because category 2 is part of it." in answer.text
    assert Label.objects.filter(number=1).exists()


def test_undo_of_what_was_changed_again_is_refused(client: Client) -> None:
    rename(client, "Old")
    first = Change.objects.get().pk
    rename(client, "New")
    answer = client.post(f"/me/changes/{first}/undo/")

    assert answer.status_code == 409
    assert Label.objects.get().name == "New"


def test_undo_never_stores_the_words_for_a_note_that_was_too_long(client: Client) -> None:
    for note in ("long " * 2000, "short"):
        label = Label.objects.filter(number=125).first()
        given = {"name": "Trade", "note": note, "opened": label.revision if label else 0}
        assert client.post("/me/names/category/125/", given).status_code == 200
    refused = client.post(f"/me/changes/{Change.objects.latest('id').pk}/undo/")

    assert refused.status_code == 409
    assert "stays as it is, because its note was too long to be recorded." in refused.text
    assert Label.objects.get().note == "short"


def test_change_whose_transaction_fails_is_not_recorded(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("econweb.label_book.editing.save_labels", lambda *_labels: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.post("/me/names/category/125/", {"name": "New", "opened": 0})

    assert not Change.objects.exists()


def test_admin_and_command_record_their_changes(admin_client: Client, tmp_path: Path) -> None:
    file = tmp_path / "book.csv"
    file.write_text("kind,id,name,note,parent_id\nrelease,53,National accounts,,\n", encoding="utf-8")
    call_command("labels", "import", str(file))
    label = {"kind": "category", "number": "125", "name": "Trade Balance", "note": "", "opened": 0}
    admin_client.post("/admin/shelf/label/add/", label)
    key = Label.objects.get(number=125).pk
    admin_client.post(f"/admin/shelf/label/{key}/delete/", {"post": "yes"})

    assert [*Change.objects.order_by("id").values_list("verb", "key")] == [
        ("imported", "release 53"),
        ("added", "category 125"),
        ("deleted", "category 125"),
    ]


def test_record_keeps_the_name_of_a_deleted_account(client: Client, settings: Settings) -> None:
    settings.SIGN_IN = "password"
    user = User.objects.create_superuser("ada")
    client.force_login(user)
    rename(client, "New")
    user.delete()

    assert Change.objects.get().person == "ada"


def test_old_changes_are_deleted_with_the_next_one(client: Client, settings: Settings) -> None:
    rename(client, "Old")
    Change.objects.update(moment=timezone.now() - timedelta(days=settings.CHANGES_DAYS + 1))
    rename(client, "New")

    assert [change.title for change in Change.objects.all()] == ["New"]


def test_secrets_and_long_values_are_not_recorded() -> None:
    after = {"api_key": "k" * 32, "old_password": "x", "name": "Fine", "note": "n" * 9000, "more": "kept"}
    record_changes("ada", "made", [Edit("key", "client", "client", None, after)])
    stored = Change.objects.get().after

    assert stored == {
        "api_key": "(not recorded)",
        "old_password": "(not recorded)",
        "name": "Fine",
        "note": "(too long to be recorded)",
        "more": "kept",
    }


def test_undo_refuses_a_category_whose_parent_has_no_name(client: Client) -> None:
    rename(client, "Parent", 4)
    label = {"name": "Child", "parent": "4", "opened": 0}
    assert client.post("/me/names/category/5/", label).status_code == 200
    client.post("/me/names/category/5/", label | {"parent": "", "opened": Label.objects.get(number=5).revision})
    moved = Change.objects.order_by("-id")[0].pk
    undo_parent = Change.objects.get(key="category 4").pk
    assert client.post(f"/me/changes/{undo_parent}/undo/").status_code == 302
    refused = client.post(f"/me/changes/{moved}/undo/")

    assert refused.status_code == 409
    assert "“Child” stays as it is, because category 4 has no name yet." in refused.text
    assert Label.objects.get(number=5).parent is None
    assert undo_newest(client) == 302
    assert client.post(f"/me/changes/{moved}/undo/").status_code == 302
    assert Label.objects.get(number=5).parent == 4
