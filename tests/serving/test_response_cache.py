"""The response cache sends a response again while it is valid, and never after its data has changed."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from econweb.serving import response_cache
from tests.serving.cacheable_site import Get, Site, asked

# At the end of a response Django checks the connections that earlier tests left open.
pytestmark = pytest.mark.django_db


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def get(site: Site) -> Get:
    application = response_cache.cache_responses(site)
    return lambda *arguments, **headers: asked(application, *arguments, **headers)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    # The clock of this module alone: other threads go on by that of the machine.
    clocks = SimpleNamespace(monotonic=lambda: now[0], perf_counter=time.perf_counter)
    monkeypatch.setattr("econweb.serving.response_cache.time", clocks)
    return now


def test_second_response_comes_from_the_cache(site: Site, get: Get) -> None:
    first, second = get(), get()

    assert site.asked == 1
    assert second.body == first.body
    assert {**second.headers, "X-Request-ID": ""} == {**first.headers, "X-Request-ID": ""}


def test_response_that_depends_on_no_header_is_cached(site: Site, get: Get) -> None:
    """The OpenSearch description is such a file."""
    site.vary = ""
    first, second = get(), get(hx_request="true")

    assert site.asked == 1
    assert second.body == first.body


def test_cached_response_has_the_id_of_its_request(get: Get) -> None:
    first, second, third = get(), get(), get(x_request_id="given-1")

    assert first.headers["X-Request-ID"] == "of-django"
    assert len(second.headers["X-Request-ID"]) == 32
    assert third.headers["X-Request-ID"] == "given-1"


@pytest.mark.usefixtures("clock")
def test_response_is_not_revalidated_within_a_second(site: Site, get: Get) -> None:
    for _ in range(5):
        get()

    assert (site.asked, site.looks) == (1, 0)


def test_response_is_revalidated_once_a_second(site: Site, get: Get, clock: list[float]) -> None:
    get()
    clock[0] += response_cache.REVALIDATE_SECONDS
    get()
    get()

    assert (site.asked, site.looks) == (1, 1)


def test_invalid_response_is_rendered_again(site: Site, get: Get, clock: list[float]) -> None:
    get()
    site.state = "second"
    clock[0] += response_cache.REVALIDATE_SECONDS

    answer = get()

    assert answer.body.startswith(b"second")
    assert answer.headers["ETag"] == '"second"'


def test_invalid_response_stays_invalid_for_a_thread_that_asks_before_it_is_removed(clock: list[float]) -> None:
    cached = response_cache.CachedResponse([], b"old", '"old"', lambda: False)
    clock[0] += response_cache.REVALIDATE_SECONDS
    environ = {"HTTP_X_REQUEST_ID": "given-1", "REMOTE_ADDR": "127.0.0.1"}

    assert [cached.is_still_valid(environ, None) for _ in range(2)] == [False, False]


def test_revalidation_that_fails_leaves_the_request_to_django(
    site: Site, get: Get, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    get()
    monkeypatch.setattr(site, "look", lambda said: 1 / 0)
    clock[0] += response_cache.REVALIDATE_SECONDS

    assert get().status.startswith("200")
    assert site.asked == 2


@pytest.mark.parametrize(
    "header",
    [
        "authorization",
        "cache_control",
        "range",
        "if_match",
        "if_modified_since",
        "transfer_encoding",
    ],
)
def test_request_with_a_conditional_or_private_header_goes_to_django(site: Site, get: Get, header: str) -> None:
    get()
    get(**{header: "x"})

    assert site.asked == 2


def test_other_methods_go_to_django(site: Site, get: Get) -> None:
    get()
    get("", "POST")

    assert site.asked == 2


def test_error_response_is_not_cached(site: Site, get: Get) -> None:
    site.status = 404
    get()
    get()

    assert site.asked == 2


def test_known_etag_is_a_304(site: Site, get: Get) -> None:
    etag = get().headers["ETag"]

    answer = get(if_none_match=f'"other", W/{etag}')

    assert site.asked == 1
    assert (answer.status, answer.body) == ("304 Not Modified", b"")
    assert answer.headers["ETag"] == etag
    assert "Content-Type" not in answer.headers
    assert "Content-Length" not in answer.headers


def test_304_of_django_is_cached(site: Site, get: Get) -> None:
    site.status = 304
    for _ in range(3):
        assert get(if_none_match='"first"').status.startswith("304")
    assert site.asked == 1

    site.status = 200
    answer = get()

    assert (site.asked, answer.status) == (2, "200 OK")
    assert answer.body.startswith(b"first")
    assert get().body == answer.body
    assert site.asked == 2


def test_unknown_etag_is_a_200(get: Get) -> None:
    get()

    assert get(if_none_match='"other"').status == "200 OK"


def test_cached_response_differs_by_encoding(site: Site, get: Get) -> None:
    for accepted in ("gzip", "gzip, br", "gzip", "br", "br;q=0", "identity"):
        get(accept_encoding=accepted)

    assert site.asked == 3


def test_least_recently_used_response_is_evicted_first(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_cache, "MAX_CACHE_BYTES", 20_000)
    application = response_cache.cache_responses(site)
    for query in ("a", "b", "a", *"cdefgh", "a", "b"):
        asked(application, query)

    assert site.asked == 10


def test_simultaneous_requests_for_one_page_fill_one_entry() -> None:
    """Each thread stores its response, and only the last one stays."""
    kept, usual = response_cache.ResponseCache(), sys.getswitchinterval()
    made = response_cache.CachedResponse([], b"x" * 1000, '"a"', lambda: True)
    environ = {"PATH_INFO": "/", "wsgi.url_scheme": "http"}
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(16) as readers:
            list(readers.map(lambda _: kept.put(kept.build_key(environ), environ, made, "Accept"), range(3000)))
    finally:
        sys.setswitchinterval(usual)

    assert kept._responses.currsize == made.size()


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(*[st.sampled_from(["", "1", "2"])] * 4), min_size=2, max_size=20))
def test_cached_responses_equal_those_of_django_in_any_order(steps: list[tuple[str, ...]]) -> None:
    """A response that is revalidated each time is that of Django, in any order of requests."""
    site = Site()
    application = response_cache.cache_responses(site)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(response_cache, "REVALIDATE_SECONDS", -1.0)
        for state, query, reader, given_etag in steps:
            site.state = state
            headers = {"hx_request": reader} if reader else {}
            fresh = asked(Site(state), query, **headers)
            answer = asked(application, query, **headers, if_none_match=f'"{given_etag}"')
            if answer.status.startswith("200"):
                assert answer.body == fresh.body
            assert answer.headers["ETag"] == fresh.headers["ETag"]
