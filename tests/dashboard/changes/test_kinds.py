"""The kinds of the record of changes, in links and in the menu."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from econweb.dashboard.changes.query import PARSERS
from tests.dashboard.changes.test_changes import rename
from tests.dashboard.reading import words

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/changes/", "/changes/record.csv"])
def test_changes_refuse_an_unknown_kind(client: Client, path: str) -> None:
    """The page was empty, and the menu said “All”."""
    page = client.get(f"{path}?kind=zz")

    assert page.status_code == 400
    assert "Kind: “zz” is not known. Choose: name, saved view, frozen copy, watch," in page.text


def test_menu_names_a_kind_that_nothing_is_of(client: Client) -> None:
    rename(client, "Zinc")
    page = client.get("/changes/?kind=role")

    assert words(page, "//select[@name='kind']/option") == ["All", "Name", "Role"]
    assert words(page, "//option[@selected]") == ["Role"]


def test_links_take_every_kind_that_the_program_records() -> None:
    package = Path(settings.BASE_DIR, "econweb")
    texts = [file.read_text(encoding="utf-8") for file in package.rglob("*.py")]
    kinds = {kind for text in texts for kind in re.findall(r'(?:\bEdit\(|^KIND = )"([\w ]+)"', text, re.MULTILINE)}

    assert len(kinds) > 8
    assert [PARSERS["kind"](kind, "kind") for kind in sorted(kinds)] == sorted(kinds)
