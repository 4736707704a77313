"""The bounds of what one person follows."""

import pytest
from django.test import Client

from econweb.dashboard.watches.views import FULL, FULL_OF_SOURCES
from econweb.watching import watches
from econweb.watching.models import WatchedSource
from tests.dashboard.reading import alert
from tests.dashboard.watches.test_follow import FILTERED, TAGS, followed_by

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]


def test_one_follows_no_more_than_the_bound(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watches, "MAX_WATCHES", 1)
    client.post("/me/follow/", {"target": TAGS})
    again = client.post("/me/follow/", {"target": TAGS})
    refused = client.post("/me/follow/", {"target": FILTERED})

    assert (again.status_code, refused.status_code) == (302, 409)
    assert FULL == "You already follow 500 views, the most possible. Stop following one first."
    assert alert(refused).startswith(FULL)
    assert followed_by("local editor") == [TAGS]


def test_page_says_that_one_follows_too_many_sources(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watches, "MAX_SOURCES", 1)
    refused = client.post("/me/follow/", {"target": "/series/?ids=gnpca,unrate"})

    assert refused.status_code == 409
    assert FULL_OF_SOURCES.startswith(
        "With this view you would follow more than 2,000 series, categories and releases,"
    )
    assert alert(refused).startswith(FULL_OF_SOURCES)
    assert (followed_by("local editor"), WatchedSource.objects.count()) == ([], 0)
