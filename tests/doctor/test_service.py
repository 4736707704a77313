"""Findings of `manage.py doctor` about the service, and about another server at its address."""

import pytest
from pytest_django import Settings

from econweb.upstream.errors import NotFound, Refused, Unavailable
from tests.builders import a_series
from tests.conftest import Loader
from tests.doctor.test_doctor import Doctor, doctor

__all__ = ["doctor"]
pytestmark = pytest.mark.django_db(transaction=True)
NO_SERVICE_THERE = "ERROR service no service answers at this address: check ECON_BASE_URL and ECON_SERVICE_PATH"


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Refused("no", is_about_key=True), "ERROR service the service refuses the key: check ECON_API_KEY"),
        (Unavailable("It is away."), "ERROR service the service does not answer: It is away."),
        (NotFound("The data provider sent an error without a message."), NO_SERVICE_THERE),
        # Any web framework says this of a path that it does not have.
        (NotFound("Not Found", is_explicit=True), NO_SERVICE_THERE),
    ],
)
def test_doctor_says_what_the_service_answers(
    doctor: Doctor, settings: Settings, monkeypatch: pytest.MonkeyPatch, outcome: Exception, said: str
) -> None:
    settings.ECON_BASE_URL = "https://127.0.0.1:9"

    def refuse(*_: object) -> bytes:
        raise outcome

    monkeypatch.setattr("econweb.upstream.client.EconClient.get", refuse)

    report = doctor()

    assert (report.code, report.about("service")) == (1, [said])
    assert report.about("terms")[0].startswith("warning terms nobody has confirmed the terms of the service")


def test_doctor_knows_the_service_by_its_word_on_a_missing_series(doctor: Doctor, catalogue: Loader) -> None:
    catalogue(series=[a_series(id="OTHER")])

    assert doctor().about("service")[0].startswith("ok service the embedded service accepts the key")
