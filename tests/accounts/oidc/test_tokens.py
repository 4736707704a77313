"""ID tokens that are not valid sign nobody in."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from joserfc.jwk import OctKey
from pytest_django import Settings

from tests.accounts.oidc.browser import is_signed_in, is_stranger, sign_in
from tests.accounts.oidc.stand_in import (
    CLIENT,
    KEY,
    NEW_KEY,
    OTHER_KEY,
    Claims,
    StandIn,
    as_json,
    signed,
    signed_with_the_public_key,
    signed_with_the_secret,
    unsigned,
)

pytestmark = pytest.mark.django_db
HOUR = 3600
ADDRESS = {"email": "ada@example.org", "email_verified": True}


def put(**values: object) -> Callable[[Claims], object]:
    return lambda claims: claims.update(values)


def drop(*names: str) -> Callable[[Claims], object]:
    return lambda claims: [claims.pop(name) for name in names]


CHANGES: dict[str, Callable[[Claims], object]] = {
    "issuer of another provider": put(iss="https://evil.example"),
    "issuer with a slash": lambda claims: claims.update(iss=claims["iss"] + "/"),
    "no issuer": drop("iss"),
    "issuers": lambda claims: claims.update(iss=[claims["iss"]]),
    "audience of another client": put(aud="other"),
    "audiences without an authorized party": put(aud=[CLIENT, "other"]),
    "another authorized party": put(azp="other"),
    "no audience": drop("aud"),
    "empty audience": put(aud=[]),
    "expired": put(exp=int(time.time()) - HOUR),
    "no expiry": drop("exp"),
    "expiry that is a text": put(exp="tomorrow"),
    "issued tomorrow": put(iat=int(time.time()) + 24 * HOUR),
    "no time of issue": drop("iat"),
    "valid tomorrow": put(nbf=int(time.time()) + 24 * HOUR),
    "nonce of another sign-in": put(nonce="x" * 64),
    "no nonce": drop("nonce"),
    "nonces": lambda claims: claims.update(nonce=[claims["nonce"]]),
    "no subject": drop("sub"),
    "empty subject": put(sub=""),
    "subject that is a number": put(sub=1001),
    "subject with a control character": put(sub="10\x0001"),
    "subject that is not ASCII": put(sub="１００１"),
    "long subject": put(sub="x" * 256),
    "hash of another access token": put(at_hash="x" * 22),
}
SIGNATURES: dict[str, Callable[[Claims], Any]] = {
    "none": unsigned,
    "HMAC with the secret": signed_with_the_secret,
    "HMAC with the public key": signed_with_the_public_key,
    "key of somebody else": lambda claims: signed(claims, OTHER_KEY),
    "unknown key": lambda claims: signed(claims, NEW_KEY, "RS256"),
    "key in its header": lambda claims: signed(claims, OTHER_KEY, jwk=OTHER_KEY.as_dict(private=False)),
    "changed claims": lambda claims: signed(claims).replace(".", ".e", 1),
    "no signature": lambda claims: signed(claims).rpartition(".")[0] + ".",
    "no token": lambda claims: None,
    "a number": lambda claims: 7,
    "words": lambda claims: "a.b.c",
    "long": lambda claims: signed(claims | {"x": "x" * 20_000}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_token_with_wrong_claims_is_refused(client: Client, provider: StandIn, name: str) -> None:
    provider.change = CHANGES[name]
    status, page = sign_in(client, provider)

    assert (status, "You are not signed in" in page) == (403, True)
    assert is_stranger(client)


@pytest.mark.parametrize("name", SIGNATURES)
def test_token_with_a_wrong_signature_is_refused(client: Client, provider: StandIn, name: str) -> None:
    provider.sign = SIGNATURES[name]
    status, page = sign_in(client, provider)

    assert (status, "You are not signed in" in page) == (403, True)
    assert is_stranger(client)


def test_secret_key_that_the_provider_publishes_is_not_used(client: Client, provider: StandIn) -> None:
    key = OctKey.import_key("a key that everybody knows by now", {"kid": "secret"})
    provider.keys = [KEY.as_dict(private=False), dict(key.as_dict())]
    provider.sign = lambda claims: signed(claims, key, "HS256")

    assert sign_in(client, provider)[0] == 403


@pytest.mark.parametrize(
    ("key", "alg"), [(NEW_KEY, "RS256"), (NEW_KEY, "PS256"), (KEY, "ES256")], ids=["RS256", "PS256", "ES256"]
)
def test_token_of_the_provider_is_accepted(client: Client, provider: StandIn, key: Any, alg: str) -> None:
    provider.keys = [{"kty": "new"}, {}, key.as_dict(private=False)]
    provider.sign = lambda claims: signed(claims, key, alg)

    assert sign_in(client, provider) == (302, "/me/")
    assert is_signed_in(client)


def test_clocks_may_differ_by_a_minute(client: Client, provider: StandIn) -> None:
    now = int(time.time())
    provider.change = put(iat=now + 30, nbf=now + 30, exp=now - 30, aud=[CLIENT])

    assert sign_in(client, provider) == (302, "/me/")


def test_new_key_of_the_provider_is_fetched(client: Client, provider: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sign_in(client, provider)[0] == 302
    provider.keys = [NEW_KEY.as_dict(private=False)]
    provider.sign = lambda claims: signed(claims, NEW_KEY, "RS256")
    assert sign_in(Client(), provider)[0] == 403
    later = time.monotonic() + 61
    monkeypatch.setattr(time, "monotonic", lambda: later)

    assert sign_in(Client(), provider) == (302, "/me/")
    assert provider.pages.count("/keys") == 2


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (as_json({"error": "invalid_grant"}, 400), 403),
        (as_json({"error": {"x": ["\n" * 100]}}, 400), 403),
        (as_json({}), 403),
        (as_json({"access_token": 7, "id_token": 7}), 403),
        (as_json({"access_token": "x", "expires_in": "soon"}), 503),
        (as_json({"access_token": "x", "expires_in": [1]}), 503),
        (as_json(["a list"]), 503),
        (as_json({}, 500), 503),
        ((200, {}, b"<html>"), 503),
        ((200, {}, b"[" * 100_000), 503),
        ((200, {}, b"x" * 300_000), 503),
        ((200, {"Content-Encoding": "gzip"}, b"\x1f\x8b"), 503),
        ((307, {"Location": "http://127.0.0.1:9/"}, b""), 503),
    ],
)
def test_reply_with_no_token_signs_nobody_in(client: Client, provider: StandIn, reply: Any, status: int) -> None:
    provider.replies["/token"] = lambda: reply

    assert sign_in(client, provider)[0] == status
    assert is_stranger(client)


def test_userinfo_has_what_the_token_lacks(client: Client, provider: StandIn) -> None:
    provider.metadata["userinfo_endpoint"] = f"{provider.issuer}/userinfo"
    provider.change = drop("preferred_username")

    assert sign_in(client, provider)[0] == 302
    assert ">ada<" in client.get("/me/").text


def test_userinfo_is_not_asked_for_what_the_token_has(client: Client, provider: StandIn) -> None:
    provider.metadata["userinfo_endpoint"] = f"{provider.issuer}/userinfo"
    provider.person |= ADDRESS

    assert sign_in(client, provider)[0] == 302
    assert "/userinfo" not in provider.pages


@pytest.mark.parametrize("missing", [["email", "email_verified"], ["email"], ["email_verified"]])
def test_userinfo_has_the_address_that_the_token_lacks(
    client: Client, provider: StandIn, settings: Settings, missing: list[str]
) -> None:
    settings.EDITOR_NAMES = ["ada@example.org"]
    provider.metadata["userinfo_endpoint"] = f"{provider.issuer}/userinfo"
    provider.person |= ADDRESS
    provider.change = drop(*missing)
    sign_in(client, provider)

    assert User.objects.get().email == "ada@example.org"
    assert "You are an editor" in client.get("/me/").text


@pytest.mark.parametrize("change", [{"email": "grace@example.org"}, {"email_verified": True}])
@pytest.mark.parametrize("is_verified", [True, False])
def test_address_is_verified_by_the_reply_that_names_it(
    client: Client, provider: StandIn, change: Claims, is_verified: bool
) -> None:
    provider.metadata["userinfo_endpoint"] = f"{provider.issuer}/userinfo"
    provider.change = lambda claims: (claims.pop("preferred_username"), claims.update(change))
    reply = {**provider.person, "email": "ada@example.org", "email_verified": is_verified}
    provider.replies["/userinfo"] = lambda: as_json(reply)
    sign_in(client, provider)

    assert User.objects.get().email == ("ada@example.org" if is_verified else "")


@pytest.mark.parametrize(("in_token", "in_reply"), [("email", "email_verified"), ("email_verified", "email")])
def test_address_is_not_put_together_from_two_replies(
    client: Client, provider: StandIn, in_token: str, in_reply: str
) -> None:
    address: Claims = {"email": "ada@example.org", "email_verified": True}
    provider.metadata["userinfo_endpoint"] = f"{provider.issuer}/userinfo"
    provider.change = lambda claims: claims.update({in_token: address[in_token]})
    provider.replies["/userinfo"] = lambda: as_json({**provider.person, in_reply: address[in_reply]})
    sign_in(client, provider)

    assert User.objects.get().email == ""


def test_token_without_a_name_is_enough_where_there_is_no_userinfo(client: Client, provider: StandIn) -> None:
    provider.change = drop("preferred_username")

    assert sign_in(client, provider)[0] == 302
    assert ">1001<" in client.get("/me/").text


@pytest.mark.parametrize(
    ("reply", "status"),
    [(as_json({"sub": "another"}), 403), (as_json([]), 503), (as_json({}, 401), 503), ((200, {}, b"a.b.c"), 503)],
)
def test_userinfo_of_another_person_is_refused(client: Client, provider: StandIn, reply: Any, status: int) -> None:
    provider.metadata["userinfo_endpoint"] = f"{provider.issuer}/userinfo"
    provider.change = drop("preferred_username")
    provider.replies["/userinfo"] = lambda: reply

    assert sign_in(client, provider)[0] == status
    assert is_stranger(client)
