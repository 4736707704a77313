"""The page of a series, and the findings of a list, name related series and where each was found."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import document, links, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db(transaction=True)
OTHER_ADJUSTMENT = "Seasonally Adjusted"
RELATED = "//section[@aria-labelledby='related']"
NOTES = "This series was replaced by series GNPC96. See also GDPC1."


def twin_record(series_id: str = "TWIN") -> Record:
    record = a_series()
    return Record(series_id, record["title"], record["frequency"], OTHER_ADJUSTMENT, record["units"], 1)


def test_series_page_names_series_of_its_notes_with_the_sentence(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series(notes=NOTES), a_series(id="GNPC96")])

    page = client.get("/series/GNPCA/")

    assert words(page, f"{RELATED}//li") == [
        "Replaced by GNPC96 in the notes: “This series was replaced by series GNPC96.”",
        "See also GDPC1 in the notes: “See also GDPC1.”",
    ]
    # The service has no GDPC1.
    assert "/series/GNPC96/" in links(page).values()
    assert "/series/GDPC1/" not in links(page).values()


@pytest.mark.parametrize(("notes", "heading"), [("", "Code at the source"), ("See also GDPC1. ", "Related series")])
def test_notes_with_a_code_alone_name_no_related_series(
    client: Client, catalogue: Loader, notes: str, heading: str
) -> None:
    catalogue(series=[a_series(notes=f"{notes}BEA Account Code: A001RX")])
    page = client.get("/series/GNPCA/")

    assert words(page, f"{RELATED}/h2") == [heading]
    label = "Code at the source " if notes else ""
    assert words(page, f"{RELATED}//li")[-1] == f"{label}A001RX in the notes: “BEA Account Code: A001RX”"


def test_series_page_names_its_twin(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series()])
    title_index.add([twin_record()], title_index.FETCHED)

    page = client.get("/series/GNPCA/")

    assert words(page, f"{RELATED}//li") == [
        f"TWIN: the same series, {OTHER_ADJUSTMENT} same title, units and frequency"
    ]
    assert "/series/TWIN/" in links(page).values()


def test_series_page_is_another_one_when_a_twin_is_known(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series()])
    before = client.get("/series/GNPCA/")
    title_index.add([twin_record()], title_index.FETCHED)

    after = client.get("/series/GNPCA/", headers={"If-None-Match": before["ETag"]})

    assert not document(before).xpath(RELATED)
    assert (after.status_code, "TWIN" in after.text) == (200, True)


def test_series_page_is_another_one_when_a_series_of_its_notes_is_known_to_be_missing(
    client: Client, stand_in: FakeService, settings: Settings
) -> None:
    settings.ECON_BASE_URL, settings.ECON_API_KEY = "https://data.example.org", "0123456789abcdef0123456789abcdef"
    stand_in.seriess["GNPCA"] = [{**a_series(notes="See also GDPC1."), "popularity": 1}]
    before = client.get("/series/GNPCA/")
    # The list asks for it.
    client.get("/series/", {"ids": "GDPC1"})

    after = client.get("/series/GNPCA/", headers={"If-None-Match": before["ETag"]})

    assert "/series/GDPC1/" in links(before).values()
    assert (after.status_code, "/series/GDPC1/" in links(after).values()) == (200, False)


def test_series_list_names_twins_and_replaced_series(client: Client, catalogue: Loader) -> None:
    catalogue(
        series=[
            a_series(notes=NOTES),
            a_series(id="GNPC96", seasonal_adjustment=OTHER_ADJUSTMENT, notes=""),
            a_series(id="OTHER", title="Another title", notes=""),
        ]
    )

    page = client.get("/series/?ids=GNPCA,GNPC96,OTHER")

    found = dict(zip(words(page, "//dl//dt"), words(page, "//dl//dd"), strict=True))
    assert found["Equal in title, units and frequency"] == "GNPCA and GNPC96."
    assert found["Replaced, as their notes say"] == "GNPCA (by GNPC96)."


def test_series_list_of_series_that_belong_together_has_no_related_findings(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series(notes=""), a_series(id="B", title="Another title", notes="")])

    page = client.get("/series/?ids=GNPCA,B")

    assert "Equal in title" not in page.text
    assert "Replaced" not in page.text
