"""Discovery and keys: what a provider that fails or lies can do."""

import json
import time
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.accounts.oidc import bounded_http
from tests.accounts.oidc.browser import begin, is_signed_in, sign_in
from tests.accounts.oidc.stand_in import Reply, StandIn, as_json, serve
from tests.upstream.raw_server import Peer, closes, drips, http, listening, sends, waits

pytestmark = pytest.mark.django_db
DISCOVERY = "/.well-known/openid-configuration"


@pytest.mark.parametrize(
    "reply",
    [
        (300, {"Location": "https://evil.example/"}, b""),
        (302, {"Location": "https://evil.example/"}, b""),
        (200, {}, b"[" * 200_000),
        (200, {}, b"<html>"),
        (200, {}, b"\xff"),
        (200, {"Content-Encoding": "gzip"}, b"\x1f\x8b"),
        (500, {}, b"{}"),
        as_json({}),
        as_json([]),
    ],
)
def test_discovery_that_cannot_be_used_is_an_error(client: Client, provider: StandIn, reply: Any) -> None:
    provider.replies[DISCOVERY] = lambda: reply
    answer = client.get("/sign-in/")

    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert "Sign-in does not work right now" in answer.text
    assert not client.cookies


@pytest.mark.parametrize(("coding", "status"), [("identity", 302), ("gzip", 503), ("zstd", 503)])
def test_reply_that_says_it_is_compressed_is_not_read(
    client: Client, provider: StandIn, coding: str, status: int
) -> None:
    provider.replies[DISCOVERY] = lambda: (200, {"Content-Encoding": coding}, json.dumps(provider.discovery()).encode())

    assert client.get("/sign-in/").status_code == status


@pytest.mark.parametrize("status", [300, 399])
def test_token_in_a_redirect_signs_nobody_in(client: Client, provider: StandIn, status: int) -> None:
    callback = begin(client, provider)
    provider.token_status = status

    assert client.get(callback).status_code == 503
    assert not is_signed_in(client)


@pytest.mark.parametrize("path", [DISCOVERY, "/keys", "/token", "/userinfo"])
def test_long_reply_is_not_read(client: Client, provider: StandIn, path: str) -> None:
    """The replies are valid, but for blanks at their end."""
    provider.metadata["userinfo_endpoint"] = f"{provider.issuer}/userinfo"
    provider.person.pop("groups")
    provider.blanks_after = {path: 300_000}
    statuses = client.get("/sign-in/").status_code, 0
    if path != DISCOVERY:
        statuses = 0, sign_in(client, provider)[0]

    assert 503 in statuses
    assert not is_signed_in(client)


def test_redirect_of_discovery_to_another_host_is_not_followed(client: Client, provider: StandIn) -> None:
    other = StandIn()
    with serve(other):
        provider.replies[DISCOVERY] = lambda: (301, {"Location": other.issuer + DISCOVERY}, b"")

        assert client.get("/sign-in/").status_code == 503
    assert other.pages == []


@pytest.mark.parametrize(
    "change",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "http://evil.example/authorize"},
        {"authorization_endpoint": "http://sso.example.org/authorize"},
        {"token_endpoint": "http://192.0.2.1/token"},
        {"token_endpoint": "https://user:word@evil.example/token"},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": "https://[::1/keys"},
        {"jwks_uri": 7},
        {"userinfo_endpoint": "ftp://127.0.0.1/"},
        {"end_session_endpoint": "https://evil.example/\r\nX: y"},
    ],
)
def test_discovery_with_a_wrong_address_is_refused(client: Client, provider: StandIn, change: dict[str, Any]) -> None:
    provider.metadata |= change

    assert client.get("/sign-in/").status_code == 503


@pytest.mark.parametrize("keys", [[], [{}], [{"kty": "RSA", "n": "!", "e": 7}], [{"kty": "oct", "k": 3}]])
def test_keys_that_cannot_be_used_sign_nobody_in(client: Client, provider: StandIn, keys: Any) -> None:
    provider.keys = keys

    assert sign_in(client, provider)[0] == 503
    assert not is_signed_in(client)


def test_provider_with_a_slash_at_its_end_is_the_same(client: Client, provider: StandIn) -> None:
    provider.metadata["issuer"] = provider.issuer + "/"
    provider.change = lambda claims: claims.update(iss=provider.issuer + "/")
    callback = begin(client, provider).partition("&iss=")[0]

    assert client.get(callback)["Location"] == "/me/"


def test_failed_discovery_is_tried_again_after_a_while(
    client: Client, provider: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.replies[DISCOVERY] = lambda: as_json({}, 500)
    statuses = [client.get("/sign-in/").status_code for _ in range(3)]
    asked = len(provider.pages)
    del provider.replies[DISCOVERY]
    later = time.monotonic() + 6
    monkeypatch.setattr(time, "monotonic", lambda: later)

    assert (statuses, asked) == ([503] * 3, 1)
    assert client.get("/sign-in/").status_code == 302


def test_silent_provider_is_waited_for_once(client: Client, provider: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wait for a silent provider is as long as the pause after a failure."""
    clock = [time.monotonic()]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def fall_silent() -> Reply:
        clock[0] += bounded_http.REPLY_SECONDS + 0.05
        return as_json({}, 504)

    client.get("/sign-in/")
    clock[0] += 3601
    provider.replies[DISCOVERY] = fall_silent
    statuses = [client.get("/sign-in/").status_code for _ in range(3)]

    assert statuses == [302] * 3
    assert provider.pages.count(DISCOVERY) == 2


def test_documents_are_read_once_an_hour(client: Client, provider: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    now, read = time.monotonic(), []
    for seconds in (0.0, 3599.5, 3601.0):
        monkeypatch.setattr(time, "monotonic", lambda seconds=seconds: now + seconds)
        assert client.get("/sign-in/").status_code == 302
        read.append(provider.pages.count(DISCOVERY))

    assert read == [1, 1, 2]


def test_old_documents_are_used_for_a_day_while_the_provider_fails(
    client: Client, provider: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sign_in(client, provider)[0] == 302
    for path in (DISCOVERY, "/keys"):
        provider.replies[path] = lambda: as_json({}, 500)
    now = time.monotonic()
    found = []
    for hours in (2, 23, 25):
        monkeypatch.setattr(time, "monotonic", lambda hours=hours: now + hours * 3600)
        found.append(Client().get("/sign-in/").status_code)

    assert found == [302, 302, 503]


def test_provider_that_is_down_leaves_the_sign_in_to_be_repeated(client: Client, provider: StandIn) -> None:
    callback = begin(client, provider)
    provider.replies["/token"] = lambda: as_json({}, 502)
    assert client.get(callback).status_code == 503
    del provider.replies["/token"]

    assert client.get(callback)["Location"] == "/me/"


@pytest.fixture
def peer(at_a_provider: Settings, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(bounded_http, "REPLY_SECONDS", 0.3)
    with listening() as peer:
        at_a_provider.OIDC_ISSUER = peer.url
        yield peer


@pytest.mark.parametrize(
    "behaviour",
    [
        waits,
        closes,
        drips(http(b"{}" + b" " * 1000)),
        sends(http(b"", 200, length=10), then=drips(b" " * 1000)),
        sends(b"HTTP/1.1 200 OK\r\n", then=drips(b"X-Y: " + b"z" * 60_000)),
        sends(b"HTTP/1.1 200 OK\r\nX: " + b"z" * 100_000),
        sends(b"no HTTP\r\n\r\n"),
    ],
)
def test_provider_that_is_slow_or_broken_holds_nobody(client: Client, peer: Peer, behaviour: Any) -> None:
    """The test would last for a minute if each byte began the deadline again."""
    peer.will(behaviour)

    assert client.get("/sign-in/").status_code == 503


def test_few_sign_ins_wait_for_the_provider(client: Client, provider: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def acquire(self, blocking: bool) -> bool:
            return blocking

    monkeypatch.setattr("econweb.dashboard.account.provider_views._exchanges", Full())

    assert client.get("/sign-in/").status_code == 503
    assert provider.pages == []
