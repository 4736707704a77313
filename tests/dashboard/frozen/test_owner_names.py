"""A frozen copy keeps the name that its category or release had at the freezing."""

import importlib
import io
from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from econweb.accounts.models import Change
from econweb.label_book.editing import save_name
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.library.models import Body, FrozenCopy
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.sharing.crate import read_crate
from tests.fake_service import FakeService, tags_of
from tests.library.exported import export, import_

pytestmark = pytest.mark.django_db
SUFFIXES = ("txt", "bib", "ris", "csl", "csv", "json", "zip")


@pytest.fixture
def path(client: Client, stand_in: FakeService) -> str:
    """The path of a copy whose release is named."""
    stand_in.has("release", 53, tags_of(5))
    save_labels([Label(kind="release", number=53, name="Gross Domestic Product")])
    return freeze(client, "/release/53/tags/", title="Table 2").rstrip("/")


def rename(name: str) -> None:
    stored = Label.objects.get(kind="release", number=53)
    save_name("eve", Label(kind="release", number=53, name=name), stored.revision)


def read(client: Client, path: str) -> list[bytes]:
    return [client.get(f"{path}.{suffix}").getvalue() for suffix in SUFFIXES]


def test_citation_and_pack_keep_the_name_of_the_freezing(client: Client, path: str) -> None:
    before = read(client, path)
    rename("National accounts")

    assert ". Release 53, Gross Domestic Product: 5 rows as of " in client.get(f"{path}.txt").text
    assert read(client, path) == before
    page = client.get(f"{path}/").text
    assert "Gross Domestic Product" in page
    assert "National accounts" not in page
    files, _ = read_crate(client.get(f"{path}.zip").getvalue())
    assert not [name for name, text in files.items() if b"National accounts" in text]


def test_name_that_is_given_later_is_not_that_of_the_copy(client: Client, path: str) -> None:
    FrozenCopy.objects.update(owner_name="")

    assert "]. Release 53: 5 rows as of " in client.get(f"{path}.txt").text


def test_name_goes_with_the_library(client: Client, path: str, tmp_path: Path) -> None:
    before, exported = client.get(f"{path}.txt").text, export(tmp_path)
    FrozenCopy.objects.all().delete()
    Body.objects.all().delete()
    rename("National accounts")
    import_(tmp_path, exported)

    assert client.get(f"{path}.txt").text == before
    call_command("library", "verify", stdout=io.StringIO())


def test_file_of_an_earlier_version_changes_no_name(client: Client, path: str, tmp_path: Path) -> None:
    FrozenCopy.objects.update(owner_name="")
    exported = export(tmp_path)
    FrozenCopy.objects.update(owner_name="Gross Domestic Product")

    assert b"owner_name" not in exported
    assert import_(tmp_path, exported).startswith("0 saved views and 0 frozen copies were stored")
    assert FrozenCopy.objects.get().owner_name == "Gross Domestic Product"


@pytest.mark.parametrize("is_renamed", [False, True])
def test_upgrade_gives_earlier_copies_the_first_known_name_since_their_freezing(path: str, is_renamed: bool) -> None:
    FrozenCopy.objects.update(owner_name="", created=timezone.now() - timedelta(days=3))
    if is_renamed:
        for name in ("National accounts", "Accounts"):
            rename(name)
    # A change before the freezing says nothing.
    Change.objects.create(moment=timezone.now() - timedelta(days=9), kind="name", key="release 53", before_json="{}")
    migration = importlib.import_module("econweb.library.migrations.0004_owner_name")
    migration.keep_names(apps, None)

    assert FrozenCopy.objects.get().owner_name == "Gross Domestic Product"


def test_copy_that_an_earlier_version_inserts_has_no_name(path: str) -> None:
    """During an upgrade a process of the earlier version knows nothing of the column."""
    fields = [one.attname for one in FrozenCopy._meta.concrete_fields if one.attname != "owner_name"]
    names, values = ", ".join(fields), ", ".join("'0000000000009'" if one == "id" else one for one in fields)
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO library_frozencopy ({names}) SELECT {values} FROM library_frozencopy")  # noqa: S608

    assert FrozenCopy.objects.get(pk="0000000000009").owner_name == ""
