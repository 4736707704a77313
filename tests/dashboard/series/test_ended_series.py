"""The page of a series whose last record has ended: the service knows the id, and has no record of today."""

import pytest
from django.test import Client
from pytest_django import Settings

from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import alert, links
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db(transaction=True)
LAST_VERSION = "/series/WILL5000IND/?realtime_start=2024-06-02&realtime_end=2024-06-02"


@pytest.fixture
def ended(catalogue: Loader) -> None:
    """A series whose last record has ended, and one with nearly the same id."""
    catalogue(series=[a_series(id="WILL5000IND", realtime_end="2024-06-02"), a_series(id="WILL500IND"), a_series()])


def test_series_whose_last_record_has_ended_leads_to_its_last_version(client: Client, ended: None) -> None:
    page = client.get("/series/WILL5000IND/")

    assert page.status_code == 404
    assert "No record of “WILL5000IND” today" in alert(page)
    assert "The data provider has no record of WILL5000IND today. It may have earlier ones." in alert(page)
    assert "period" not in alert(page)
    assert links(page)["The last version ended on 2024-06-02"] == LAST_VERSION
    assert client.get(LAST_VERSION).status_code == 200
    assert "Ids that are close" not in page.text
    assert "no record of WILL5000IND today" in client.get("/series/WILL5000IND.csv").text


def test_day_after_the_last_record_does_not_lead_to_today(client: Client, ended: None) -> None:
    page = client.get("/series/WILL5000IND/?as_of=2024-06-03", follow=True)

    assert "no record of WILL5000IND for those dates" in alert(page)
    assert links(page)["The last version ended on 2024-06-02"] == LAST_VERSION
    assert "See it as of today" not in links(page)


def test_day_before_the_first_version_of_an_ended_series_leads_to_that(client: Client, ended: None) -> None:
    page = client.get("/series/WILL5000IND/?as_of=2010-01-01", follow=True)

    assert "The first version is of 2013-01-01" in links(page)
    assert "See it as of today" not in links(page)


def test_ended_series_costs_another_service_two_requests(
    client: Client, stand_in: FakeService, settings: Settings
) -> None:
    settings.ECON_BASE_URL = "https://data.example.org"
    stand_in.seriess["GNPCA"] = []
    page = client.get("/series/GNPCA/")

    assert "has no record of GNPCA today" in alert(page)
    assert links(page)["Search for “GNPCA”"] == "/search/?q=GNPCA"
    assert len(stand_in.asked) == 2
