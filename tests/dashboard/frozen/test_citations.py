"""The citation of a frozen copy, read by a program for its format, names id, moment, digest and one lasting address."""

import json
from datetime import UTC, datetime
from io import BytesIO
from zipfile import ZipFile

import pytest
import rispy
from django.test import Client
from django.utils import timezone
from pybtex.database import parse_string
from pytest_django import Settings

from econweb.dashboard.sharing.citations import MEDIA_TYPES
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.library.models import EVERYONE, ME, SIGNED_IN, FrozenCopy
from tests.builders import a_series
from tests.dashboard.frozen.copies import VIEW, freeze, view
from tests.dashboard.reading import words
from tests.fake_service import FakeService, tags_of
from tests.latex import text_set_by

__all__ = ["view"]
pytestmark = pytest.mark.django_db
MOMENT = datetime(2026, 3, 1, 12, 30, 5, tzinfo=UTC)


@pytest.fixture
def copy(client: Client, view: str) -> FrozenCopy:
    freeze(client, view)
    FrozenCopy.objects.update(created=MOMENT, realtime_start="2026-02-28", realtime_end="2026-02-28")
    return FrozenCopy.objects.get()


def note_of(copy: FrozenCopy) -> str:
    return f"Category 125: 60 rows as of 2026-02-28, frozen 2026-03-01 12:30:05 UTC, SHA-256 {copy.sha256}"


def test_citation_text_of_a_copy_is_on_its_page_and_in_its_file(client: Client, copy: FrozenCopy) -> None:
    text = client.get(f"/frozen/{copy.pk}.txt").content.decode()

    title = f"Tags of trade [frozen copy {copy.pk}]"
    assert text == f"{title}. {note_of(copy)}. The embedded catalogue. http://testserver/frozen/{copy.pk}/\n"
    page = client.get(f"/frozen/{copy.pk}/").text
    assert f'<p id="citation">{text}</p>' in page
    assert all(f'href="/frozen/{copy.pk}.{suffix}"' in page for suffix in MEDIA_TYPES)


def test_citation_of_a_copy_is_read_back(client: Client, copy: FrozenCopy) -> None:
    address = f"http://testserver/frozen/{copy.pk}/"
    (bibtex,) = parse_string(client.get(f"/frozen/{copy.pk}.bib").content.decode(), "bibtex").entries.values()
    (ris,) = rispy.loads(client.get(f"/frozen/{copy.pk}.ris").content.decode())
    (csl,) = json.loads(client.get(f"/frozen/{copy.pk}.csl").content)

    assert bibtex.fields["howpublished"] == rf"The embedded catalogue, \url{{{address}}}"
    assert (bibtex.persons, bibtex.fields["key"]) == ({}, "{The embedded catalogue}")
    assert ("authors" in ris, "author" in csl) == (False, False)
    assert (ris["urls"], csl["URL"]) == ([address], address)
    assert text_set_by(bibtex.fields["note"]) == ris["notes"][0] == csl["note"] == note_of(copy)
    assert all(copy.pk in title for title in (bibtex.fields["title"], ris["title"], csl["title"]))
    assert (bibtex.fields["year"], ris["date"], csl["version"]) == (
        "2026",
        "2026/03/01",
        "frozen 2026-03-01 12:30:05 UTC",
    )
    # The content never changes, so no day of access is needed.
    assert not {"urldate", "access_date", "accessed"} & {*bibtex.fields, *ris, *csl}


@pytest.mark.parametrize("suffix", MEDIA_TYPES)
def test_citation_of_a_copy_is_a_file_of_its_type(client: Client, copy: FrozenCopy, suffix: str) -> None:
    answer = client.get(f"/frozen/{copy.pk}.{suffix}")

    assert answer["Content-Type"] == f"{MEDIA_TYPES[suffix]}; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="{copy.pk}-2026-03-01.{suffix}"'
    assert answer["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("target", ["/series/GNPCA/", "/series/?ids=GNPCA"])
def test_copy_of_series_is_cited_as_one_of_tags(client: Client, stand_in: FakeService, target: str) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    path = freeze(client, target)

    page, text = client.get(path).text, client.get(f"{path.rstrip('/')}.txt").content.decode()
    assert f'<p id="citation">{text}</p>' in page
    assert f"1 row as of {timezone.localdate()}" in text


@pytest.mark.parametrize(
    ("target", "title", "subject"),
    [
        ("/category/125/tags/", "Table 2", "Category 125, Trade Balance: "),
        ("/category/125/tags/?order_by=name", "Tags of trade balance", "Category 125: "),
        ("/category/125/tags/", "Category 125 · Trade Balance", ""),
        ("/release/53/tags/", "Table 2", "Release 53, Gross Domestic Product: "),
        ("/series/GNPCA/", "Table 2", "Series GNPCA: "),
        ("/series/?ids=GNPCA", "Table 2", "Series GNPCA: "),
    ],
)
def test_citation_names_what_the_title_of_a_copy_does_not(
    client: Client, stand_in: FakeService, target: str, title: str, subject: str
) -> None:
    save_labels(
        [
            Label(kind="category", number=125, name="Trade Balance"),
            Label(kind="release", number=53, name="Gross Domestic Product"),
        ]
    )
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    for kind, number in (("category", 125), ("release", 53)):
        stand_in.has(kind, number, tags_of(2))
    path = freeze(client, target, title=title).partition("?")[0].rstrip("/")
    copy, (csl,) = FrozenCopy.objects.get(), json.loads(client.get(f"{path}.csl").content)

    assert csl["note"].startswith(f"{subject}{copy.rows} row")
    assert f"[frozen copy {copy.pk}]. {subject}{copy.rows} row" in client.get(f"{path}.txt").text
    assert csl["publisher"] == "The embedded catalogue"


def test_citation_of_a_list_names_its_first_series(client: Client, stand_in: FakeService) -> None:
    held = [f"S{number}" for number in range(7)]
    stand_in.seriess |= {one: [a_series(id=one) | {"popularity": 39}] for one in held}
    path = freeze(client, f"/series/?ids=GONE,{','.join(held)}").rstrip("/")

    assert "]. Series S0, S1, S2, S3, S4 and 2 more: 7 rows as of " in client.get(f"{path}.txt").text


@pytest.mark.parametrize(("agencies", "author"), [("AA", "A"), ("AB", ""), ("A", "A")])
def test_citation_names_the_agency_that_all_series_of_a_copy_name(
    client: Client, stand_in: FakeService, agencies: str, author: str
) -> None:
    names = {"A": "U.S. Bureau of Labor Statistics", "B": "Census Bureau", "": ""}
    for number, agency in enumerate(agencies):
        notes = f"Source: {names[agency]}. More."
        stand_in.seriess[f"S{number}"] = [a_series(id=f"S{number}", notes=notes) | {"popularity": 39}]
    listed = ",".join(f"S{number}" for number in range(len(agencies)))
    path = freeze(client, f"/series/?ids={listed}" if len(agencies) > 1 else "/series/S0/")

    (csl,) = json.loads(client.get(f"{path.rstrip('/')}.csl").content)
    assert csl.get("author", [{"literal": ""}]) == [{"literal": names[author]}]
    assert (f'<p id="citation">{names[author]}. ' in client.get(path).text) is bool(author)


def test_private_copy_is_cited_by_the_address_for_all(client: Client, view: str) -> None:
    """The address stays when the audience changes."""
    freeze(client, view, audience=ME)
    copy = FrozenCopy.objects.get()
    text = client.get(f"/me/frozen/{copy.pk}.txt").content.decode()

    assert text.endswith(f"http://testserver/frozen/{copy.pk}/\n")
    assert f'href="/me/frozen/{copy.pk}.bib"' in client.get(f"/me/frozen/{copy.pk}/").text
    assert client.get(f"/frozen/{copy.pk}.txt").status_code == 404
    assert client.get(f"/frozen/{copy.pk}.txt").text == client.get("/frozen/0000000000000.txt").text


@pytest.mark.parametrize(("audience", "is_said"), [(ME, True), (SIGNED_IN, True), (EVERYONE, False)])
def test_citation_of_a_copy_that_is_not_for_everyone_says_that_its_address_is_closed(
    client: Client, view: str, audience: str, is_said: bool
) -> None:
    freeze(client, view, audience=audience)
    page = client.get(f"/me/frozen/{FrozenCopy.objects.get().pk}/").text

    note = "Nobody can open this address yet: the copy is not for everyone. Choose “Change title or audience” first."
    assert (note in page) is is_said


def test_withdrawn_copy_is_cited_no_more(client: Client, copy: FrozenCopy) -> None:
    client.post(f"/me/frozen/{copy.pk}/withdraw/", {"reason": "Wrong."})

    assert {client.get(f"/frozen/{copy.pk}.{suffix}").status_code for suffix in MEDIA_TYPES} == {410}


def test_copy_without_rows_is_cited_by_its_digest(client: Client, view: str, settings: Settings) -> None:
    settings.ECON_MAY_STORE = False
    path = freeze(client, view)

    assert FrozenCopy.objects.get().sha256 in client.get(f"{path.rstrip('/')}.txt").text
    assert '<p id="citation">' in client.get(path).text


def test_citation_keeps_the_publisher_of_the_service_that_was_asked(
    client: Client, copy: FrozenCopy, settings: Settings
) -> None:
    settings.ECON_PROVIDER = "Bank of Example"
    before = client.get(f"/frozen/{copy.pk}.txt").text
    FrozenCopy.objects.update(service="https://api.example.org/v1")
    after = client.get(f"/frozen/{copy.pk}.txt").text

    assert " Bank of Example. http" in before
    assert " api.example.org. http" in after


def test_citation_escapes_the_title_of_a_copy(client: Client, view: str) -> None:
    title = 'A {b} } 100% \\end $5 & #1_x ~ ^ "q" é @misc <b>'
    path = freeze(client, view, title=title).rstrip("/")
    (bibtex,) = parse_string(client.get(f"{path}.bib").content.decode(), "bibtex").entries.values()

    assert text_set_by(bibtex.fields["title"].removeprefix("{").removesuffix("}")).startswith(title)
    assert "&lt;b&gt;" in client.get(f"{path}/").text


def test_empty_copy_is_cited_and_exported_too(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 125, [])
    page = client.get(freeze(client, VIEW)).text

    assert ">Cite</summary>" in page
    assert "Appendix pack (.zip)" in page
    assert "The provider listed no series here when this was frozen." in page


def test_citation_of_a_copy_with_an_end_names_it(client: Client, view: str) -> None:
    path = freeze(client, view, days="30").rstrip("/")
    copy = FrozenCopy.objects.get()
    assert copy.expires
    end = f"{copy.expires:%Y-%m-%d %H:%M:%S} UTC"
    (csl,) = json.loads(client.get(f"{path}.csl").content)
    with ZipFile(BytesIO(client.get(f"{path}.zip").getvalue())) as pack:
        readme = pack.read("README.txt").decode()
        packed = {suffix: pack.read(f"citation.{suffix}") for suffix in MEDIA_TYPES}

    assert csl["note"].endswith(f", SHA-256 {copy.view_sha256}, kept until {end}")
    assert f"\nKept until: {end}\n" in readme
    for suffix, file in packed.items():
        assert f"kept until {end}" in file.decode()
        assert client.get(f"{path}.{suffix}").content == file
    compared = client.get(f"/compare/?a=frozen:{copy.pk}&b=frozen:{copy.pk}")
    assert f"kept until {end}" in words(compared, "//p[@id='citation']")[0]


def test_citation_and_pack_of_a_copy_without_an_end_name_none(client: Client, copy: FrozenCopy) -> None:
    with ZipFile(BytesIO(client.get(f"/frozen/{copy.pk}.zip").getvalue())) as pack:
        assert "kept until" not in pack.read("README.txt").decode().lower()
    for suffix in MEDIA_TYPES:
        assert "kept until" not in client.get(f"/frozen/{copy.pk}.{suffix}").text
