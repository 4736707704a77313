"""With READ=signed-in, nothing is read by people who are not signed in."""

import re
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.core.wsgi import get_wsgi_application
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from econweb.accounts.models import Session
from econweb.serving.response_cache import cache_responses
from tests.accounts.signed_in import PASSWORD, put_clock
from tests.fake_service import FakeService
from tests.serving.cacheable_site import Answer, Get, asked

pytestmark = pytest.mark.django_db
# Who may use each route: everybody, programs with a token or a key, or those whom the view itself admits.
OPEN = {"sign_in", "sign_in_callback", "signed_out", "invitation"}
WITH_TOKEN = {"my_feed", "mcp"}
WITH_KEY = {"econ"}
OF_VIEW = set(  # a list of names would take a line for each
    """
    assistants sign_out me end_sessions password names names_file edit_name undo_change changes changes_file admin
    freeze my_copies my_frozen my_frozen_part my_frozen_file my_frozen_citation my_frozen_pack edit_copy withdraw_copy
    my_saved_pack save_view my_news unsubscribe my_saved my_saved_view edit_saved_view my_compare my_compare_file
    follow my_watches
    """.split()  # noqa: SIM905
)
READERS = set(
    """
    owner tags home go browse browse_categories browse_children browse_releases overview overview_file
    tag_list tag_list_file about help suggest browser_suggestions opensearch series_search
    series_search_file series_list series_list_file series series_code series_file series_citation tag
    tag_file id_check id_check_file compare compare_file similar tags_file tags_code tag_names tag_profile
    copies frozen frozen_part frozen_file frozen_citation timemap timegate
    saved saved_view saved_pack frozen_pack news news_feed saved_feed
    """.split()  # noqa: SIM905
)
VALUES = {
    "kind": "category",
    "number": "125",
    "series_id": "GNPCA",
    "name": "usa",
    "account": "MQ",
    "token": "x-y",
    "suffix": "csv",
    "citation": "bib",
    "copy_id": "0000000000000",
    "part": "names",
}


@pytest.fixture(autouse=True)
def signed_in_readers_only(settings: Settings) -> None:
    settings.READ, settings.SIGN_IN = "signed-in", "password"


@pytest.fixture
def reader() -> Client:
    User.objects.create_user("ada", password=PASSWORD)
    client = Client()
    assert client.post("/sign-in/", {"username": "ada", "password": PASSWORD}).status_code == 302
    return client


def routes() -> dict[str, str]:
    """Return an address of every route by its name; those of the admin and of the embedded service have theirs."""
    found = {}
    for route in get_resolver().url_patterns:
        if isinstance(route, URLResolver):
            for inner in route.url_patterns:
                name = "econ" if "econ" in str(route.pattern) else "admin"
                found[f"{name} {inner.pattern}"] = address(f"{route.pattern}{inner.pattern}")
        elif isinstance(route, URLPattern):
            found[route.name or f"admin {route.pattern}"] = address(str(route.pattern))
    return found


def address(pattern: str) -> str:
    if pattern.startswith(("/", "^", "(")) or "econ" in pattern:
        return "/econ/series"
    values = VALUES | ({"suffix": "bib"} if "<citation:" in pattern else {})
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda field: values.get(field[1], "1"), pattern).removesuffix(
        "(?P<url>.*)$"
    )


def test_reading_has_a_decision_for_every_route() -> None:
    decided = OPEN | WITH_TOKEN | WITH_KEY | OF_VIEW | READERS

    assert {name.partition(" ")[0] for name in routes()} == decided


@pytest.mark.parametrize("name", sorted(READERS))
def test_stranger_is_asked_to_sign_in(client: Client, name: str) -> None:
    path = routes()[name]
    page = client.get(path)
    form = "/sign-in/?next=" + path.replace("/", "%2F")

    assert (page.status_code, page.get("Location")) == (302, form) or "Sign in first" in page.text
    assert page.status_code in {302, 403}
    assert page["Cache-Control"] == "private, no-cache"


def test_views_of_their_own_decision_admit_no_stranger(client: Client) -> None:
    for name, path in routes().items():
        if name.partition(" ")[0] in OF_VIEW:
            assert client.get(path).status_code in {302, 403, 404, 405}, path
            assert client.post(path).status_code in {302, 403, 404, 405}, path


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/series/GNPCA.csv", {}),
        ("/series/GNPCA.bib", {}),
        ("/series/GNPCA/", {"Accept": "application/json"}),
        ("/category/125/tags/?embed=1", {}),
        ("/browse/overview.json", {}),
    ],
)
def test_program_and_frame_get_a_sentence(client: Client, path: str, headers: dict[str, str]) -> None:
    reply = client.get(path, headers=headers)

    assert reply.status_code == 403
    assert "Sign in first" in reply.text


def test_browser_that_wants_a_file_is_led_to_the_form(client: Client) -> None:
    assert client.get("/series/GNPCA.csv", headers={"Accept": "text/html,*/*;q=0.8"}).status_code == 302


def test_fragment_leads_the_browser_to_the_form_and_back(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/category/125/tags/?sort=name"}
    reply = client.get("/suggest?q=gdp", headers=headers)

    assert reply["HX-Redirect"] == "/sign-in/?next=%2Fcategory%2F125%2Ftags%2F%3Fsort%3Dname"
    assert reply.content == b""


def test_fragment_leads_to_no_page_of_another_site(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://evil.example/steal"}

    assert client.get("/suggest?q=gdp", headers=headers)["HX-Redirect"] == "/sign-in/?next=%2Fsuggest%3Fq%3Dgdp"


@pytest.mark.parametrize("path", ["/me/", "/changes/", "/suggest?q=gdp"])
def test_invalid_address_of_a_fragment_counts_as_none(client: Client, path: str) -> None:
    """A17"""
    reply = client.get(path, headers={"HX-Request": "true", "HX-Current-URL": "http://["})

    assert reply["HX-Redirect"].startswith("/sign-in/?next=%2F")


@pytest.mark.parametrize("path", ["/static/nothing.css", "/nothing/", "/favicon.ico"])
def test_missing_page_tells_a_stranger_nothing(client: Client, path: str) -> None:
    assert client.get(path).status_code in {302, 404}


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/sign-in/"])
def test_health_and_sign_in_are_open(client: Client, path: str) -> None:
    assert client.get(path).status_code not in {302, 403}


def test_embedded_service_keeps_its_own_keys(client: Client, api_key: str) -> None:
    asked_for = {"series_id": "NOTHING", "file_type": "json"}

    assert "api_key" in client.get("/econ/series", asked_for).text
    assert client.get("/econ/series", {**asked_for, "api_key": api_key}).status_code == 400


def test_reader_sees_the_bytes_of_everybody(reader: Client, settings: Settings) -> None:
    private = reader.get("/help/")
    settings.READ = "anyone"
    public = Client().get("/help/")

    assert private.content == public.content
    assert private["ETag"] == public["ETag"]
    assert (private["Cache-Control"], "Set-Cookie" in private) == ("private, no-cache", False)
    assert not private.cookies


def test_known_etag_is_no_key(client: Client, reader: Client) -> None:
    etag = reader.get("/help/")["ETag"]

    assert client.get("/help/", headers={"If-None-Match": etag}).status_code == 302


def test_session_is_looked_at_again_after_a_second(reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    reader.get("/help/")
    Session.objects.all().delete()

    assert reader.get("/help/").status_code == 200
    put_clock(monkeypatch, 1.1)
    assert reader.get("/help/").status_code == 302


def test_reading_extends_the_session(reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for hours in (10, 10, 10):
        put_clock(monkeypatch, hours * 3600)
        assert reader.get("/help/").status_code == 200


@pytest.fixture
def get(reader: Client, stand_in: FakeService) -> Get:
    """Ask the program behind the response cache, as the reader does or as a stranger."""
    application = cache_responses(get_wsgi_application())
    cookie = "; ".join(f"{name}={one.value}" for name, one in reader.cookies.items())
    environ = {"host": "testserver", "accept_encoding": "identity"}

    def ask(is_reader: bool, **headers: str) -> Answer:
        return asked(application, "", "GET", **environ, **headers, **({"cookie": cookie} if is_reader else {}))

    return partial(ask)


def test_cached_response_reaches_readers_only(get: Get) -> None:
    first, second, third = get(True), get(True), get(True)
    stranger = get(False)
    with_etag = get(False, if_none_match=third.headers["ETag"])
    with_other_cookie = get(False, cookie="econweb_session=x")

    assert first.body == second.body == third.body != b""
    assert second.headers["Cache-Control"] == "private, no-cache"
    for reply in (stranger, with_etag, with_other_cookie):
        assert reply.status.startswith("302")
        assert b"Search" not in reply.body
