"""Pages link to the data at the provider, where settings say how its pages are called."""

import pytest
from django.test import Client
from pytest_django import Settings

from tests.builders import a_series
from tests.dashboard.reading import document
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db

PAGES = {
    "/series/GNPCA/": ("ECON_WEBSITE", "https://data.example.org/series/{series_id}", "series/GNPCA"),
    "/category/125/tags/": ("ECON_WEBSITE_CATEGORY", "https://data.example.org/c/{category_id}/all", "c/125/all"),
    "/release/53/tags/": ("ECON_WEBSITE_RELEASE", "https://data.example.org/r?rid={release_id}", "r?rid=53"),
}


@pytest.fixture(autouse=True)
def service(stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    stand_in.has("category", 125, [a_tag()])
    stand_in.has("release", 53, [a_tag()])


def provider_links(client: Client, path: str) -> list[str]:
    return [str(link) for link in document(client.get(path)).xpath("//a[@class='provider']/@href")]


@pytest.mark.parametrize("path", PAGES)
def test_provider_link_is_on_each_page(client: Client, settings: Settings, path: str) -> None:
    name, pattern, end = PAGES[path]
    setattr(settings, name, pattern)

    assert provider_links(client, path) == [f"https://data.example.org/{end}"]
    assert provider_links(client, f"{path}?as_of=2014-01-01") == [f"https://data.example.org/{end}"]


@pytest.mark.parametrize("path", PAGES)
def test_provider_link_is_absent_without_setting(client: Client, path: str) -> None:
    assert provider_links(client, path) == []
