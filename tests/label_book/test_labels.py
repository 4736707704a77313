"""The label book: found by words, taken in and out as CSV."""

import io
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, OperationalError

from econweb.label_book import files
from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.processor_time import processor_seconds

pytestmark = pytest.mark.django_db


def a_label(number: int, name: str, kind: str = "category") -> Label:
    return Label(kind=kind, number=number, name=name)


@pytest.mark.parametrize("text", ["São Paulo", "sao paulo", "PAULO são", "pau sã", "  paulo;SAO"])
def test_label_search_ignores_case_accents_and_order(text: str) -> None:
    save_labels([a_label(1, "Prices in São  Paulo"), a_label(2, "Paulownia"), a_label(3, "Saonara")])

    assert [label.number for label in labels.search(text)] == [1]


@pytest.mark.parametrize("text", ["", "  ", "%", "_", "aulo", "'", '"', "\\"])
def test_label_search_matches_prefixes_and_ignores_punctuation(text: str) -> None:
    save_labels([a_label(1, "São Paulo 50%")])

    assert labels.search(text) == []


def test_label_search_puts_shortest_name_first() -> None:
    save_labels([a_label(1, "Price index of houses"), a_label(2, "Prices"), a_label(3, "Price")])

    assert [label.number for label in labels.search("price")] == [3, 2, 1]


def test_label_search_puts_names_that_begin_with_the_text_first_and_then_with_its_first_word() -> None:
    names = ["Price of the consumer", "Consumer goods price", "Consumer price index of all consumers"]
    save_labels(a_label(number, name) for number, name in enumerate(names, 1))

    assert [label.number for label in labels.search("Consumer  price")] == [3, 2, 1]
    assert [label.number for label in labels.search("consumer prices")] == [2, 3, 1]


@pytest.mark.parametrize("text", ["consumer prices", "PRICES consumers", "Consumers' prices"])
def test_label_search_finds_the_singular_of_a_plural(text: str) -> None:
    """As the search of series does."""
    save_labels([a_label(1, "Consumer Price"), a_label(2, "Consumer Prices"), a_label(3, "Consumer Priced Goods")])

    assert {label.number for label in labels.search(text)} == {1, 2}
    assert {label.number for label in labels.alphabetical("category", text)} == {1, 2}


@pytest.mark.parametrize(("text", "is_found"), [("gas", False), ("mass", False), ("industries", False), ("cars", True)])
def test_label_search_of_a_plural_finds_no_other_word(text: str, is_found: bool) -> None:
    save_labels([a_label(1, "Car gambling mas industry")])

    assert bool(labels.search(text)) == is_found


def test_label_is_unique_by_kind_and_number() -> None:
    a_label(1, "a").save()
    a_label(1, "a", kind="release").save()

    with pytest.raises(IntegrityError):
        a_label(1, "b").save()


@pytest.mark.slow
@pytest.mark.parametrize("text", ["region 4711", "words some na", "nowhere at all", "9999"])
def test_label_search_of_ten_thousand_takes_bounded_time(text: str) -> None:
    """O1: the baseline is one plain pass over the same names in the same run."""
    names = [f"Name {n} of a region with some more words {n % 97}" for n in range(10_000)]
    save_labels(a_label(n, name) for n, name in enumerate(names))

    one_pass = processor_seconds(lambda: [name for name in names if " nowhere" in name])

    # Three words that all names have cost a pass each, and putting all of them in order as much again.
    assert processor_seconds(lambda: labels.search(text)) < 40 * one_pass


def test_label_export_and_import_round_trip(tmp_path: Path) -> None:
    save_labels([a_label(125, 'Trade, "b"'), Label(kind="release", number=53, name="é", note="two\nlines")])
    call_command("labels", "export", str(tmp_path / "book.csv"))
    before = list(Label.objects.values_list("kind", "number", "name", "note", "words"))
    Label.objects.all().delete()
    call_command("labels", "import", str(tmp_path / "book.csv"))

    assert list(Label.objects.values_list("kind", "number", "name", "note", "words")) == before


def test_label_export_of_a_note_with_a_carriage_return_can_be_imported(tmp_path: Path) -> None:
    """Python 3.11 writes it without quotation marks, and a reader takes it for the end of the row."""
    Label(kind="category", number=1, name="a", note="one\rtwo").save()
    call_command("labels", "export", str(tmp_path / "book.csv"))
    call_command("labels", "import", str(tmp_path / "book.csv"))

    assert Label.objects.get().note == "one\ntwo"


def test_label_import_stores_the_line_ends_of_a_note_as_line_feeds(tmp_path: Path) -> None:
    (tmp_path / "book.csv").write_bytes(b'kind,id,name,note\r\ncategory,1,a,"one\r\ntwo\rthree\nfour"\r\n')
    call_command("labels", "import", str(tmp_path / "book.csv"))

    assert Label.objects.get().note == "one\ntwo\nthree\nfour"


def test_label_file_has_documented_columns() -> None:
    save_labels([a_label(125, "Trade Balance")])
    file = io.StringIO()
    files.export_to(file)

    assert file.getvalue() == "kind,id,name,note,parent_id\ncategory,125,Trade Balance,,\n"


def test_label_import_replaces_existing_name(tmp_path: Path) -> None:
    save_labels([a_label(125, "Old")])
    (tmp_path / "book.csv").write_text("kind,id,name,note\ncategory,125,New,why\n", encoding="utf-8")
    call_command("labels", "import", str(tmp_path / "book.csv"))

    assert labels.get_label("category", 125) == Label.objects.get(name="New", note="why")
    assert labels.search("old") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kind,id,name\n", "The first line must be: kind,id,name,note,parent_id"),
        ("kind,id,name,note\ncategory,1,a,\ncategory,x,b,\n", "Line 3, id: it is not a whole number"),
        ("kind,id,name,note\ncategory,1234567890,b,\n", "Line 2, id: it is not a whole number"),
        ("kind,id,name,note\ncategory,1,a\x1bb,\n", "Line 2, name: Remove the invisible character"),
        ("kind,id,name,note\ncategory,1,a,x\u202ey\n", "Line 2, note: Remove the invisible character"),
        ("kind,id,name,note\ncategory,1,S\ufffdo,\n", "Line 2, name: A letter was lost at “\ufffd”. Enter it again."),
        ("kind,id,name,note\ncategory,1,a,S\ufffdo\n", "Line 2, note: A letter was lost at “\ufffd”. Enter it again."),
        (f"kind,id,name,note\ncategory,1,{chr(0xFDFA) * 200},\n", "Line 2, name: It is too long to be searched"),
        ("kind,id,name,note\nseries,1,a,\n", "Line 2, kind: it must be category or release."),
        ("kind,id,name,note\ncategory,1,,\n", "Line 2, name: This field cannot be blank."),
        (f"kind,id,name,note\ncategory,1,{'x' * 201},\n", "Line 2, name: Ensure this value has at most 200"),
        ("kind,id,name,note\ncategory,1,a\n", "Line 2: it does not have 4 columns."),
        ("kind,id,name,note\ncategory,1,a,b,c\n", "Line 2: it does not have 4 columns."),
        ("\udcff", "cannot be read as CSV in UTF-8"),
        (
            'kind,id,name,note\ncategory,1,a,\ncategory,2,b,"x\ncategory,3,c,\n',
            "Line 3: it is not valid CSV (unexpected end",
        ),
        ('kind,id,name,note\ncategory,1,a,"x"y\n', "Line 2: it is not valid CSV (',' expected after"),
        ("kind,id,name,note\ncategory,1,a,\nrelease,1,a,\ncategory,01,b,\n", "Line 4, id: line 2 has this category."),
    ],
)
def test_label_import_of_invalid_file_is_reported_by_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "book.csv").write_text(text, encoding="utf-8", errors="surrogateescape")

    with pytest.raises(CommandError, match=re.escape(words)):
        call_command("labels", "import", str(tmp_path / "book.csv"))
    assert not Label.objects.exists()


def test_label_import_of_a_file_that_is_cut_in_a_note_deletes_nothing(tmp_path: Path) -> None:
    save_labels([a_label(number, "Kept") for number in (1, 2, 3)])
    whole = 'kind,id,name,note\ncategory,1,a,"see\n3"\ncategory,2,b,\ncategory,3,c,\n'
    (tmp_path / "book.csv").write_text(whole[: whole.index('3"')], encoding="utf-8")

    with pytest.raises(CommandError, match=r"^Line 2: .+ Is a quotation mark missing\?$"):
        call_command("labels", "import", "--replace", str(tmp_path / "book.csv"))
    assert Label.objects.filter(name="Kept").count() == 3


def test_label_import_that_would_delete_all_names_is_refused(tmp_path: Path) -> None:
    save_labels([a_label(1, "Kept")])
    (tmp_path / "book.csv").write_text("kind,id,name,note,parent_id\n", encoding="utf-8")

    with pytest.raises(CommandError, match=r"^The file has no names, so --replace would delete all of them\.$"):
        call_command("labels", "import", "--replace", str(tmp_path / "book.csv"))
    assert Label.objects.get().name == "Kept"


def test_label_import_says_how_many_others_it_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_labels([a_label(number, "Old") for number in (1, 2, 3)])
    (tmp_path / "book.csv").write_text("kind,id,name,note,parent_id\ncategory,1,New,,\n", encoding="utf-8")
    call_command("labels", "import", "--replace", str(tmp_path / "book.csv"))

    assert capsys.readouterr().out.endswith("1 of them are new or changed. Others deleted: 2.\n")


def test_label_export_that_fails_keeps_the_file_of_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "book.csv").write_text("the file of yesterday", encoding="utf-8")

    def fail(*_: object) -> None:
        raise OperationalError("unable to open database file")

    monkeypatch.setattr(Label.objects, "values_list", fail)
    with pytest.raises(OperationalError):
        call_command("labels", "export", str(tmp_path / "book.csv"))

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("book.csv", "the file of yesterday")]
    monkeypatch.undo()
    call_command("labels", "export", str(tmp_path / "book.csv"))
    assert (tmp_path / "book.csv").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["=1+1", "+x", "-x", "@x", "'tis", "''", "#1", "＝1", "plain"])
def test_label_export_escapes_formulas_reversibly(tmp_path: Path, name: str) -> None:
    """A26"""
    save_labels([Label(kind="category", number=1, name=name, note=name)])
    call_command("labels", "export", str(tmp_path / "book.csv"))
    cells = (tmp_path / "book.csv").read_text(encoding="utf-8").splitlines()[1].split(",")[2:4]
    Label.objects.all().delete()
    call_command("labels", "import", str(tmp_path / "book.csv"))

    assert all(cell[0] not in "=+-@#＝" for cell in cells)
    assert [(label.name, label.note) for label in Label.objects.all()] == [(name, name)]


def test_label_export_escapes_formulas_behind_a_separator_reversibly(tmp_path: Path) -> None:
    """A26"""
    name, note = "a;=1+1", "b;'=1\n=1\n\n- c\n'tis; 'd'"
    save_labels([Label(kind="category", number=1, name=name, note=note)])
    call_command("labels", "export", str(tmp_path / "book.csv"))
    text = (tmp_path / "book.csv").read_text(encoding="utf-8")
    Label.objects.all().delete()
    call_command("labels", "import", str(tmp_path / "book.csv"))

    assert text.endswith("""category,1,a;'=1+1,"b;''=1\n'=1\n\n'- c\n'tis; 'd'",\n""")
    assert [(label.name, label.note) for label in Label.objects.all()] == [(name, note)]


def test_label_import_keeps_apostrophes(tmp_path: Path) -> None:
    (tmp_path / "book.csv").write_text("kind,id,name,note\ncategory,1,'tis,\n", encoding="utf-8")
    call_command("labels", "import", str(tmp_path / "book.csv"))

    assert Label.objects.get().name == "'tis"
