"""A cached response is sent only to a request that would get the same bytes from Django."""

from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from django.http import HttpResponse

from econweb.cacheable_response import CacheableResponse
from econweb.serving.response_cache import MAX_IF_NONE_MATCH, cache_responses
from tests.serving.cacheable_site import asked

# At the end of a response Django checks the connections that earlier tests left open.
pytestmark = pytest.mark.django_db


class LinkingSite:
    """A program whose answers link to the address under which the browser asked."""

    def __init__(self) -> None:
        self.requests = 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> HttpResponse:
        self.requests += 1
        scheme = environ.get("HTTP_X_FORWARDED_PROTO", "http")
        response = HttpResponse(f"{scheme}://{environ.get('HTTP_HOST')}/")
        response["ETag"], response["Vary"], response["X-Request-ID"] = '"same"', "HX-Request", "of-django"
        if scheme == "https":
            response["Strict-Transport-Security"] = "max-age=3600"
        start_response("200 OK", list(response.items()))
        return CacheableResponse(response, lambda: True)


def test_cached_response_differs_by_host() -> None:
    """A39"""
    application = cache_responses(LinkingSite())

    hosts = ["a.example", "b.example", "a.example"]
    links = [asked(application, host=host).body.decode() for host in hosts]

    assert links == [f"http://{host}/" for host in hosts]


def test_cached_response_differs_by_scheme() -> None:
    """A39"""
    application = cache_responses(LinkingSite())

    answers = [asked(application, host="a.example", x_forwarded_proto=x) for x in ("http", "https", "http")]

    assert [answer.body for answer in answers] == [
        b"http://a.example/",
        b"https://a.example/",
        b"http://a.example/",
    ]
    assert ["Strict-Transport-Security" in answer.headers for answer in answers] == [False, True, False]


def test_cached_response_is_shared_by_host_and_scheme() -> None:
    site = LinkingSite()
    application = cache_responses(site)

    for _ in range(3):
        asked(application, host="a.example", x_forwarded_proto="https")

    assert site.requests == 1


@pytest.mark.parametrize(("length", "requests"), [(MAX_IF_NONE_MATCH, 1), (MAX_IF_NONE_MATCH + 1, 2)])
def test_long_if_none_match_goes_to_django(length: int, requests: int) -> None:
    """A39"""
    site = LinkingSite()
    application = cache_responses(site)
    asked(application)

    asked(application, if_none_match='"other"'.ljust(length))

    assert site.requests == requests
