"""Names that come with a catalogue: they replace each other, and never what somebody has entered."""

import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from econweb.catalogue.loading import load as loading
from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.label_book.storing import offer_labels, save_labels
from econweb.label_book.tree import stored_parents
from econweb.startup.supplied_labels import NOTES, mark_edited_labels, sample_labels
from tests.builders import a_series, write_catalogue

pytestmark = pytest.mark.django_db


def load(folder: Path, categories: list[tuple[int, str, str]], release: str = "Output") -> None:
    folder.mkdir(exist_ok=True)
    write_catalogue(folder, series=[a_series()], releases=[{"release_id": "53", "name": release}])
    rows = [f'{number},"{name}",{parent}\n' for number, name, parent in categories]
    (folder / "categories.csv").write_text("category_id,name,parent_id\n" + "".join(rows), encoding="utf-8")
    call_command("load_catalogue", str(folder), stdout=StringIO())


def book() -> dict[tuple[str, int], str]:
    return {(one.kind, one.number): one.name for one in Label.objects.all()}


def test_load_of_a_catalogue_replaces_the_names_of_the_one_before(tmp_path: Path) -> None:
    offer_labels(sample_labels())
    load(tmp_path / "a", [(1, "Root", ""), (125, "Fish", "1")])

    assert book() == {("category", 1): "Root", ("category", 125): "Fish", ("release", 53): "Output"}
    assert stored_parents() == {1: None, 125: 1}
    assert not Label.objects.exclude(note="").exists()


def test_load_of_a_catalogue_keeps_edited_names(tmp_path: Path, admin_client: Client) -> None:
    load(tmp_path / "a", [(1, "Root", ""), (2, "Leaf", "1"), (3, "Gone", "")])
    leaf = Label.objects.get(kind="category", number=2)
    edit = {"kind": "category", "number": 2, "name": "My leaf", "note": "", "parent": "", "opened": leaf.revision}
    assert admin_client.post(f"/admin/shelf/label/{leaf.pk}/change/", edit).status_code == 302
    (tmp_path / "book.csv").write_text("kind,id,name,note,parent_id\nrelease,53,My output,,\n", encoding="utf-8")
    call_command("labels", "import", str(tmp_path / "book.csv"), stdout=StringIO())

    # The file turns the tree round, so that 1 cannot be put below 2.
    load(tmp_path / "b", [(1, "New root", "2"), (2, "New leaf", "")], release="New output")

    assert book() == {("category", 1): "New root", ("category", 2): "My leaf", ("release", 53): "My output"}
    assert stored_parents() == {1: 2, 2: None}


@pytest.mark.parametrize(
    ("service", "said"),
    [("", "\n172 names that were edited or imported are kept.\n"), ("https://data.example.org", "")],
)
def test_load_of_a_catalogue_says_how_many_names_it_keeps(
    service: str, said: str, tmp_path: Path, settings: Settings
) -> None:
    """The file is an export that nobody has changed."""
    settings.ECON_BASE_URL, output = service, StringIO()
    call_command("labels", "import", "--sample", stdout=StringIO())
    call_command("labels", "export", str(tmp_path / "book.csv"), stdout=StringIO())
    call_command("labels", "import", str(tmp_path / "book.csv"), stdout=StringIO())
    write_catalogue(tmp_path, series=[a_series()], categories=[{"category_id": "1", "name": "Own"}])

    call_command("load_catalogue", str(tmp_path), stdout=output)

    assert output.getvalue().partition(" are loaded.")[2].rstrip() == said.rstrip()
    assert Label.objects.get(kind="category", number=1).name == "Production & Business Activity"


@pytest.mark.parametrize(
    ("categories", "words"),
    [
        ([(1, "a", ""), (2, "b", "9")], "categories.csv, line 3, parent_id: is not in the file"),
        ([(1, "a\nb", ""), (2, "c", "3"), (3, "d", "2")], "categories.csv, line 4, parent_id: makes c part of itself"),
        ([(1, "a", "x")], "categories.csv, line 2, parent_id: .x. is not a whole number"),
    ],
)
def test_catalogue_with_an_impossible_parent_is_refused_with_the_line(
    tmp_path: Path, categories: list[tuple[int, str, str]], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        load(tmp_path / "a", categories)
    assert not Label.objects.exists()


def test_only_categories_in_a_circle_are_reported_as_part_of_themselves(tmp_path: Path) -> None:
    below, circle = [(4, "d", "3"), (3, "c", "1")], [(1, "a", "2"), (2, "b", "1"), (5, "e", "5")]
    with pytest.raises(CommandError) as refused:
        load(tmp_path / "a", [*below, *circle])

    assert re.findall(r"line (\d+), parent_id: makes (\w) part of itself", str(refused.value)) == [
        ("4", "a"),
        ("5", "b"),
        ("6", "e"),
    ]


def test_catalogue_without_parents_loads_as_before(tmp_path: Path) -> None:
    write_catalogue(tmp_path, series=[a_series()], categories=[{"category_id": "7", "name": "Flat"}])
    call_command("load_catalogue", str(tmp_path), stdout=StringIO())

    assert stored_parents() == {7: None}


def test_dry_run_changes_no_names() -> None:
    call_command("load_catalogue", str(loading.SAMPLE), "--dry-run", stdout=StringIO())

    assert not Label.objects.exists()


def test_sample_has_a_tree_without_loose_ends() -> None:
    call_command("labels", "import", "--sample", stdout=StringIO())
    tree, categories = labels.category_tree(), [label for label in sample_labels() if label.kind == "category"]

    assert [label.number for label in tree.top] == [0]
    assert tree.count_below(0) == len(categories) - 1
    assert [label.name for label in tree.path(125)] == [
        "Categories",
        "National Accounts",
        "U.S. Trade & International Transactions",
    ]
    assert {note for note in Label.objects.values_list("note", flat=True) if note} == {*NOTES.values()}


def test_import_of_the_sample_says_how_many_names_are_new(capsys: pytest.CaptureFixture[str]) -> None:
    for new in (172, 0):
        call_command("labels", "import", "--sample")
        assert capsys.readouterr().out == f"172 names of the sample were read; {new} of them are new.\n"


def test_labels_of_an_earlier_version_count_as_edited_unless_they_are_the_samples() -> None:
    save_labels([*sample_labels(), Label(kind="category", number=4711, name="Entered by hand")])
    Label.objects.filter(kind="category", number=125).update(name="Changed by hand")
    Label.objects.update(is_edited=None)
    mark_edited_labels()

    assert {*Label.objects.filter(is_edited=True).values_list("number", flat=True)} == {125, 4711}
    assert not Label.objects.filter(is_edited=None).exists()


def test_catalogue_that_an_earlier_version_loaded_brings_its_names_at_the_start(tmp_path: Path) -> None:
    load(tmp_path / "a", [(1, "Root", ""), (125, "Fish", "1")])
    Label.objects.all().delete()
    save_labels([*sample_labels(), Label(kind="category", number=1, name="Entered by hand")])
    Label.objects.update(is_edited=None)
    mark_edited_labels()

    assert book() == {("category", 1): "Entered by hand", ("category", 125): "Fish", ("release", 53): "Output"}


def test_load_beside_another_service_leaves_names_alone(tmp_path: Path, settings: Settings) -> None:
    settings.ECON_BASE_URL = "https://data.example.org"
    load(tmp_path / "a", [(1, "Root", "")])

    assert book() == {}


def test_edited_parent_stays_over_loads_of_catalogues(tmp_path: Path) -> None:
    """A category without its parent is at the top until a catalogue has it again."""
    load(tmp_path / "a", [(1, "Root", ""), (7, "Branch", "1"), (8, "Leaf", "1")])
    (tmp_path / "book.csv").write_text("kind,id,name,note,parent_id\ncategory,8,My leaf,,7\n", encoding="utf-8")
    call_command("labels", "import", str(tmp_path / "book.csv"), stdout=StringIO())
    load(tmp_path / "b", [(1, "Root", ""), (8, "Leaf", "1")])
    without = labels.category_tree().path(8)
    load(tmp_path / "c", [(1, "Root", ""), (7, "Branch", "1")])

    assert without == []
    assert [label.name for label in labels.category_tree().path(8)] == ["Root", "Branch"]
