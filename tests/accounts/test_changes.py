"""The content of the record of changes: cut, and without secrets."""

import getpass
from datetime import timedelta
from typing import Any, NoReturn

import pytest
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts.changes import MAX_STATE_BYTES, Edit, at_command_line, record_changes
from econweb.accounts.models import Change

pytestmark = pytest.mark.django_db
EDIT = Edit("name", "category/125", "Trade", None, {"text": "Trade"})


def recorded(edit: Edit, person: str = "ada", reason: str = "") -> dict[str, Any]:
    assert record_changes(person, "changed", [edit], reason) == 1
    return {**Change.objects.values().get()}


@pytest.mark.parametrize("error", [KeyError, OSError])
def test_person_without_a_name_is_somebody(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    def refuse() -> NoReturn:
        raise error

    monkeypatch.setattr(getpass, "getuser", lambda: "ada")
    named = at_command_line()
    monkeypatch.setattr(getpass, "getuser", refuse)

    assert (named, at_command_line()) == ("ada at the command line", "somebody at the command line")


def test_edit_that_changes_nothing_is_not_recorded() -> None:
    assert record_changes("ada", "changed", [EDIT._replace(before=EDIT.after), EDIT]) == 1


@pytest.mark.parametrize("name", ["password", "Secret", "api_key", "token", "digest", "new_password"])
def test_secret_is_not_recorded(name: str) -> None:
    state = recorded(EDIT._replace(after={name: "word", "text": "Trade"}))

    assert state["before_json"] is None
    assert state["after_json"] == f'{{"{name}": "(not recorded)", "text": "Trade"}}'


def test_count_of_ended_tokens_is_no_secret() -> None:
    state = recorded(EDIT._replace(before={"tokens": 1}, after={"tokens": 0}))

    assert (state["before_json"], state["after_json"]) == ('{"tokens": 1}', '{"tokens": 0}')


def test_long_value_is_not_recorded() -> None:
    fitting = MAX_STATE_BYTES - len('{"text": ""}')
    whole = recorded(EDIT._replace(after={"text": "w" * fitting}))
    Change.objects.all().delete()
    cut = recorded(EDIT._replace(after={"text": "w" * (fitting + 1), "more": "é"}))

    assert len(whole["after_json"]) == MAX_STATE_BYTES == 8192
    assert cut["after_json"] == '{"text": "(too long to be recorded)", "more": "é"}'


def test_value_in_another_script_is_measured_as_it_is_stored() -> None:
    fitting = (MAX_STATE_BYTES - len('{"text": ""}')) // len("д".encode())

    assert recorded(EDIT._replace(after={"text": "д" * fitting}))["after_json"] == f'{{"text": "{"д" * fitting}"}}'


def test_long_words_are_cut() -> None:
    row = recorded(EDIT._replace(title="t" * 201), "p" * 151, "r" * 501)

    assert [len(row[name]) for name in ("title", "person", "reason")] == [200, 150, 500]


def test_record_is_forgotten_after_the_days_of_the_setting(settings: Settings) -> None:
    settings.CHANGES_DAYS = 30
    for days in (29, 31):
        record_changes(str(days), "changed", [EDIT])
        Change.objects.filter(person=str(days)).update(moment=timezone.now() - timedelta(days=days))
    record_changes("ada", "changed", [EDIT])

    assert sorted(Change.objects.values_list("person", flat=True)) == ["29", "ada"]
