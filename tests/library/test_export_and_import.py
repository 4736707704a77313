"""The library as a file: equal after the round trip with each database, and imported as a whole or not at all."""

import io
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Model
from django.db.models.signals import pre_save
from pytest_django import Settings

from econweb.library import import_file
from econweb.library.file_format import CopyLine, ViewLine
from econweb.library.freezing import freeze
from econweb.library.models import Body, FrozenCopy, SavedView
from econweb.library.saved_views import Entry, save
from tests.library.builders import ADA, DRAFT, TARGET, a_content, a_saved_view, a_tag
from tests.library.exported import EXPORTED, changed, export, import_, refusal, rows

pytestmark = pytest.mark.django_db


def test_library_is_equal_after_the_round_trip(tmp_path: Path) -> None:
    said = [import_(tmp_path, EXPORTED.read_bytes()) for _ in range(2)]

    assert said == [
        "2 saved views and 3 frozen copies were stored; 0 were here already.\n",
        "0 saved views and 0 frozen copies were stored; 5 were here already.\n",
    ]
    assert export(tmp_path) == EXPORTED.read_bytes()


def test_what_people_keep_is_equal_after_the_round_trip(tmp_path: Path) -> None:
    freeze(ADA, DRAFT, a_content(a_tag("zürich \u2028", notes='A "note"\n'), view=[], target=f"{TARGET}?tag_names=x"))
    freeze(ADA, DRAFT, a_content())
    save(ADA, "tags", TARGET, Entry("Zürich", "", "me", is_pinned=False))
    exported = export(tmp_path)
    for model in (SavedView, FrozenCopy, Body):
        model.objects.all().delete()

    import_(tmp_path, exported)
    assert export(tmp_path) == exported
    assert rows() == [1, 2, 2]


def test_export_that_fails_leaves_the_earlier_file(tmp_path: Path) -> None:
    a_saved_view().save()
    good = export(tmp_path)
    a_saved_view(slug="wrong", title="").save()
    with pytest.raises(CommandError) as refused:
        export(tmp_path)

    assert str(refused.value) == (
        "The export stopped. Saved view wrong of ada: Its field title is invalid. Expected `str` of length >= 1."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["library.jsonl"]
    assert (tmp_path / "library.jsonl").read_bytes() == good


def test_export_that_fails_says_nothing_of_what_standard_output_has(monkeypatch: pytest.MonkeyPatch) -> None:
    freeze(ADA, DRAFT, a_content())
    a_saved_view(title="").save()
    taken = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", taken)
    with pytest.raises(CommandError, match=r"^The export stopped\. Saved view trade of ada: "):
        call_command("library", "export", "-")

    assert taken.buffer.getvalue()


def test_export_to_a_link_writes_the_file_behind_it(tmp_path: Path) -> None:
    import_(tmp_path, EXPORTED.read_bytes())
    (tmp_path / "library.jsonl").symlink_to(tmp_path / "disk.jsonl")

    assert export(tmp_path) == (tmp_path / "disk.jsonl").read_bytes() == EXPORTED.read_bytes()
    assert (tmp_path / "library.jsonl").is_symlink()


def test_export_to_a_full_device_is_refused_in_one_sentence() -> None:
    with pytest.raises(CommandError, match=r"^/dev/full cannot be written: No space left on device\.$"):
        call_command("library", "export", "/dev/full")
    assert Path("/dev/full").is_char_device()


def test_export_says_how_many_it_wrote(tmp_path: Path) -> None:
    import_(tmp_path, EXPORTED.read_bytes())
    said, file = io.StringIO(), tmp_path / "written.jsonl"
    call_command("library", "export", str(file), stdout=said)

    assert said.getvalue() == f"2 saved views and 3 frozen copies were written to {file}.\n"


@pytest.mark.parametrize("is_there", [False, True])
def test_exported_file_is_private(tmp_path: Path, is_there: bool) -> None:
    if is_there:
        (tmp_path / "library.jsonl").touch(0o644)
    export(tmp_path)

    assert (tmp_path / "library.jsonl").stat().st_mode & 0o777 == 0o600


def test_standard_streams_take_the_place_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    given, taken = io.TextIOWrapper(io.BytesIO(EXPORTED.read_bytes())), io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdin", given)
    call_command("library", "import", "-", stdout=io.StringIO())
    monkeypatch.setattr(sys, "stdout", taken)
    call_command("library", "export", "-")

    assert taken.buffer.getvalue() == EXPORTED.read_bytes()


@pytest.mark.parametrize(("model", "line"), [(FrozenCopy, CopyLine), (SavedView, ViewLine)])
def test_every_field_is_exported(model: type[Model], line: type[CopyLine | ViewLine]) -> None:
    assert [field.attname for field in model._meta.concrete_fields] == list(line.__struct_fields__)


def test_no_secret_of_the_site_is_exported(tmp_path: Path, settings: Settings) -> None:
    settings.ECON_API_KEY = "0123456789abcdef0123456789abcdef"
    freeze(ADA, DRAFT, a_content())
    exported = export(tmp_path)

    for secret in (settings.ECON_API_KEY, settings.SECRET_KEY, settings.CATALOGUE_OWN_KEY):
        assert secret.encode() not in exported


@pytest.mark.parametrize("kept", range(8))
def test_cut_file_is_refused(tmp_path: Path, kept: int) -> None:
    lines = EXPORTED.read_bytes().splitlines(keepends=True)

    assert refusal(tmp_path, b"".join(lines[:kept])).endswith("so it is not complete.")
    assert refusal(tmp_path, b"".join(lines[:kept]) + lines[kept][:-20]).startswith(f"Line {kept + 1}: ")


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"ada", b"bob"), (b"Trade", b"Grade"), (b'"is_pinned":true', b'"is_pinned":false'), (b"12:00:00Z", b"13:00:00Z")],
)
def test_changed_file_is_refused(tmp_path: Path, old: bytes, new: bytes) -> None:
    content = EXPORTED.read_bytes().replace(old, new, 1)

    assert refusal(tmp_path, content) == "Line 8: The lines before it are not those that were exported."


@pytest.mark.parametrize("content", [b"", b"\n", b"\x1f\x8b\x08\x00", b"\xff\xfe", b"[" * 100_000, b"{}", b"kind,id\n"])
def test_other_file_is_refused(tmp_path: Path, content: bytes) -> None:
    assert refusal(tmp_path, content).startswith("Line 1: ")


def test_missing_field_is_refused(tmp_path: Path) -> None:
    said = refusal(tmp_path, changed(7, lambda row: row.pop("person")))

    assert said == "Line 7: Object missing required field `person`."


def test_view_that_is_saved_during_the_import_is_kept(tmp_path: Path) -> None:
    """PostgreSQL lets another person save a view between the look at the name and the new row."""

    def save_first(instance: SavedView, **_: object) -> None:
        SavedView.objects.bulk_create([a_saved_view(slug=instance.slug)])

    pre_save.connect(save_first, SavedView)
    said = refusal(tmp_path, EXPORTED.read_bytes())
    pre_save.disconnect(save_first, SavedView)

    assert said == "Line 6: Somebody has just saved a view under this name. Import the file again."


def test_nothing_follows_the_last_line(tmp_path: Path) -> None:
    assert refusal(tmp_path, EXPORTED.read_bytes() + b"\n") == "Line 9: It comes after the last line."


def test_long_line_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_file, "MAX_LINE_BYTES", 500)

    assert refusal(tmp_path, EXPORTED.read_bytes()) == "Line 3: It has more than 500 bytes."


def test_import_keeps_to_the_bounds_of_the_site(tmp_path: Path, settings: Settings) -> None:
    settings.LIBRARY_MAX_MB = 0
    assert refusal(tmp_path, EXPORTED.read_bytes()).startswith("Line 3: The library would have more than 0 MB.")
    settings.LIBRARY_MAX_MB, settings.ECON_MAY_STORE = 1, False
    assert refusal(tmp_path, EXPORTED.read_bytes()).startswith("Line 3: It has content of the service")


def test_content_that_no_page_can_show_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_file, "MAX_BODY_BYTES", 10)

    assert refusal(tmp_path, EXPORTED.read_bytes()) == "Line 3: The content of a copy has more than 1 MiB."


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("library", "import", str(tmp_path / "none.jsonl"))


def test_file_that_may_not_be_opened_leads_to_the_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, *_: object) -> int:
        raise PermissionError(13, "Permission denied", name)

    monkeypatch.setattr("econweb.management.whole_file.os.open", refuse)
    with pytest.raises(
        CommandError, match=r"may not write library\.jsonl or beside it\. With - in its place your shell opens"
    ):
        call_command("library", "export", "library.jsonl")
