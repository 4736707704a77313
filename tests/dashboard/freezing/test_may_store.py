"""Forms and copies where nothing of the service may be stored."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.library.models import FrozenCopy
from tests.builders import a_series
from tests.dashboard.frozen.copies import freeze, view
from tests.dashboard.reading import document, words
from tests.fake_service import FakeService

__all__ = ["view"]
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("may_store", [True, False])
def test_form_says_that_a_copy_has_digests_alone(
    client: Client, view: str, settings: Settings, may_store: bool
) -> None:
    settings.ECON_MAY_STORE = may_store
    facts = words(client.get("/me/freeze/", {"target": view}), "//header/p")[0]
    saving = words(client.get("/me/save/", {"target": view}), "//header/p")[0]

    assert ("keeps 60 rows" in facts) == ("Its content never changes" in facts) == may_store
    assert ("This site may not store the rows, so the copy does not show them." in facts) is not may_store
    assert ("keeps the digests of 60 rows" in facts) is not may_store
    assert ("keeps what it says now" in saving) == may_store


def test_copy_of_a_list_has_no_message_of_the_service(
    client: Client, stand_in: FakeService, settings: Settings
) -> None:
    settings.ECON_MAY_STORE = False
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    freeze(client, "/series/?ids=GNPCA,NOPE")

    assert FrozenCopy.objects.get().missing == "NOPE: The data provider sent no record of it."


@pytest.mark.parametrize("may_store", [True, False])
@pytest.mark.parametrize("page", ["/me/freeze/", "/me/save/"])
def test_title_of_the_service_is_proposed_where_it_may_be_stored(
    client: Client, stand_in: FakeService, settings: Settings, page: str, may_store: bool
) -> None:
    settings.ECON_MAY_STORE = may_store
    stand_in.seriess["GNPCA"] = [a_series(title="Real product") | {"popularity": 39}]
    form = document(client.get(page, {"target": "/series/GNPCA/"}))

    assert form.xpath("//input[@name='title']/@value") == ["GNPCA: Real product" if may_store else "GNPCA"]
