"""Freeze a view as a browser does."""

import pytest
from django.test import Client

from econweb.library.models import EVERYONE
from tests.fake_service import FakeService, tags_of

VIEW = "/category/125/tags/"


@pytest.fixture
def view(stand_in: FakeService) -> str:
    stand_in.has("category", 125, tags_of(60))
    return VIEW


def freeze(client: Client, target: str, **fields: str) -> str:
    """Return the path of the copy."""
    given = {"title": "Tags of trade", "reason": "For table 2", "audience": EVERYONE, "days": "0", **fields}
    answer = client.post("/me/freeze/", given, query_params={"target": target})
    assert answer.status_code == 302, answer.text
    return str(answer["Location"])
