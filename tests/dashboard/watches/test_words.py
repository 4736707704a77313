"""The words of the page to follow a view."""

import pytest
from django.test import Client

from tests.builders import a_series
from tests.dashboard.reading import words
from tests.dashboard.watches.test_follow import TAGS
from tests.fake_service import FakeService

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]


@pytest.mark.parametrize(
    ("target", "heard"),
    [
        (TAGS, "You hear when its tags, their groups or their notes change"),
        ("/release/53/tags/", "You hear when its tags, their groups or their notes change"),
        ("/series/GNPCA/", "You hear when its title, first observation, units, frequency"),
        ("/series/?ids=GNPCA", "You hear when the title, first observation, units, frequency"),
    ],
)
def test_form_names_the_changes_that_such_a_view_can_have(client: Client, target: str, heard: str) -> None:
    page = " ".join(words(client.get("/me/follow/", {"target": target}), "//main"))

    assert heard in page
    assert ("units" in page) == target.startswith("/series/")


@pytest.mark.parametrize("target", ["/series/NOPE/", "/series/?ids=GNPCA,NOPE"])
def test_form_names_the_series_that_the_provider_does_not_have(
    client: Client, stand_in: FakeService, target: str
) -> None:
    """A misspelt id was followed without a word."""
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    before = client.get("/me/follow/", {"target": TAGS})
    client.get(target)

    assert words(before, "//p[@class='notice warning']") == []
    page = client.get("/me/follow/", {"target": target})
    assert words(page, "//p[@class='notice warning']") == ["The data provider does not have NOPE."]
    assert words(page, "//main//button") == ["Follow"]


def test_button_of_a_view_is_true_before_and_after(client: Client) -> None:
    """The page is the same for everyone, so its button opens the page where one follows or stops."""
    for _ in range(2):
        assert "Follow …" in words(client.get(TAGS), "//button[contains(@class, 'follow')]")
        client.post("/me/follow/", {"target": TAGS})
