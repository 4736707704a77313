"""The three requests of the service module, answers from the cache, and a refresh on demand."""

import gc
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from pytest_django import Settings

from econweb.serving.preload import preload
from econweb.upstream import service
from econweb.upstream.limits.circuit_breaker import FAILURES_TO_OPEN
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.upstream.transport.network import DeadlineAdapter
from tests.upstream.client_calls import good
from tests.upstream.conftest import Clock
from tests.upstream.fake_tag_service import ListingService
from tests.upstream.limits.breaker_calls import fail, lets_through
from tests.upstream.raw_server import Peer, http
from tests.upstream.sample_replies import GOOD_TAGS, as_json

QUESTIONS: dict[str, tuple[Callable[[bool], object], bytes, str]] = {
    "series": (
        lambda renew: service.series(SeriesQuery("GNPCA"), renew),
        good(),
        "/econ/series?series_id=GNPCA&api_key=",
    ),
    "category_tags": (
        lambda renew: service.tags("category", 125, TagQuery(), renew),
        http(as_json(GOOD_TAGS)),
        "/econ/category/tags?category_id=125&order_by=",
    ),
    "release_tags": (
        lambda renew: service.tags("release", 51, TagQuery(), renew),
        http(as_json(GOOD_TAGS)),
        "/econ/release/tags?release_id=51&order_by=",
    ),
}


@pytest.mark.parametrize(("ask", "answer", "address"), QUESTIONS.values(), ids=QUESTIONS)
def test_service_call_uses_its_endpoint_and_can_be_refreshed(
    pointed_at: Peer, frozen_clock: Clock, ask: Callable[[bool], object], answer: bytes, address: str
) -> None:
    pointed_at.will(answer)
    ask(False)
    frozen_clock.moment += 61
    ask(False)
    before = len(pointed_at.requests)
    ask(True)

    assert (before, len(pointed_at.requests)) == (1, 2)
    assert all(request.startswith(f"GET {address}") for request in pointed_at.requests)


def test_fresh_answer_is_refreshed_by_reload_only(pointed_at: Peer, frozen_clock: Clock) -> None:
    for question in (
        lambda: service.series(SeriesQuery("GNPCA")),
        lambda: service.tags("category", 125, TagQuery()),
        lambda: service.tags("release", 51, TagQuery()),
    ):
        pointed_at.will(good() if not pointed_at.requests else http(as_json(GOOD_TAGS)))
        question()
        frozen_clock.moment += 61
        question()

    assert len(pointed_at.requests) == 3


def test_answer_has_time_of_fetch(pointed_at: Peer, frozen_clock: Clock) -> None:
    pointed_at.will(http(as_json(GOOD_TAGS)))

    page = service.tags("category", 125, TagQuery())

    assert (page.freshness.fetched, page.freshness.is_stale) == (
        datetime.fromtimestamp(frozen_clock.moment, UTC),
        False,
    )


def test_cached_series_is_returned_without_a_request(pointed_at: Peer) -> None:
    pointed_at.will(good())
    before = service.cached_series(SeriesQuery("GNPCA"))
    service.series(SeriesQuery("GNPCA"))
    known = service.cached_series(SeriesQuery("GNPCA"))

    assert before is None
    assert known
    assert known.reply.seriess[0].id == "GNPCA"
    assert service.cached_series(SeriesQuery("GNPCB")) is None
    assert len(pointed_at.requests) == 1


def test_set_too_large_for_the_cache_is_decoded_once(pointed_at: Peer, settings: Settings) -> None:
    settings.ECON_TIMEOUT = 60
    listing = ListingService(1999)
    for tag in listing.tags:
        tag["notes"] = "x" * 7000
    listing.answers(pointed_at)
    readers = [service.tags("category", 125, TagQuery()) for _ in range(3)]

    assert [page.total for page in readers] == [1999] * 3
    assert len(listing.asked) == 2


def test_service_state_has_remaining_rate_limit(pointed_at: Peer, frozen_clock: Clock) -> None:
    pointed_at.will(good())
    before = service.state()
    service.series(SeriesQuery("GNPCA"))

    assert before == {"breaker": "closed", "failure": "", "allowance_left": 10, "key": "ok"}
    assert service.state() == {"breaker": "closed", "failure": "", "allowance_left": 9, "key": "ok"}


@pytest.mark.parametrize("scheme", ["http://", "https://"])
def test_service_uses_deadline_adapter_for_every_scheme(scheme: str) -> None:
    assert isinstance(service.upstream().client.session.get_adapter(f"{scheme}data.example.org"), DeadlineAdapter)


def test_service_path_is_configurable_except_for_the_embedded_one(pointed_at: Peer, settings: Settings) -> None:
    settings.ECON_SERVICE_PATH = "v1/data"
    pointed_at.will(good())
    service.series(SeriesQuery("GNPCA"))
    settings.ECON_BASE_URL = ""
    service.upstream.cache_clear()

    assert pointed_at.requests[0].startswith("GET /v1/data/series?")
    assert service.upstream().client.service_path == "econ"


@pytest.mark.parametrize("timeout", [0.5, 10.0, 120.0])
def test_breaker_probe_is_lost_after_its_deadline(settings: Settings, frozen_clock: Clock, timeout: float) -> None:
    settings.ECON_TIMEOUT = timeout
    breaker = service.upstream().client.breaker
    fail(breaker, FAILURES_TO_OPEN)
    frozen_clock.moment += 5.01
    before = lets_through(breaker)
    # The longest time that an answer may take.
    frozen_clock.moment += 1.1 * timeout
    meanwhile = lets_through(breaker)
    frozen_clock.moment += 1.5

    assert (before, meanwhile, lets_through(breaker)) == (1, 0, 1)


def test_preload_creates_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "freeze", lambda: None)
    before = service.upstream.cache_info().currsize
    preload()

    assert (before, service.upstream.cache_info().currsize) == (0, 1)


def test_embedded_service_has_no_rate_limit() -> None:
    assert service.state() == {"breaker": "closed", "failure": "", "allowance_left": None, "key": "ok"}
