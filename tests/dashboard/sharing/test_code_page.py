"""The page that shows the request behind a view as code."""

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
