"""The help page, and the words in the head of every page."""

import pytest
from django.test import Client

from tests.dashboard.reading import canonical, document, links

pytestmark = pytest.mark.django_db

ANCHORS = ["real-time-period", "popularity", "tag-groups", "seasonal-adjustment", "export", "cite", "links", "script"]


def test_every_entry_that_pages_link_to_is_there_once(client: Client) -> None:
    page = client.get("/help/")
    found = document(page).xpath("//main//h2/@id")

    assert set(ANCHORS) <= set(found)
    assert len(found) == len(set(found))
    assert sorted(link for link in links(page).values() if link.startswith("#")) == sorted(
        ["#main", *(f"#{anchor}" for anchor in found)]
    )


def test_it_says_what_the_site_does_not_know(client: Client) -> None:
    text = client.get("/help/").text

    assert "no observations" in text
    assert "the series of a category or release" in text


@pytest.mark.parametrize("path", ["/", "/browse/", "/help/", "/about/", "/compare/", "/series/", "/no-such-page"])
def test_every_page_has_a_description(client: Client, path: str) -> None:
    (said,) = document(client.get(path)).xpath("//meta[@name='description']/@content")

    assert 50 <= len(said) <= 200


@pytest.mark.parametrize("path", ["/", "/browse/", "/help/", "/about/", "/compare/", "/series/"])
def test_the_canonical_link_is_absolute(client: Client, path: str) -> None:
    assert canonical(client.get(path)) == path
