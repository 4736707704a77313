"""Cache headers: public pages may be cached, and responses to signed-in users may not."""

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client, RequestFactory

from econweb.serving.headers import add_cache_headers
from tests.fake_service import FakeService, tags_of

pytestmark = pytest.mark.django_db
PATH = "/release/53/tags/"
RESULTS = {"HX-Request": "true", "HX-Target": "results"}


def rules(answer: object) -> set[str]:
    return set(answer["Cache-Control"].split(", "))  # type: ignore[index]


@pytest.fixture(autouse=True)
def release_53(stand_in: FakeService) -> None:
    stand_in.has("release", 53, tags_of(120))


@pytest.mark.parametrize("headers", [{}, RESULTS])
def test_page_is_cached_by_proxies_for_one_second(client: Client, headers: dict[str, str]) -> None:
    answer = client.get(PATH, headers=headers)
    known = client.get(PATH, headers={**headers, "If-None-Match": answer["ETag"]})

    assert rules(answer) == {"public", "max-age=0", "s-maxage=1"}
    assert known.status_code == 304
    assert rules(known) == rules(answer)
    # A common proxy keeps nothing whose Vary is longer.
    assert len(answer["Vary"]) <= 128


def test_responses_to_signed_in_users_are_private(client: Client, admin_user: User) -> None:
    client.force_login(admin_user)

    assert rules(client.get(PATH)) == {"private", "no-cache"}
    assert {"private", "no-store"} <= rules(client.get("/admin/"))


def test_response_to_a_request_with_a_cookie_is_private(client: Client) -> None:
    client.cookies["theme"] = "dark"

    assert rules(client.get(PATH)) == {"private", "no-cache"}


def test_response_to_a_request_with_credentials_is_private(client: Client) -> None:
    """A39"""
    assert rules(client.get(PATH, headers={"Authorization": "Basic eDp5"})) == {"private", "no-cache"}


@pytest.mark.parametrize("sets_cookie", [True, False])
def test_response_that_sets_a_cookie_is_private(sets_cookie: bool) -> None:
    """A39"""

    def view(_request: object) -> HttpResponse:
        response = HttpResponse("same for all", headers={"ETag": '"a"'})
        if sets_cookie:
            response.set_cookie("session", "x")
        return response

    answer = add_cache_headers(view)(RequestFactory().get("/"))

    assert ("public" in rules(answer)) is not sets_cookie


@pytest.mark.parametrize("path", ["/about/", "/nowhere/", "/go?q=", "/release/53/tags/?limit=x", "/go?q=GNPCA"])
def test_response_without_an_etag_is_not_cached_by_proxies(client: Client, path: str) -> None:
    assert rules(client.get(path)) == {"private", "no-cache"}


@pytest.mark.parametrize("path", ["/econ/series?series_id=GNPCA", "/admin/login/", "/healthz"])
def test_cache_control_of_the_view_is_not_changed(client: Client, path: str) -> None:
    assert "no-store" in rules(client.get(path))


@pytest.mark.parametrize("link", [PATH, "/release/53/tags.csv", "/release/53/tags.xlsx"])
def test_304_has_no_length_and_varies_by_encoding_as_the_200_does(client: Client, link: str) -> None:
    whole = client.get(link, headers={"Accept-Encoding": "gzip"})
    whole.close()
    again = client.get(link, headers={"Accept-Encoding": "gzip", "If-None-Match": whole["ETag"]})

    assert (whole.status_code, again.status_code) == (200, 304)
    assert "Content-Length" not in again
    assert ["Accept-Encoding" in answer["Vary"].split(", ") for answer in (whole, again)] == [True, True]
