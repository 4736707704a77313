"""The page that shows the request behind a view as code."""

import re

import pytest
from django.conf import LazySettings
from django.test import Client

from tests.dashboard.reading import document, words

pytestmark = pytest.mark.django_db


def test_code_page_leads_back_by_the_name_of_the_view(client: Client) -> None:
    for path, name in (("/series/GNPCA/code", "GNPCA"), ("/category/4/tags/code", "Category 4")):
        page = client.get(path)
        assert words(page, "//p[@class='kicker']/a") == [f"Back to {name}"]
        assert words(page, "//title") == [f"Get this with code · {name} · econweb"]


def test_code_page_has_one_block_and_one_copy_button_a_language(client: Client) -> None:
    page = client.get("/series/GNPCA/code")
    languages = ["URL", "curl", "Python", "R", "Julia", "Stata"]

    assert words(page, "//section[@class='snippet']/h2") == languages
    assert words(page, "//section[@class='snippet']/button") == [f"Copy {language}" for language in languages]
    assert document(page).xpath("//section[@class='snippet']//i") == []


def test_code_page_says_where_a_key_comes_from(client: Client, settings: LazySettings) -> None:
    def said() -> str:
        (text,) = words(client.get("/series/GNPCA/code"), "//p[starts-with(normalize-space(), 'No key yet?')]")
        return text

    settings.ECON_BASE_URL = ""
    assert "manage.py api_key create NAME" in said()
    settings.ECON_BASE_URL = "https://data.example.org"
    assert said() == "No key yet? Ask the data provider for one."


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("/series/GNPCA/code", "/series/GNPCA.csv?comments=no"),
        (
            "/category/4/tags/code?tag_names=a%22%60%24%27b%5Cc&order_by=name",
            "/category/4/tags.csv?tag_names=a%22%60%24%27b%5C%5Cc&order_by=name&comments=no",
        ),
    ],
)
def test_code_for_stata_loads_the_table_of_the_view(client: Client, path: str, address: str) -> None:
    page = client.get(path)
    copied, loaded = document(page).xpath("string(//section[h2='Stata']/pre)").splitlines()
    found = re.fullmatch(r'copy "([^"`\'$\\]*)" "rows.csv", replace', copied)

    assert found
    assert found[1] == f"http://testserver{address}"
    assert loaded.startswith('import delimited using "rows.csv", varnames(1) rowrange(2:) bindquote(strict)')
    assert "Stata loads the CSV file of this page instead, without a key." in words(page, "//p[@class='facts']")[0]


def test_code_for_stata_asks_the_service_where_people_sign_in(client: Client, settings: LazySettings) -> None:
    settings.READ = "signed-in"
    page = client.get("/series/GNPCA/code")

    assert "file_type=xml" in document(page).xpath("string(//section[h2='Stata']/pre)")
    assert "Stata" not in words(page, "//p[@class='facts']")[0]
