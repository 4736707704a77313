"""Rows of an imported library that are here already: they stay, and one with other values is refused."""

from datetime import date
from pathlib import Path

import pytest
from django.utils import timezone

from econweb.library.copies import sweep
from econweb.library.freezing import freeze
from econweb.library.models import Body, FrozenCopy, SavedView
from tests.library.builders import ADA, DRAFT, a_content, a_saved_view, a_tag
from tests.library.exported import EXPORTED, export, import_, refusal, rows, whole

pytestmark = pytest.mark.django_db


def test_second_import_stores_nothing(tmp_path: Path) -> None:
    import_(tmp_path, EXPORTED.read_bytes())

    assert import_(tmp_path, EXPORTED.read_bytes()).startswith("0 saved views and 0 frozen copies were stored")
    assert rows() == [2, 1, 3]


def test_view_that_was_opened_since_the_export_is_here_already(tmp_path: Path) -> None:
    import_(tmp_path, EXPORTED.read_bytes())
    opened = date(2026, 3, 9)
    SavedView.objects.update(opened=opened)

    assert import_(tmp_path, EXPORTED.read_bytes()).startswith("0 saved views and 0 frozen copies were stored")
    assert {*SavedView.objects.values_list("opened", flat=True)} == {opened}


def test_copy_that_the_site_emptied_since_the_export_is_here_already(tmp_path: Path) -> None:
    over, lost = freeze(ADA, DRAFT, a_content()), freeze(ADA, DRAFT, a_content(a_tag("japan")))
    FrozenCopy.objects.filter(pk=over.pk).update(expires=timezone.now())
    whole_file = export(tmp_path)
    FrozenCopy.objects.filter(pk=lost.pk).delete()
    sweep()

    assert import_(tmp_path, whole_file).startswith("0 saved views and 1 frozen copy were stored")
    assert FrozenCopy.objects.get(pk=over.pk).body is None
    assert FrozenCopy.objects.get(pk=lost.pk).body


def test_file_of_after_the_sweep_leaves_the_content_of_an_older_backup(tmp_path: Path) -> None:
    over = freeze(ADA, DRAFT, a_content())
    FrozenCopy.objects.update(expires=timezone.now())
    content = Body.objects.get()
    sweep()
    whole_file = export(tmp_path)
    content.save(force_insert=True)
    FrozenCopy.objects.update(body=content)

    import_(tmp_path, whole_file)
    assert FrozenCopy.objects.get(pk=over.pk).body == content


def test_copy_without_its_content_is_another_one_until_it_expires(tmp_path: Path) -> None:
    freeze(ADA, DRAFT, a_content())
    whole_file = export(tmp_path)
    FrozenCopy.objects.update(body=None)

    assert "is here already, with other values" in refusal(tmp_path, whole_file)


def test_import_over_a_row_that_breaks_the_rules_is_refused(tmp_path: Path) -> None:
    a_saved_view(title="").save()

    said = refusal(tmp_path, EXPORTED.read_bytes())
    assert said == "Line 7: The saved view trade is here already, with other values."


def test_other_row_of_the_same_name_is_refused(tmp_path: Path) -> None:
    a_saved_view(title="Another").save()

    said = refusal(tmp_path, EXPORTED.read_bytes())
    assert said == "Line 7: The saved view trade is here already, with other values."


def test_row_twice_is_stored_once_and_another_one_refused(tmp_path: Path) -> None:
    lines = EXPORTED.read_bytes().splitlines()[:-1]

    assert "is here already" in refusal(tmp_path, whole([*lines, lines[6].replace(b"First", b"Worst")]))
    import_(tmp_path, whole([*lines, lines[6]]))
    assert rows() == [2, 1, 3]
