"""A load of another catalogue: no answer of the one before is shown, frozen or named as one of the new one."""

import time
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from econweb.catalogue.loading import load as loading
from econweb.library.models import FrozenCopy
from econweb.search_index.titles import sample
from econweb.startup.load_catalogue import load_catalogue
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.frozen.copies import freeze
from tests.dashboard.reading import words
from tests.dashboard.test_sample import file, publisher
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db(transaction=True)
LINKS = ["/series/GNPCA.csv", "/series/GNPCA.txt", "/series.csv?ids=GNPCA,UNRATE", "/category/125/tags.csv"]


def says_sample(client: Client) -> list[bool]:
    return ["sample data" in file(client, link) for link in LINKS]


def test_answer_of_the_sample_is_never_shown_as_one_of_the_own_catalogue(client: Client, catalogue: Loader) -> None:
    load_catalogue(Path(loading.SAMPLE))
    assert says_sample(client) == [True, True, True, True]
    catalogue(series=[a_series(title="Our own title"), a_series(id="UNRATE")])

    assert says_sample(client)[:3] == [False, False, False]
    path = freeze(client, "/series/GNPCA/").rstrip("/")
    assert publisher(client, f"{path}.csl") == "The embedded catalogue"
    assert all("Our own title" in file(client, f"{link}.csv") for link in ("/series/GNPCA", path))

    load_catalogue(Path(loading.SAMPLE))
    assert all("Our own title" not in file(client, link) for link in LINKS)
    assert says_sample(client) == [True, True, True, True]


def test_worker_that_has_not_noticed_a_load_freezes_what_is_there_now(
    client: Client, catalogue: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_catalogue(Path(loading.SAMPLE))
    assert "sample data" in file(client, "/series/GNPCA.csv")
    known = sample._Memory.state
    catalogue(series=[a_series(title="Our own title"), a_series(id="UNRATE")])
    monkeypatch.setattr(sample._Memory, "state", known)
    monkeypatch.setattr(sample._Memory, "good_until", time.monotonic() + 60.0)

    path = freeze(client, "/series/?ids=GNPCA,UNRATE").partition("?")[0].rstrip("/")
    assert publisher(client, f"{path}.csl") == "The embedded catalogue"
    assert "Our own title" in file(client, f"{path}.csv")


def test_series_that_the_own_catalogue_lacks_is_not_frozen(client: Client, catalogue: Loader) -> None:
    load_catalogue(Path(loading.SAMPLE))
    assert client.get("/series/GNPCA/").status_code == 200
    catalogue(series=[a_series(id="UNRATE")])

    assert client.get("/series/GNPCA/").status_code == 404
    given = {"title": "Output", "reason": "For table 2", "audience": "everyone", "days": "0"}
    answer = client.post("/me/freeze/", given, query_params={"target": "/series/GNPCA/"})
    assert answer.status_code == 404
    assert not FrozenCopy.objects.exists()


def test_list_has_series_that_only_the_new_catalogue_has(client: Client, catalogue: Loader) -> None:
    load_catalogue(Path(loading.SAMPLE))
    assert "OURS" not in file(client, "/series.csv?ids=GNPCA,OURS").partition("\r\n\r\n")[2]
    catalogue(series=[a_series(), a_series(id="OURS")])

    assert "# missing" not in file(client, "/series.csv?ids=GNPCA,OURS")
    assert words(client.get("/series/?ids=GNPCA,OURS"), "//tbody//th//a")[:2] == ["GNPCA", "OURS"]


def test_answers_of_another_service_stay_when_the_catalogue_is_loaded(
    client: Client, catalogue: Loader, stand_in: FakeService, settings: Settings
) -> None:
    settings.ECON_BASE_URL = "https://data.example.org"
    stand_in.seriess = {"GNPCA": [a_series()]}
    before, asked = file(client, "/series/GNPCA.csv"), len(stand_in.asked)
    catalogue(series=[a_series(title="Our own title")])

    assert file(client, "/series/GNPCA.csv") == before
    assert len(stand_in.asked) == asked


def test_repeated_page_asks_the_database_nothing_about_the_catalogue(client: Client, settings: Settings) -> None:
    settings.CATALOGUE_RECHECK_SECONDS = 60.0
    load_catalogue(Path(loading.SAMPLE))
    client.get("/series/GNPCA/")
    with CaptureQueriesContext(connection) as asked:
        client.get("/series/GNPCA/")

    assert not any("has_sample" in one["sql"] for one in asked)
