"""Cookies and the response cache: no cached response depends on one, and none with one is public."""

import pytest

from econweb.serving import response_cache
from tests.serving.cacheable_site import Get, Site, asked


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def get(site: Site) -> Get:
    application = response_cache.cache_responses(site)
    return lambda *arguments, **headers: asked(application, *arguments, **headers)


def test_request_with_a_cookie_gets_the_cached_page_as_a_private_one(site: Site, get: Get) -> None:
    public = get()
    private = get(cookie="econweb_session=x")

    assert site.asked == 1
    assert private.body == public.body
    assert (public.headers["Cache-Control"], private.headers["Cache-Control"]) == ("public", "private, no-cache")


def test_response_to_a_request_with_a_cookie_is_not_cached(site: Site, get: Get) -> None:
    get(cookie="econweb_session=x")
    get()

    assert site.asked == 2


def test_response_that_varies_with_cookies_is_not_cached(site: Site, get: Get) -> None:
    site.vary = "HX-Request, Cookie"
    get()
    get()

    assert site.asked == 2


def test_response_that_sets_a_cookie_is_not_cached(site: Site, get: Get) -> None:
    site.cookie = "session"
    get()
    get()

    assert site.asked == 2
