"""Many names from a CSV text: what would change is shown before it is stored."""

import csv

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from econweb.accounts.models import Change
from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.dashboard.reading import Answer, alert, document, words

pytestmark = pytest.mark.django_db
PATH = "/me/names/"
TEXT = "kind,id,name,note,parent_id\ncategory,1,One,,\ncategory,2,Two,,1\nrelease,3,Three,,\n"


@pytest.fixture(autouse=True)
def stored() -> None:
    save_labels([Label(kind="category", number=1, name="One"), Label(kind="category", number=2, name="Old")])


def test_preview_shows_what_would_change_and_stores_nothing(client: Client) -> None:
    page = client.post(PATH, {"text": TEXT})

    assert words(page, "//main//h2") == ["2 would change, 1 stays as it is"]
    assert words(page, "//main//tbody//th") == ["category 2", "release 3"]
    assert words(page, "//main//tbody//td") == ["name: Old", "name: Two · parent: 1", "no name", "name: Three"]
    assert Label.objects.count() == 2


def hidden_fields(page: Answer) -> dict[str, str]:
    fields = document(page).xpath("//form[.//button[@name='store']]//input[@type='hidden']")
    return {field.get("name"): field.get("value") for field in fields} | {"store": "1"}


def test_preview_shows_that_a_category_comes_under_the_root(client: Client) -> None:
    root = "kind,id,name,note,parent_id\ncategory,0,All,,\n"
    page = client.post(PATH, {"text": f"{root}category,1,One,,0\n"})

    assert words(page, "//main//tbody//td") == ["no name", "name: All", "name: One", "name: One · parent: 0"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_notes_of_several_lines_are_stored_from_a_file_as_a_browser_sends_it(client: Client, line_end: str) -> None:
    """A browser sends the previewed text back with CRLF: kept notes became edits, and the store was a conflict."""
    save_labels([Label(kind="category", number=1, name="One", note="kept\nas it is")])
    text = f'kind,id,name,note,parent_id\ncategory,1,One,"kept{line_end}as it is",\ncategory,2,Two,"a{line_end}b",\n'
    page = client.post(PATH, {"text": "", "file": SimpleUploadedFile("names.csv", text.encode())})
    form = hidden_fields(page)
    form["text"] = "\r\n".join(form["text"].splitlines()) + "\r\n"

    assert words(page, "//main//tbody//th") == ["category 2"]
    assert words(client.post(PATH, form), "//main//p[@role='status']") == ["1 name stored."]
    assert [*Label.objects.values_list("note", flat=True)] == ["kept\nas it is", "a\nb"]
    assert Change.objects.get().key == "category 2"


def test_text_is_stored_and_each_change_recorded(client: Client) -> None:
    page = client.post(PATH, hidden_fields(client.post(PATH, {"text": TEXT})))

    assert words(page, "//main//p[@role='status']") == ["2 names stored."]
    assert {*Change.objects.values_list("key", "verb")} == {("category 2", "imported"), ("release 3", "imported")}
    assert labels.get_label("release", 3) is not None


def test_text_replaces_no_name_that_was_changed_after_the_preview(client: Client) -> None:
    form = hidden_fields(client.post(PATH, {"text": TEXT}))
    save_labels([Label(kind="category", number=1, name="Of a colleague")])
    late = client.post(PATH, form)

    assert (late.status_code, Label.objects.get(number=1).name) == (409, "Of a colleague")
    assert "changed since this text was looked at" in alert(late)
    assert words(late, "//main//tbody//th") == ["category 1", "category 2", "release 3"]
    assert words(client.post(PATH, hidden_fields(late)), "//main//p[@role='status']") == ["3 names stored."]


def test_uploaded_file_counts_like_a_pasted_text(client: Client) -> None:
    page = client.post(PATH, {"text": "", "file": SimpleUploadedFile("names.csv", b"\xef\xbb\xbf" + TEXT.encode())})

    assert words(page, "//main//tbody//th") == ["category 2", "release 3"]


def test_pasted_text_may_begin_with_a_byte_order_mark(client: Client) -> None:
    page = client.post(PATH, {"text": f"\ufeff{TEXT}"})

    assert words(page, "//main//tbody//th") == ["category 2", "release 3"]


def test_file_beside_a_text_is_refused_and_the_text_kept(client: Client) -> None:
    """The text was dropped without a word."""
    file = SimpleUploadedFile("names.csv", TEXT.encode())
    page = client.post(PATH, {"text": "kind,id\n", "file": file})

    assert page.status_code == 400
    assert "Nothing is changed. Choose a file or paste a text, not both." in alert(page)
    assert document(page).xpath("string(//textarea)").strip() == "kind,id"


def test_another_file_can_be_chosen_after_a_wrong_one(client: Client) -> None:
    page = client.post(PATH, {"text": "", "file": SimpleUploadedFile("names.csv", b"kind,id\n")})

    assert "The first line must be" in alert(page)
    assert document(page).xpath("string(//textarea)").strip() == ""


def test_empty_file_is_called_so(client: Client) -> None:
    page = client.post(PATH, {"text": "", "file": SimpleUploadedFile("names.csv", b"")})

    assert page.status_code == 400
    assert "Nothing is changed. The file is empty. Choose another one, or paste CSV." in alert(page)


def test_file_that_is_not_utf8_is_refused(client: Client) -> None:
    file = SimpleUploadedFile("names.csv", TEXT.replace("Two", "Zürich").encode("latin-1"))
    page = client.post(PATH, {"text": "", "file": file})

    assert page.status_code == 400
    assert "Nothing is changed. The file is not UTF-8." in page.text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Nothing is changed. The text is empty. Paste CSV, or choose a file."),
        ("x" * 1_000_001, "Nothing is changed. The text is longer than a million characters."),
        (f"{TEXT}series,GNPCA,Product,,\n", "Line 5, kind: it must be category or release."),
        ("kind,id\n", "The first line must be"),
        (f"{TEXT}category,4,Four,,99\n", "Line 5, parent_id"),
    ],
)
def test_wrong_text_changes_nothing_and_has_a_sentence(client: Client, text: str, sentence: str) -> None:
    page = client.post(PATH, {"text": text, "store": "1"})

    assert page.status_code == 400
    assert sentence in page.text
    assert not Change.objects.exists()


def test_digest_with_a_null_character_is_a_wrong_text(client: Client) -> None:
    page = client.post(PATH, {"text": TEXT, "store": "1", "seen": "\0"})

    assert page.status_code == 400
    assert "Nothing is changed. Null characters are not allowed." in page.text


def large_file(rows: int = 5200) -> str:
    """A file as a real institute has it: 312 KB."""
    lines = (f"category,{number},{'Consumption of ' * 3}households {number},," for number in range(10, 10 + rows))
    return "\n".join(["kind,id,name,note,parent_id", *lines, ""])


@pytest.mark.slow
def test_large_file_is_previewed_and_stored(client: Client) -> None:
    text = large_file()
    assert len(text) > 312_000
    page = client.post(PATH, {"text": "", "file": SimpleUploadedFile("names.csv", text.encode())})
    form = hidden_fields(page)

    assert words(page, "//main//h2") == ["5,200 would change, 0 stay as they are"]
    assert len(words(page, "//main//tbody/tr")) == 500
    assert "all 5,200 are stored together" in page.text
    assert words(client.post(PATH, form), "//main//p[@role='status']") == ["5,200 names stored."]
    assert Change.objects.count() == 5200


@pytest.mark.usefixtures("with_passwords")
def test_large_file_is_taken_from_editors_alone(client: Client, settings: Settings) -> None:
    settings.EDITOR_NAMES = ["ada"]
    for name in ("ada", "eve"):
        User.objects.create_user(name)
    statuses = []
    for name in ("", "eve", "ada"):
        if name:
            client.force_login(User.objects.get(username=name))
        statuses.append(client.post(PATH, {"text": large_file()}).status_code)

    assert statuses == [413, 413, 200]
    assert client.post("/me/password/", {"old_password": "x" * 70_000}).status_code == 413
    assert client.post(PATH, {"text": "x" * 1_100_000}).status_code == 413


def test_too_large_text_or_file_is_refused_with_the_bound(client: Client) -> None:
    """It said that the address or a header cannot be used."""
    pasted = client.post(PATH, {"text": "x" * 1_100_000})
    chosen = client.post(PATH, {"text": "", "file": SimpleUploadedFile("names.csv", b"x" * 1_100_000)})
    short = client.post("/me/password/", {"old_password": "x" * 70_000})

    assert (pasted.status_code, chosen.status_code, short.status_code) == (413, 413, 413)
    assert "This form takes at most 1,024 KiB." in pasted.text
    assert "This form takes at most 1,024 KiB." in chosen.text
    assert "This form takes at most 64 KiB." in short.text


@pytest.mark.parametrize("separator", ["\t", ";"])
def test_columns_may_be_separated_as_spreadsheets_do(client: Client, separator: str) -> None:
    """The answer named the first line that was pasted."""
    rows = ["kind,id,name,note,parent_id", 'category,1,"One, and more",,', "release,3,Three,,"]
    page = client.post(PATH, {"text": "\r\n".join(separator.join(row) for row in csv.reader(rows))})

    assert words(page, "//main//tbody//td") == ["name: One", "name: One, and more", "no name", "name: Three"]
    assert words(client.post(PATH, hidden_fields(page)), "//main//p[@role='status']") == ["2 names stored."]


def test_page_offers_the_names_as_a_file_that_can_be_stored_again(client: Client) -> None:
    (link,) = document(client.get(PATH)).xpath("//main//a[@download]/@href")
    file = client.get(link)
    again = client.post(PATH, {"text": file.text})

    assert file.text == "kind,id,name,note,parent_id\ncategory,1,One,,\ncategory,2,Old,,\n"
    assert (file["Content-Type"], file["Content-Disposition"]) == (
        "text/csv; charset=utf-8",
        'attachment; filename="names.csv"',
    )
    assert words(again, "//main//h2") == ["0 would change, 2 stay as they are"]


@pytest.mark.parametrize("note", ["a\rb", "a\r\nb"])
def test_note_of_an_earlier_version_is_no_change_when_its_file_is_stored_again(client: Client, note: str) -> None:
    save_labels([Label(kind="category", number=1, name="One", note=note)])
    again = client.post(PATH, {"text": client.get("/me/names.csv").text})

    assert words(again, "//main//h2") == ["0 would change, 2 stay as they are"]


def test_file_of_names_is_for_editors(client: Client, settings: Settings) -> None:
    settings.SIGN_IN, settings.EDITOR_NAMES = "password", ["eve"]
    link = f"{PATH.rstrip('/')}.csv"
    stranger = client.get(link)
    statuses = []
    for name in ("bob", "eve"):
        client.force_login(User.objects.create(username=name))
        statuses.append(client.get(link).status_code)

    assert stranger["Location"].startswith("/sign-in/")
    assert statuses == [403, 200]
    assert client.post(link).status_code == 405
