"""Rights of `/mcp`: POST alone, no page of another site, and a token where `READ=signed-in`."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.dashboard.mcp import views
from econweb.upstream.visitor_limits import ClientSlots
from tests.dashboard.mcp.asking import ask, message, send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stand_in")]
LIST = message("tools/list")


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_only_post_is_allowed(client: Client, method: str) -> None:
    response = client.generic(method, "/mcp")

    assert (response.status_code, response["Allow"], response["Connection"]) == (405, "POST", "close")


def test_browser_reads_what_the_address_is_for(client: Client) -> None:
    assert "Programs send messages to this address" in client.get("/mcp").text


def test_address_can_be_turned_off(client: Client, settings: Settings) -> None:
    settings.MCP = False

    assert client.post("/mcp", LIST, content_type="application/json").status_code == 404
    assert client.get("/mcp").status_code == 404


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://testserver.evil.example", "https://testserver", "http://testserver:81"],
)
def test_page_of_another_site_is_refused(client: Client, origin: str) -> None:
    response = send(client, LIST, Origin=origin)

    assert response.status_code == 403
    assert response.json()["error"]["message"] == "This address answers no pages of other sites."
    assert "Access-Control-Allow-Origin" not in response


def test_own_origin_and_programs_are_admitted(client: Client) -> None:
    assert send(client, LIST, Origin="http://testserver").status_code == 200
    assert send(client, LIST).status_code == 200


def test_other_host_name_is_refused(client: Client) -> None:
    """A name that an attacker points at this machine is none of ALLOWED_HOSTS."""
    assert send(client, LIST, Host="rebound.example", Origin="http://rebound.example").status_code == 400


def test_long_message_is_refused_before_it_is_read(client: Client) -> None:
    fits = send(client, b" " * (views.MAX_MESSAGE_BYTES - 2) + b"{}")
    too_long = send(client, b" " * (views.MAX_MESSAGE_BYTES + 1))

    assert (fits.status_code, fits.json()["error"]["code"]) == (400, -32600)
    assert (too_long.status_code, too_long["Connection"]) == (413, "close")
    assert too_long.json()["error"]["message"] == "A message has at most 16 KiB."


def test_no_token_of_a_form_is_needed_and_no_cookie_is_read(settings: Settings) -> None:
    settings.SIGN_IN = "password"
    client = Client(enforce_csrf_checks=True)
    client.cookies["econweb_session"] = "made-up"
    response = send(client, LIST)

    assert (response.status_code, response.cookies) == (200, {})
    assert "Cookie" not in response.get("Vary", "")


@pytest.mark.parametrize("way", ["local", "password", "proxy", "oidc"])
def test_stranger_is_refused_where_people_sign_in_first(client: Client, settings: Settings, way: str) -> None:
    settings.READ, settings.SIGN_IN = "signed-in", way
    response = ask(client, "tools/list")

    assert (response.status_code, response["WWW-Authenticate"]) == (401, 'Bearer realm="econweb"')
    assert "people with an account" in response.json()["error"]["message"]


@pytest.mark.parametrize("token", ["Bearer wrong", "Bearer ", "Basic YTpi", "x", "Bearer " + "x" * 5000])
def test_wrong_token_is_refused_even_where_all_may_read(client: Client, token: str) -> None:
    assert send(client, LIST, Authorization=token).status_code == 401


@pytest.mark.parametrize(
    ("name", "most", "of_one"),
    [
        ("_slots", views.MAX_MESSAGES, views.MAX_MESSAGES_PER_CLIENT),
        ("_bodies", views.MAX_BODIES, views.MAX_BODIES_PER_CLIENT),
    ],
)
def test_one_client_leaves_slots_for_others(
    client: Client, monkeypatch: pytest.MonkeyPatch, name: str, most: int, of_one: int
) -> None:
    slots = ClientSlots(most)
    monkeypatch.setattr(views, name, slots)
    for _ in range(of_one):
        slots.add("127.0.0.1", most)
    busy = send(client, LIST)
    other = send(Client(REMOTE_ADDR="127.0.0.2"), LIST)
    slots.remove("127.0.0.1")

    assert (busy.status_code, busy["Retry-After"], other.status_code) == (503, "2", 200)
    assert send(client, LIST).status_code == 200
    for _ in range(of_one - 1):
        slots.remove("127.0.0.1")
    assert slots.is_empty()
