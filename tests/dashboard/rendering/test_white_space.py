"""The indentation of templates stays on the server."""

import re

import pytest
from django.test import Client

from tests.builders import a_series
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("link", ["/", "/help/", "/series/GNPCA/", "/category/125/tags/", "/compare/"])
def test_pages_omit_indentation_of_templates(client: Client, stand_in: FakeService, link: str) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    stand_in.has("category", 125, [a_tag()])

    page = client.get(link)

    assert (page.status_code, re.findall(r"\s{6,}", page.text)) == (200, [])


def test_service_text_keeps_its_white_space(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39, "title": "Real  GNP"}]

    assert "Real  GNP" in client.get("/series/GNPCA/").text
