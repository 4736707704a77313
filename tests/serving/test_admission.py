"""Admission: some requests run, some wait in the queue, and the others get a 503 at once."""

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event, Semaphore, Thread
from time import sleep
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest
from django.db import connections
from django.http import HttpResponse
from pytest_django import Settings

from econweb.cacheable_response import CacheableResponse
from econweb.serving import admission, response_cache
from tests.serving import cacheable_site

Answer = tuple[str, dict[str, str], bytes]


class Site:
    """Every answer waits for the gate; `inside` counts the requests that have started."""

    def __init__(self) -> None:
        self.gate = Event()
        self.inside = Semaphore(0)
        self.fails = False

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self.inside.release()
        if environ["PATH_INFO"] != "/healthz":
            assert self.gate.wait(30)
        if self.fails:
            raise LookupError
        start_response("200 OK", [("X-Path", environ["PATH_INFO"])])
        return [b"done"]


def asked(application: WSGIApplication, path: str = "/") -> Answer:
    started: list[object] = []

    def start(*arguments: object) -> object:
        started[:] = arguments
        return lambda body: None

    body = b"".join(application({"PATH_INFO": path}, start))  # type: ignore[arg-type]
    return str(started[0]), dict(started[1]), body  # type: ignore[call-overload]


@pytest.fixture(autouse=True)
def connections_of_the_tests() -> Iterator[None]:
    """Take away the connections of this thread: a thread of the server starts without any."""
    own = {connection.alias: connection for connection in connections.all(initialized_only=True)}
    for alias in own:
        del connections[alias]
    yield
    for alias, connection in own.items():
        connections[alias] = connection


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(admission, "MAX_CONCURRENT", 2)
    monkeypatch.setattr(admission, "MAX_QUEUED", 0)
    return Site()


@pytest.fixture
def readers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as threads:
        yield threads


def two_under_way(site: Site, application: WSGIApplication, readers: ThreadPoolExecutor) -> list[Future[Answer]]:
    answers = [readers.submit(asked, application) for _ in range(2)]
    for _ in answers:
        assert site.inside.acquire(timeout=30)
    return answers


def test_admission_passes_responses_unchanged(site: Site) -> None:
    site.gate.set()

    assert asked(admission.limit_concurrency(site), "/a") == ("200 OK", {"X-Path": "/a"}, b"done")


def test_full_queue_answers_503_with_retry_after(site: Site, readers: ThreadPoolExecutor) -> None:
    application = admission.limit_concurrency(site)
    under_way = two_under_way(site, application, readers)

    status, headers, body = asked(application)
    site.gate.set()

    assert status.startswith("503")
    assert int(headers["Retry-After"]) > 0
    assert headers["Content-Length"] == str(len(body))
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "same-origin"
    assert "Strict-Transport-Security" not in headers
    assert b'role="alert"' in body
    assert [answer.result(30)[0] for answer in under_way] == ["200 OK", "200 OK"]
    assert asked(application)[0] == "200 OK"


def test_503_over_https_has_the_hsts_header(
    site: Site, readers: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.SECURE_HSTS_SECONDS, settings.SECURE_PROXY_SSL_HEADER = 3600, ("HTTP_X_FORWARDED_PROTO", "https")
    for name in ("MAX_CONCURRENT", "MAX_QUEUED"):
        monkeypatch.setattr(admission, name, 0)
    environ = {"PATH_INFO": "/", "HTTP_X_FORWARDED_PROTO": "https"}
    started: list[object] = []

    def start(*arguments: object) -> object:
        started[:] = arguments
        return lambda body: None

    b"".join(admission.limit_concurrency(site)(environ, start))  # type: ignore[arg-type]

    assert ("Strict-Transport-Security", "max-age=3600") in started[1]  # type: ignore[operator]


def test_requests_wait_in_the_queue_up_to_its_bound(
    site: Site, readers: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "MAX_QUEUED", 1)
    application = admission.limit_concurrency(site)
    two_under_way(site, application, readers)

    others = [readers.submit(asked, application) for _ in range(2)]
    refused = wait(others, 30, FIRST_COMPLETED).done
    site.gate.set()

    assert [answer.result()[0][:3] for answer in refused] == ["503"]
    assert sorted(answer.result(30)[0][:3] for answer in others) == ["200", "503"]


def test_queue_is_first_come_first_served(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MAX_CONCURRENT", 1)
    monkeypatch.setattr(admission, "MAX_QUEUED", 20)
    done: list[str] = []

    def noted(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        done.append(environ["PATH_INFO"])
        return site(environ, start_response)

    queue = admission.AdmissionQueue()
    monkeypatch.setattr(admission, "AdmissionQueue", lambda: queue)
    application = admission.limit_concurrency(noted)
    paths = [f"/{number:02}" for number in range(20)]
    threads = [Thread(target=asked, args=(application, path)) for path in paths]
    for number, thread in enumerate(threads):
        thread.start()
        while len(done) + len(queue._waiting) < number + 1:
            sleep(0.001)
    site.gate.set()
    for thread in threads:
        thread.join(30)

    assert done == paths


def test_failed_request_frees_its_slot(site: Site) -> None:
    application = admission.limit_concurrency(site)
    site.gate.set()
    site.fails = True
    for _ in range(3):
        with pytest.raises(LookupError):
            asked(application)
    site.fails = False

    assert asked(application)[0] == "200 OK"


def test_health_check_needs_no_slot(site: Site, readers: ThreadPoolExecutor) -> None:
    application = admission.limit_concurrency(site)
    two_under_way(site, application, readers)

    answer = asked(application, "/healthz")
    site.gate.set()

    assert answer[0] == "200 OK"


def test_revalidation_of_a_cached_response_takes_a_slot(site: Site, readers: ThreadPoolExecutor) -> None:
    """It may query the database, and the server has more threads than connections."""
    made = CacheableResponse(HttpResponse(), lambda: True)

    def either(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        return made if environ["PATH_INFO"] == "/finished" else site(environ, start_response)

    application = admission.limit_concurrency(either)
    response: Any = application({"PATH_INFO": "/finished"}, lambda *given: lambda body: None)
    under_way = two_under_way(site, application, readers)
    with pytest.raises(admission.QueueFull):
        response.is_still_valid()
    site.gate.set()

    assert [answer.result(30)[0] for answer in under_way] == ["200 OK", "200 OK"]
    assert response.is_still_valid()


def test_full_queue_leaves_a_cached_page_in_the_cache(
    site: Site, readers: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rendering it once more is dearest then."""
    monkeypatch.setattr(response_cache, "REVALIDATE_SECONDS", 0.0)
    pages = cacheable_site.Site()

    def either(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        return (pages if "QUERY_STRING" in environ else site)(environ, start_response)

    limited = admission.limit_concurrency(either)
    application = response_cache.cache_responses(limited)
    first = cacheable_site.asked(application)
    under_way = two_under_way(site, limited, readers)
    refused = cacheable_site.asked(application)
    site.gate.set()
    assert [answer.result(30)[0] for answer in under_way] == ["200 OK", "200 OK"]
    later = cacheable_site.asked(application)

    assert (refused.status[:3], later.status, later.body) == ("503", "200 OK", first.body)
    assert (pages.asked, pages.looks) == (1, 1)
