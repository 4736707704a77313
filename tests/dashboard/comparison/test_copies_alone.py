"""Comparisons of frozen copies alone: how to cite them, and what they say."""

import pytest
from django.test import Client

from econweb.library.models import ME, FrozenCopy
from tests.builders import a_series
from tests.dashboard.comparison.test_frozen_sources import AFTER, BEFORE, freeze_id, renew
from tests.dashboard.reading import links, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db
SHARE = "//details[summary='Share']//li"
CITE = "//details[summary='Cite']"
ADVICE = "To cite a comparison, freeze its sources and compare the copies."


@pytest.fixture
def copies(client: Client, stand_in: FakeService) -> list[str]:
    """The ids of two copies of one category, which changed between."""
    stand_in.has("category", 125, BEFORE)
    first = freeze_id(client)
    stand_in.has("category", 125, AFTER)
    renew()
    return [first, freeze_id(client, title="Tags of trade, later")]


def test_comparison_of_copies_has_a_citation_with_their_digests(client: Client, copies: list[str]) -> None:
    """The menu advised to freeze the copies once more."""
    link = "/compare/?a=frozen:{}&b=frozen:{}".format(*copies)
    page = client.get(link)
    (citation,) = words(page, f"{CITE}//p[@id='citation']")

    assert citation.startswith("Tags of trade, frozen ")
    assert " compared with Tags of trade, later, frozen " in citation
    for copy in FrozenCopy.objects.all():
        assert f"http://testserver/frozen/{copy.pk}/, SHA-256 {copy.sha256}" in citation
    assert citation.endswith(f" http://testserver{link}")
    assert ADVICE not in words(page, SHARE)
    assert "The rows at this address never change: all sources are frozen copies." in words(page, SHARE)
    assert links(page)["How to cite"] == "/help/#cite"


def test_comparison_with_a_live_source_has_the_advice_and_no_citation(client: Client, copies: list[str]) -> None:
    page = client.get(f"/compare/?a=frozen:{copies[0]}&b=category:125")

    assert ADVICE in words(page, SHARE)
    assert not words(page, CITE)


def test_comparison_of_copies_of_two_owners_and_of_series_has_a_citation(
    client: Client, copies: list[str], stand_in: FakeService
) -> None:
    stand_in.has("release", 53, AFTER)
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    release, series = freeze_id(client, "/release/53/tags/"), freeze_id(client, "/series/GNPCA/")

    for pair in ([copies[0], release], [series, series]):
        assert words(client.get("/compare/?a=frozen:{}&b=frozen:{}".format(*pair)), f"{CITE}//p[@id='citation']")


def test_comparison_of_a_hidden_copy_says_that_nobody_can_open_what_is_cited(client: Client, copies: list[str]) -> None:
    hidden = freeze_id(client, audience=ME)
    page = client.get(f"/me/compare/?a=frozen:{copies[0]}&b=frozen:{hidden}")

    assert f"http://testserver/compare/?a=frozen:{copies[0]}" in words(page, f"{CITE}//p[@id='citation']")[0]
    assert "Nobody can open this address yet: the copy is not for everyone." in words(
        page, f"{CITE}//p[@class='menu-note']"
    )


def test_comparison_of_copies_does_not_speak_of_live_answers(client: Client, copies: list[str]) -> None:
    """It said twice that a live answer may be some minutes old, though neither source was live."""
    alone = client.get("/compare/?a=frozen:{}&b=frozen:{}".format(*copies))
    beside_live = client.get(f"/compare/?a=frozen:{copies[0]}&b=category:125")

    assert "live answer" not in alone.text
    assert beside_live.text.count("A live answer may be some minutes old.") == 1
