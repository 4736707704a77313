"""Roles by the groups that a provider names at the sign-in."""

import pytest
from django.test import Client
from pytest_django import Settings

from tests.accounts.oidc.browser import sign_in
from tests.accounts.oidc.stand_in import StandIn

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        (["staff", "librarians"], "You are an editor"),
        (["it", "librarians"], "You are an admin"),
        ("it", "You are an admin"),
        (["staff"], "You read"),
        (["IT", " it", "it,librarians"], "You read"),
        ([["it"], {"it": 1}, 7, None], "You read"),
        ({"it": 1}, "You read"),
        ("it librarians", "You read"),
        (7, "You read"),
        (None, "You read"),
    ],
)
def test_groups_give_roles(client: Client, provider: StandIn, settings: Settings, groups: object, words: str) -> None:
    settings.EDITOR_GROUPS, settings.ADMIN_GROUPS = ["librarians"], ["it"]
    provider.person["groups"] = groups

    assert sign_in(client, provider)[0] == 302
    assert words in client.get("/me/").text


def test_groups_end_with_the_sign_in_that_had_them(client: Client, provider: StandIn, settings: Settings) -> None:
    settings.EDITOR_GROUPS = ["librarians"]
    provider.person["groups"] = ["librarians", *(f"group {number}" for number in range(1000))]
    sign_in(client, provider)
    assert client.get("/changes/").status_code == 200
    assert client.session["groups"] == ["librarians"]
    provider.person["groups"] = []
    client.post("/me/sign-out/")
    sign_in(client, provider)
    assert client.get("/changes/").status_code == 403


def test_groups_come_from_the_claim_that_the_settings_name(
    client: Client, provider: StandIn, settings: Settings
) -> None:
    settings.EDITOR_GROUPS, settings.OIDC_GROUPS_CLAIM = ["librarians"], "https://sso.example.org/roles"
    provider.metadata["userinfo_endpoint"] = f"{provider.issuer}/userinfo"
    provider.person |= {"groups": [], "https://sso.example.org/roles": ["librarians"]}
    provider.change = lambda claims: claims.pop("https://sso.example.org/roles")
    sign_in(client, provider)

    assert client.get("/changes/").status_code == 200


def test_group_that_settings_no_longer_name_gives_no_role(
    client: Client, provider: StandIn, settings: Settings
) -> None:
    settings.ADMIN_GROUPS = ["it"]
    provider.person["groups"] = ["it"]
    sign_in(client, provider)
    settings.ADMIN_GROUPS = []

    assert "You read" in client.get("/me/").text
