"""A frozen view with filters: form, page, list, citations, pack and JSON-LD mean the rows that it shows."""

import hashlib
import json
from pathlib import Path

import pytest
from django.test import Client

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.sharing import citations
from econweb.library.models import FrozenCopy
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.reading import document, words
from tests.dashboard.sharing.crate import read_crate
from tests.fake_service import FakeService, a_tag
from tests.latex import set_citation

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
VIEW = "/category/125/tags/?tag_group_id=freq&order_by=name&sort_order=asc"
SITE = "http://testserver"


@pytest.fixture
def copy(client: Client) -> FrozenCopy:
    freeze(client, VIEW, title="Category 125 · Frequency")
    return FrozenCopy.objects.get()


def address_of(copy: FrozenCopy) -> str:
    return f"{SITE}/frozen/{copy.pk}/?tag_group_id=freq&order_by=name&sort_order=asc"


def test_form_says_how_many_rows_the_view_has(client: Client) -> None:
    form, whole = (client.get("/me/freeze/", {"target": target}) for target in (VIEW, "/category/125/tags/"))

    assert "A frozen copy keeps the 2 rows of this view, and all 4 rows without its filters, as of " in form.text
    assert "A frozen copy keeps 4 rows as of " in whole.text


def test_citation_is_of_the_rows_that_its_link_shows(client: Client, copy: FrozenCopy) -> None:
    files = {suffix: client.get(f"/frozen/{copy.pk}.{suffix}").text for suffix in citations.MEDIA_TYPES}
    (csl,) = json.loads(files["csl"])

    assert csl["URL"] == address_of(copy)
    assert csl["note"].startswith("2 of 4 rows (tag_group_id: freq) as of ")
    assert csl["note"].endswith(f", SHA-256 {copy.view_sha256}")
    assert all(copy.view_sha256 in text and copy.sha256 not in text for text in files.values())
    assert f"UR  - {address_of(copy)}\r\n" in files["ris"]
    assert files["txt"].endswith(f" {address_of(copy)}\n")
    rows = client.get(csl["URL"].removeprefix(SITE))
    assert len(document(rows).xpath("//tbody/tr")) == copy.view_rows == 2
    for page in (rows, client.get(f"/frozen/{copy.pk}/")):
        assert words(page, "//p[@id='citation']")[0] == files["txt"].strip()


NOT_SHOWN = "//div[p[@id='citation']]/p[@class='menu-note']"


@pytest.mark.parametrize("shown", ["", "?tag_group_id=geo", "?tag_names=annual", "?tag_names=annual;usa"])
def test_menu_says_that_the_citation_is_not_of_the_rows_that_are_shown(
    client: Client, copy: FrozenCopy, shown: str
) -> None:
    assert words(client.get(f"/frozen/{copy.pk}/{shown}"), NOT_SHOWN) == [
        "The citation is of 2 of 4 rows, as they were frozen, and not of the rows that are shown here."
    ]


@pytest.mark.parametrize("shown", ["?tag_group_id=freq", "?tag_names=annual;monthly", "?tag_group_id=freq&limit=1"])
def test_menu_says_nothing_of_the_rows_that_are_cited(client: Client, copy: FrozenCopy, shown: str) -> None:
    assert not words(client.get(f"/frozen/{copy.pk}/{shown}"), NOT_SHOWN)


def test_menu_of_a_whole_copy_says_so_under_filters_alone(client: Client) -> None:
    path = freeze(client, "/category/125/tags/")

    assert not words(client.get(path), NOT_SHOWN)
    assert words(client.get(f"{path}?tag_group_id=freq"), NOT_SHOWN) == [
        "The citation is of all 4 rows, as they were frozen, and not of the rows that are shown here."
    ]


@pytest.mark.parametrize("suffix", citations.MEDIA_TYPES)
def test_address_with_filters_leads_to_the_one_citation(client: Client, copy: FrozenCopy, suffix: str) -> None:
    answer = client.get(f"/frozen/{copy.pk}.{suffix}?tag_group_id=geo")

    assert (answer.status_code, answer["Location"]) == (302, f"/frozen/{copy.pk}.{suffix}")


def test_search_that_the_provider_made_is_in_the_citation(client: Client) -> None:
    freeze(client, "/category/125/tags/?search_text=usa")
    copy = FrozenCopy.objects.get()

    text = client.get(f"/frozen/{copy.pk}.txt").text
    assert ": 1 row (only tags found for “usa”) as of " in text
    assert text.endswith(f"{SITE}/frozen/{copy.pk}/\n")


def test_head_and_json_ld_lead_to_the_rows_of_the_view(client: Client, copy: FrozenCopy) -> None:
    page = client.get(f"/frozen/{copy.pk}/")
    query = address_of(copy).partition("?")[2]
    (text,) = document(page).xpath("//script[@type='application/ld+json']/text()")
    dataset = json.loads(text)

    assert f'<{address_of(copy)}>; rel="cite-as"' in page["Link"]
    for suffix in MEDIA_TYPES:
        assert f'</frozen/{copy.pk}.{suffix}?{query}>; rel="item"' in page["Link"]
    assert f'</frozen/{copy.pk}.zip>; rel="item"' in page["Link"]
    assert dataset["url"] == address_of(copy)
    assert dataset["identifier"] == [address_of(copy), f"sha256:{copy.view_sha256}"]
    assert {one["contentUrl"].partition("?")[2] for one in dataset["distribution"]} == {query}


@pytest.mark.parametrize("path", ["/frozen/", "/me/frozen/"])
def test_lists_name_the_rows_of_the_view_and_lead_to_them(client: Client, copy: FrozenCopy, path: str) -> None:
    page = client.get(path)

    assert words(page, "//tbody//td[@class='number']") == ["2 of 4"]
    assert document(page).xpath("//tbody//th/a/@href") == [address_of(copy).removeprefix(SITE)]


def test_pack_has_the_digest_of_its_citation(client: Client, copy: FrozenCopy) -> None:
    files, entities = read_crate(client.get(f"/frozen/{copy.pk}.zip").getvalue())

    assert hashlib.sha256(files["view.jsonl"]).hexdigest() == copy.view_sha256
    assert hashlib.sha256(files["records.jsonl"]).hexdigest() == copy.sha256
    assert files["citation.txt"].decode() == client.get(f"/frozen/{copy.pk}.txt").text
    assert entities["./"]["identifier"] == address_of(copy)
    readme = files["README.txt"].decode()
    assert "The digest of records.jsonl is that of all rows, and that of view.jsonl is in the citation." in readme
    assert f"Address: {address_of(copy)}\n" in readme


def test_comparison_with_today_says_that_it_is_of_all_rows(client: Client, copy: FrozenCopy) -> None:
    freeze(client, "/category/125/tags/")
    whole = FrozenCopy.objects.exclude(pk=copy.pk).get()

    for part in ("", "check"):
        assert words(client.get(f"/frozen/{copy.pk}/{part}"), "//a[contains(., 'with today')]") == [
            "Compare all 4 rows with today"
        ]
        assert words(client.get(f"/frozen/{whole.pk}/{part}"), "//a[contains(., 'with today')]") == [
            "Compare with today"
        ]


def test_paper_has_the_digest_of_the_view(client: Client, copy: FrozenCopy) -> None:
    printed = " ".join(words(client.get(f"/frozen/{copy.pk}/"), "//p[contains(@class, 'only-print')]"))

    assert f"Rows of the view: SHA-256 {copy.view_sha256}" in printed
    assert f"All rows: SHA-256 {copy.sha256}" in printed


@pytest.mark.parametrize("package", ["", r"\usepackage{url}"])
def test_link_with_any_name_is_set_by_latex(
    client: Client, stand_in: FakeService, tmp_path: Path, package: str
) -> None:
    stand_in.has("category", 125, [a_tag("50% #1_é"), a_tag("a;b"), a_tag("c")])
    freeze(client, "/category/125/tags/?tag_names=50%25+%231_%C3%A9;a%5C;b")
    set_citation(client.get(f"/frozen/{FrozenCopy.objects.get().pk}.bib").text, package, tmp_path)

    address = client.get(f"/frozen/{FrozenCopy.objects.get().pk}.txt").text.split()[-1]
    assert "%" in address
    # Compressed streams of a PDF hide its text.
    assert rf"\url{{{address}}}" in "".join((tmp_path / "paper.bbl").read_text().split())
