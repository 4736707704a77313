"""A value that the service refuses is a 400 with the form and the service's message."""

import pytest
from django.test import Client

from econweb.upstream.errors import NotFound, WrongValue
from tests.builders import a_series
from tests.dashboard.reading import alert, document
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
TOO_LATE = "Variable realtime_end can not be after today's date."
PERIOD = "realtime_start=2020-01-01&realtime_end=2020-01-01"
# Each with the value of a field that the form on the page shows again.
VIEWS = {
    f"/series/GNPCA/?{PERIOD}": ("q", "GNPCA"),
    f"/series/?ids=GNPCA,GDP&{PERIOD}": ("realtime_end", "2020-01-01"),
    f"/category/125/tags/?{PERIOD}": ("realtime_end", "2020-01-01"),
    "/compare/?a=category:125@2020-01-01&b=category:125": ("a", "category:125@2020-01-01"),
    "/compare/?a=series:GNPCA@2020-01-01&b=series:GDP": ("a", "series:GNPCA@2020-01-01"),
}


@pytest.fixture(autouse=True)
def refusing(stand_in: FakeService) -> FakeService:
    stand_in.has("category", 125, [a_tag()])
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 1}]
    stand_in.error = WrongValue(f"Bad Request.  {TOO_LATE}", "realtime_end")
    return stand_in


@pytest.mark.parametrize(("view", "field"), VIEWS.items(), ids=VIEWS)
def test_refused_date_is_an_error_in_the_form(client: Client, view: str, field: tuple[str, str]) -> None:
    page = client.get(view)
    name, value = field
    shown = document(page).xpath("//main//*[@name=$name]/@value | //header//*[@name=$name]/@value", name=name)

    assert page.status_code == 400
    assert TOO_LATE in alert(page)
    assert "Bad Request" not in alert(page)
    assert value in shown


@pytest.mark.parametrize("view", VIEWS)
def test_refused_date_in_export_is_a_400(client: Client, view: str) -> None:
    path, _, query = view.partition("?")

    answer = client.get(f"{path.rstrip('/')}.csv?{query}")

    assert answer.status_code == 400
    assert TOO_LATE in answer.text


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Not Found.  The series does not exist.", "The series does not exist."),
        ("Bad Request.  The series does not exist.", "The series does not exist."),
        ("Not Found", "The data provider does not know it."),
    ],
)
def test_refused_message_does_not_repeat_status_name(
    client: Client, refusing: FakeService, words: str, shown: str
) -> None:
    refusing.error = NotFound(words, is_explicit=True)

    page = client.get("/series/GNPCA/")

    assert page.status_code == 404
    assert alert(page).startswith(f"No series “GNPCA” {shown}")


def test_refused_date_stays_at_its_field_while_the_failure_is_remembered(client: Client, refusing: FakeService) -> None:
    pages = [client.get(f"/category/125/tags/?{PERIOD}") for _ in range(2)]

    assert [document(page).xpath("//input[@name='realtime_end']/@aria-invalid") for page in pages] == [["true"]] * 2
    assert len(refusing.asked) == 1
