"""The reason why a page, a file or a check has an old answer: the message of the service, as error pages give it."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.upstream.errors import Refused
from tests.dashboard.frozen.copies import VIEW, freeze, view
from tests.dashboard.reading import words
from tests.fake_service import FakeService

__all__ = ["view"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def refusing(stand_in: FakeService, view: str, client: Client, settings: Settings) -> str:
    """Return a frozen copy of a view that the service refuses, and that this site still has."""
    settings.ECON_FRESH_SECONDS = 0
    path = freeze(client, VIEW).partition("?")[0]
    client.get(f"{path}check")
    client.get(VIEW)
    stand_in.error = Refused("Bad Request.  Variable limit is odd.")
    return path


def test_reason_of_a_stale_answer_has_no_name_of_a_status(client: Client, refusing: str) -> None:
    notice = " ".join(words(client.get(VIEW), "//section/p"))
    table = client.get(f"{VIEW.rstrip('/')}.csv").getvalue().decode()
    check = client.get(f"{refusing}check").text

    assert "UTC. Variable limit is odd." in notice
    assert "# stale,yes. Variable limit is odd.\r\n" in table
    assert "Variable limit is odd. Its last answer is of" in check
    assert "Bad Request" not in notice + table + check
