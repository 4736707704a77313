"""Categories form a tree: what the book refuses, and what it finds in the tree."""

from collections.abc import Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from econweb.label_book import files
from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.label_book.storing import offer_labels, save_labels
from econweb.label_book.tree import find_circles, stored_parents

pytestmark = pytest.mark.django_db
HEAD = "kind,id,name,note,parent_id\n"


def import_text(tmp_path: Path, text: str, *before: str, after: Sequence[str] = ()) -> None:
    """Import a text, with options before the file or after it."""
    (tmp_path / "book.csv").write_text(text, encoding="utf-8")
    call_command("labels", "import", *before, str(tmp_path / "book.csv"), *after, stdout=StringIO())


def of_parents(parents: dict[int, int | None]) -> str:
    rows = (f"category,{number},Name {number},,{'' if above is None else above}\n" for number, above in parents.items())
    return HEAD + "".join(rows)


def book() -> dict[tuple[str, int], tuple[str, int | None]]:
    return {(one.kind, one.number): (one.name, one.parent) for one in Label.objects.all()}


def test_label_file_round_trip_keeps_the_tree(tmp_path: Path) -> None:
    import_text(tmp_path, of_parents({1: None, 2: 1, 3: 2}) + "release,53,Output,,\n")
    before = book()
    call_command("labels", "export", str(tmp_path / "again.csv"), stdout=StringIO())
    Label.objects.all().delete()
    call_command("labels", "import", str(tmp_path / "again.csv"), stdout=StringIO())

    assert book() == before
    assert stored_parents() == {1: None, 2: 1, 3: 2}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (of_parents({1: 1}), "Line 2, parent_id: category 1 is itself part of category 1."),
        (of_parents({5: None, 1: 3, 2: 1, 3: 2}), "Line 3, parent_id: category 3 is itself part of category 1."),
        (of_parents({1: None, 2: 4}), "Line 3, parent_id: category 4 has no name yet."),
        (HEAD + "category,1,a,,\nrelease,53,b,,1\n", "Line 3, parent_id: only a category has a parent."),
        (HEAD + "category,1,a,,x\n", "Line 2, parent_id: it is not a whole number"),
        (HEAD + "category,1,a,,-1\n", "Line 2, parent_id: it is not a whole number"),
        (HEAD + "category,1,a,,1234567890\n", "Line 2, parent_id: it is not a whole number"),
        (HEAD + "category,1,a,\n", "Line 2: it does not have 5 columns."),
    ],
)
def test_file_with_an_impossible_parent_is_refused_with_the_line(tmp_path: Path, text: str, words: str) -> None:
    save_labels([Label(kind="category", number=9, name="Kept")])

    with pytest.raises(CommandError, match=words):
        import_text(tmp_path, text)
    assert book() == {("category", 9): ("Kept", None)}


def test_parent_may_be_in_the_book_or_further_down_in_the_file(tmp_path: Path) -> None:
    save_labels([Label(kind="category", number=9, name="Kept")])
    import_text(tmp_path, of_parents({1: 2, 2: 9}))

    assert stored_parents() == {9: None, 1: 2, 2: 9}


def test_circle_through_stored_labels_is_refused(tmp_path: Path) -> None:
    import_text(tmp_path, of_parents({1: None, 2: 1}))

    with pytest.raises(CommandError, match="Line 2, parent_id: category 2 is itself part of category 1"):
        import_text(tmp_path, of_parents({1: 2}))
    assert stored_parents() == {1: None, 2: 1}


def test_file_of_four_columns_leaves_parents_as_they_are(tmp_path: Path) -> None:
    import_text(tmp_path, of_parents({1: None, 2: 1}))
    import_text(tmp_path, "kind,id,name,note\ncategory,2,New,\nrelease,2,Other,\n")

    assert book()["category", 2] == ("New", 1)
    assert book()["release", 2] == ("Other", None)


def test_replacing_file_of_four_columns_keeps_the_parents_that_it_names(tmp_path: Path) -> None:
    import_text(tmp_path, of_parents({1: None, 2: 1, 3: 2, 4: 3}))
    import_text(tmp_path, "kind,id,name,note\ncategory,4,Leaf,\ncategory,2,Branch,\ncategory,1,Root,\n", "--replace")

    # The parent of 4 has no name any more.
    assert stored_parents() == {1: None, 2: 1, 4: None}


def test_replacing_import_deletes_all_other_labels(tmp_path: Path) -> None:
    import_text(tmp_path, of_parents({1: None, 2: 1}))

    with pytest.raises(CommandError, match="Line 2, parent_id: category 1 has no name yet"):
        import_text(tmp_path, of_parents({3: 1}), "--replace")
    import_text(tmp_path, of_parents({3: None}), "--replace")
    assert book() == {("category", 3): ("Name 3", None)}
    import_text(tmp_path, of_parents({4: None}), after=["--replace"])
    assert book() == {("category", 4): ("Name 4", None)}


@pytest.mark.parametrize(
    "words",
    [["import"], ["export"], ["import", "--replace"], ["import", "a.csv", "--sample"], ["export", "--sample"]],
)
def test_labels_command_with_contradicting_arguments_is_refused(words: list[str]) -> None:
    with pytest.raises(CommandError, match=r"file|FILE\.csv|unrecognized arguments: --sample"):
        call_command("labels", *words)


some_parents = st.dictionaries(st.integers(0, 6), st.none() | st.integers(0, 7), min_size=1)


@given(st.lists(st.tuples(some_parents, st.booleans()), max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_no_import_can_make_a_circle_or_an_unknown_parent(
    tmp_path: Path, imports: list[tuple[dict[int, int | None], bool]]
) -> None:
    Label.objects.all().delete()
    for parents, is_offered in imports:
        if is_offered:
            offered = (Label(kind="category", number=n, name=f"Name {n}", parent=above) for n, above in parents.items())
            offer_labels(offered)
        else:
            with suppress(CommandError):
                import_text(tmp_path, of_parents(parents))
        stored = stored_parents()
        assert find_circles(stored) == set()
        assert {above for above in stored.values() if above is not None} <= stored.keys()


def test_tree_has_children_paths_and_counts() -> None:
    parents = {1: None, 2: 1, 3: 1, 4: 3, 5: 4, 6: 77}
    save_labels(Label(kind="category", number=n, name=f"Name {-n}", parent=up) for n, up in parents.items())
    tree = labels.category_tree()

    # 77 has no name, for example because its label was deleted.
    assert [label.number for label in tree.top] == [1, 6]
    assert [label.number for label in tree.children(1)] == [2, 3]
    assert [label.number for label in tree.path(5)] == [1, 3, 4]
    assert [tree.count_below(number) for number in (1, 3, 5, 77)] == [4, 2, 0, 0]


def test_circle_that_two_editors_stored_is_cut_open() -> None:
    parents = {1: 2, 2: 1, 3: 2}
    save_labels(Label(kind="category", number=n, name=f"Name {n}", parent=up) for n, up in parents.items())
    tree = labels.category_tree()

    assert [label.number for label in tree.top] == [1, 2]
    assert tree.path(3) == [labels.get_label("category", 2)]


def test_category_0_is_the_root_of_all_others() -> None:
    """Categories without a parent were beside it."""
    parents = {0: 4, 1: None, 2: 1, 3: 77, 4: 0, 5: 6, 6: 5}
    save_labels(Label(kind="category", number=n, name=f"Name {n}", parent=up) for n, up in parents.items())
    tree = labels.category_tree()

    assert [label.number for label in tree.top] == [0]
    assert [label.number for label in tree.children(0)] == [1, 3, 4, 5, 6]
    assert [label.number for label in tree.path(2)] == [0, 1]
    assert tree.count_below(0) == 6


def test_deep_tree_is_built_without_recursion() -> None:
    save_labels(Label(kind="category", number=n, name="x", parent=n - 1 if n else None) for n in range(3000))

    assert len(labels.category_tree().path(2999)) == 2999


def test_export_leaves_out_parents_that_were_deleted(tmp_path: Path) -> None:
    save_labels([Label(kind="category", number=2, name="Orphan", parent=77)])
    call_command("labels", "export", str(tmp_path / "book.csv"), stdout=StringIO())

    with (tmp_path / "book.csv").open(encoding="utf-8", newline="") as file:
        assert len(files.read_labels(file)) == 1


@pytest.mark.parametrize(
    ("kind", "number", "parent", "words"),
    [
        ("category", 1, 2, "Category 2 is itself part of category 1."),
        ("category", 3, 99, "Category 99 has no name yet."),
        ("release", 53, 1, "Only a category has a parent."),
        ("category", 3, 1, ""),
    ],
)
def test_admin_checks_the_parent(admin_client: Client, kind: str, number: int, parent: int, words: str) -> None:
    numbers = {1: None, 2: 1}
    save_labels(Label(kind="category", number=n, name=f"Name {n}", parent=up) for n, up in numbers.items())
    stored = Label.objects.filter(kind=kind, number=number).first()
    path = f"/admin/shelf/label/{stored.pk}/change/" if stored else "/admin/shelf/label/add/"
    opened = stored.revision if stored else 0
    entered = {"kind": kind, "number": number, "name": "Name", "note": "", "parent": parent, "opened": opened}
    answer = admin_client.post(path, entered)

    assert words in answer.content.decode()
    assert (answer.status_code == 302) == (not words)
    assert (labels.get_label(kind, number) or Label()).parent == (parent if not words else None)
