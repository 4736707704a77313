"""During an outage of ten minutes, pages seen before are shown with their age."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from pytest_django import Settings

from econweb.upstream import new_client, service
from econweb.upstream.errors import Unavailable
from econweb.upstream.queries import TagQuery
from econweb.upstream.records import TagPage
from tests.upstream.conftest import Clock
from tests.upstream.sample_replies import GOOD_TAGS, as_json

VIEWS = range(20)


class Sometimes:
    """A service that is there or not."""

    def __init__(self) -> None:
        self.there, self.requests = True, 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self.requests += 1
        start_response("200 OK" if self.there else "503 Gone Fishing", [])
        return [as_json(GOOD_TAGS)]


@pytest.fixture
def sometimes(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Sometimes:
    settings.ECON_FRESH_SECONDS = 60
    app = Sometimes()
    monkeypatch.setattr(new_client, "InProcessHandler", lambda: app)
    return app


def view(number: int) -> TagPage:
    return service.tags("category", number, TagQuery())


def test_outage_of_ten_minutes_is_bridged_by_stale_answers(sometimes: Sometimes, frozen_clock: Clock) -> None:
    first = []
    for number in VIEWS:
        first.append(view(number))
        frozen_clock.moment += 1
    gone = frozen_clock.moment
    sometimes.there = False
    frozen_clock.moment += 61
    asked_before = sometimes.requests

    with ThreadPoolExecutor(8) as pool:
        while frozen_clock.moment < gone + 600:
            pages = list(pool.map(view, [*VIEWS, *VIEWS]))
            assert [page.count for page in pages] == [2] * 40
            # Each with its own age.
            assert [page.freshness.fetched for page in pages] == [page.freshness.fetched for page in first] * 2
            assert all(page.freshness.is_stale for page in pages)
            frozen_clock.moment += 5

    with pytest.raises(Unavailable):
        view(99)
    # Five failures, those that were under way with them, and a probe with its second try now and then.
    assert sometimes.requests - asked_before < 60

    sometimes.there = True
    frozen_clock.moment += 61
    before = sometimes.requests
    back = view(0)

    assert (back.freshness.is_stale, sometimes.requests - before) == (False, 1)
    assert service.state()["breaker"] == "closed"
    assert not any(view(number).freshness.is_stale for number in VIEWS)
