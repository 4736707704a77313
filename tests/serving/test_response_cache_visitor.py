"""The check of a cached response asks the service in the name of the visitor whose request it is."""

import time
from types import SimpleNamespace

import pytest
import structlog
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.wsgi import get_wsgi_application
from django.test import Client
from pytest_django import Settings

from econweb.serving.response_cache import cache_responses
from econweb.upstream import service
from econweb.upstream.client import EconClient
from econweb.upstream.visitor_limits import visitor
from tests.accounts.signed_in import PASSWORD
from tests.fake_service import FakeService, a_tag
from tests.serving.cacheable_site import asked

pytestmark = pytest.mark.django_db
ADDRESS = "192.0.2.7"
# The first request lets the site know the reader, the second one is cached, and the third one checks it.
IDENTITIES = ("first", "second", "third")
# The visitor and the request id of each request that reached the service.
Askers = list[tuple[str, str]]


@pytest.fixture
def askers(stand_in: FakeService, monkeypatch: pytest.MonkeyPatch) -> Askers:
    stand_in.has("category", 125, [a_tag("usa")])
    found: Askers = []

    def get(_client: EconClient, endpoint: str, parameters: dict[str, str], _deadline: object) -> bytes:
        found.append((visitor.get(), structlog.contextvars.get_contextvars().get("request_id", "")))
        return stand_in.get(endpoint, parameters)

    monkeypatch.setattr(EconClient, "get", get)
    return found


def check_a_page(monkeypatch: pytest.MonkeyPatch, **headers: str) -> None:
    """Ask for a page again and again, and let the check of the cached one ask the service."""
    now, site = [100.0], cache_responses(get_wsgi_application())
    clocks = SimpleNamespace(monotonic=lambda: now[0], perf_counter=time.perf_counter)
    monkeypatch.setattr("econweb.serving.response_cache.time", clocks)
    for identity in IDENTITIES:
        # All that this process keeps is gone, so that the service is asked again.
        cache.clear()
        service.upstream.cache_clear()
        answer = asked(
            lambda environ, start: site({**environ, "PATH_INFO": "/category/125/tags/"}, start),
            address=ADDRESS,
            host="testserver",
            accept_encoding="identity",
            x_request_id=identity,
            **headers,
        )
        assert (answer.status, answer.headers["X-Request-ID"]) == ("200 OK", identity)
        now[0] += 2


def test_check_has_the_address_and_the_id_of_the_request(askers: Askers, monkeypatch: pytest.MonkeyPatch) -> None:
    check_a_page(monkeypatch)

    assert set(askers) == {(ADDRESS, identity) for identity in IDENTITIES}
    assert (visitor.get(), structlog.contextvars.get_contextvars()) == ("", {})


def test_check_has_the_name_of_the_reader_who_is_signed_in(
    askers: Askers, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.READ, settings.SIGN_IN = "signed-in", "password"
    User.objects.create_user("ada", password=PASSWORD)
    reader = Client()
    reader.post("/sign-in/", {"username": "ada", "password": PASSWORD})
    check_a_page(monkeypatch, cookie="; ".join(f"{name}={one.value}" for name, one in reader.cookies.items()))

    assert set(askers) == {("person ada", identity) for identity in IDENTITIES}
