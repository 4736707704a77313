"""The hosts that a request may name, and the ids that are requested."""

import pytest
from django.test import Client

from tests.builders import a_series
from tests.conftest import Loader
from tests.fake_service import FakeService


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("host", ["embedded.invalid", "embedded.invalid:80", "embedded.invalid:8443"])
@pytest.mark.parametrize("path", ["/series/GNPCA.txt", "/series/GNPCA/", "/econ/series", "/category/125/tags.csv"])
def test_embedded_service_host_is_refused_from_outside(client: Client, catalogue: Loader, host: str, path: str) -> None:
    catalogue(series=[a_series()])

    answer = client.get(path, headers={"Host": host})

    assert answer.status_code == 400
    assert b"embedded.invalid" not in answer.content


@pytest.mark.django_db(transaction=True)
def test_embedded_service_responds_and_links_have_host_of_the_request(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series()])

    answer = client.get("/series/GNPCA.txt", headers={"Host": "localhost"})

    assert answer.status_code == 200
    assert "http://localhost/series/GNPCA/?" in answer.text


LARGE = ["1000000000", "9" * 15, "9" * 4300]


@pytest.mark.django_db
@pytest.mark.parametrize("number", LARGE, ids=len)
@pytest.mark.parametrize("kind", ["category", "release"])
@pytest.mark.parametrize("rest", ["/", ".csv", "/code", "/names", "/profile"])
def test_impossible_id_is_not_found_without_a_request(
    client: Client, stand_in: FakeService, number: str, kind: str, rest: str
) -> None:
    answer = client.get(f"/{kind}/{number}/tags{rest}")

    assert (answer.status_code, stand_in.asked) == (404, [])


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["category 1234567890", "/release/1234567890/tags/", "1234567890"])
def test_search_box_rejects_impossible_ids(client: Client, stand_in: FakeService, text: str) -> None:
    answer = client.get("/go", {"q": text})

    assert "/category/" not in answer.get("Location", "")
    assert "/release/" not in answer.get("Location", "")
    # A word may be the id of a series, and the embedded service knows.
    assert {endpoint for endpoint, _ in stand_in.asked} <= {"series"}
