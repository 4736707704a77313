"""A list as a person enters it: page, file and frozen copy count alike, and name what is ignored or merged."""

import json

import pytest
from django.test import Client

from tests.dashboard.frozen.copies import freeze
from tests.dashboard.reading import document, words
from tests.dashboard.sharing.crate import read_crate

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("three")]
ENTERED = "GDP,UNRATE,FEDFUND,GÄP,gdp,S&P,UNRATE"
IGNORED = "Ignored, because they are not series ids: GÄP · S&P."
MERGED = "Merged, because they were entered more than once: GDP · UNRATE."


def target_of(client: Client, entered: str) -> str:
    """Return the link that the button Cite … of the page sends."""
    page = client.get("/series/", {"ids": entered})
    return str(document(page).xpath("//input[@name='target'][@form='view-form']/@value")[0])


def test_page_file_and_copy_count_ids_alike(client: Client) -> None:
    page = client.get("/series/", {"ids": ENTERED})
    file = json.loads(client.get("/series.json", {"ids": ENTERED}).getvalue())
    path = freeze(client, target_of(client, ENTERED))
    frozen = json.loads(client.get(f"{path.rstrip('/')}.json").getvalue())

    assert words(page, "//caption") == words(client.get(path), "//caption") == ["2 of 3 series"]
    assert file["about"]["title"] == frozen["about"]["title"] == "2 of 3 series"


@pytest.mark.parametrize("form", ["", "plain"])
def test_page_and_file_name_what_is_ignored_and_merged(client: Client, form: str) -> None:
    page = client.get("/series/", {"ids": ENTERED, **({"form": form} if form else {})}, follow=True)
    about = json.loads(client.get("/series.json", {"ids": ENTERED}).getvalue())["about"]

    assert words(page, "//main/p[@class='notice']") == [IGNORED, MERGED]
    assert about["warning"] == MERGED
    assert "GÄP: This is not a series id." in about["missing"]


def test_search_box_leads_to_a_list_that_names_repeated_ids(client: Client) -> None:
    page = client.get("/go", {"q": "GDP,UNRATE,gdp"}, follow=True)

    assert page.redirect_chain[-1][0] == "/series/?ids=GDP,UNRATE,GDP"
    assert words(page, "//main/p[@class='notice']") == [MERGED.replace(" · UNRATE", "")]


def test_form_copy_and_pack_name_what_is_ignored_and_merged(client: Client) -> None:
    target = target_of(client, ENTERED)
    form = client.get("/me/freeze/", {"target": target})
    path = freeze(client, target)
    files, _ = read_crate(client.get(f"{path.rstrip('/')}.zip").getvalue())

    for page in (form, client.get(path)):
        notices = words(page, "//p[@class='notice']")
        assert IGNORED in notices
        assert MERGED in notices
    assert f"Warnings: {IGNORED} {MERGED}\n" in files["README.txt"].decode()
    assert MERGED in files["rows.csv"].decode()


def test_form_names_the_ids_that_the_copy_will_lack(client: Client) -> None:
    few = client.get("/me/freeze/", {"target": "/series/?ids=GDP,UNRATE,FEDFUND"})
    many = client.get("/me/freeze/", {"target": f"/series/?ids=GDP,{','.join(f'NONE{n}' for n in range(12))}"})

    assert words(few, "//p[@class='notice']") == ["1 of 3 ids is not in this copy. FEDFUND: The series does not exist."]
    (notice,) = words(many, "//p[@class='notice']")
    assert notice.startswith("12 of 13 ids are not in this copy. NONE0: The series does not exist. ")
    assert notice.endswith(" NONE9: The series does not exist. And 2 more.")


def test_list_without_remarks_has_its_canonical_link(client: Client) -> None:
    page = client.get("/series/", {"ids": "GDP UNRATE"})

    assert not words(page, "//main/p[@class='notice']")
    assert target_of(client, "GDP UNRATE") == "/series/?ids=GDP,UNRATE"


def test_many_words_are_named_in_part(client: Client) -> None:
    page = client.get("/series/", {"ids": f"GDP {' '.join(f'x-{n}' for n in range(25))}"})

    (notice,) = words(page, "//main/p[@class='notice']")
    assert notice.endswith(" x-19 and 5 more.")
