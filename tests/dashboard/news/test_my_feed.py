"""The feed of a person: by a token alone, in no log, and no longer than the account."""

import re

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings
from structlog.testing import capture_logs

from econweb.redaction import redact
from econweb.watching import subscriptions
from tests.dashboard.news.test_feeds import feed_of, ids
from tests.watching.news_builders import an_announcement, follow

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]


def test_feed_of_a_person_is_read_by_the_token_alone(client: Client) -> None:
    User.objects.create(username="ada")
    follow("ada", an_announcement("series:GNPCA"))
    follow("bob", an_announcement("series:UNRATE"))
    link = feed_of("ada")
    feed = client.get(link)

    assert len(ids(feed.content)) == 1
    # A number of chance may have these letters.
    assert b"ada" not in re.sub(rb"urn:uuid:[0-9a-f-]+", b"", feed.content)
    assert (feed["Cache-Control"], feed["Referrer-Policy"], feed.cookies) == ("private, no-cache", "no-referrer", {})
    assert client.get(f"{link}0").status_code == client.get("/feeds/mine.atom").status_code == 404
    assert client.get(feed_of("ada")).status_code == 200
    assert client.get(link).status_code == 404


def test_token_is_in_no_log_line(client: Client) -> None:
    link = feed_of("ada")
    token = link.partition("token=")[2]
    with capture_logs() as logs:
        client.get(link)
        client.get(f"{link}x")

    assert logs
    assert token not in str(logs)
    # Other libraries log whole addresses.
    assert token not in redact(f'GET {link} HTTP/1.1" 200')


@pytest.mark.parametrize("read", ["anyone", "signed-in"])
def test_feed_of_a_person_ends_with_the_account(client: Client, settings: Settings, read: str) -> None:
    settings.READ = read
    follow("ada", an_announcement())
    link = feed_of("ada")

    assert client.get(link).status_code == 200
    User.objects.update(is_active=False)
    assert client.get(link).status_code == 404
    User.objects.all().delete()
    assert client.get(link).status_code == 404
    User.objects.create(username="ada", pk=999)
    assert client.get(link).status_code == 404


def test_feed_of_a_person_whom_a_proxy_names_ends_with_an_ended_account(client: Client, settings: Settings) -> None:
    settings.SIGN_IN = "proxy"
    token = subscriptions.renew_feed("ada")
    assert client.get(f"/feeds/mine.atom?token={token}").status_code == 200

    User.objects.create(username="ada", is_active=False)
    assert client.get(f"/feeds/mine.atom?token={token}").status_code == 404


def test_feed_of_the_local_editor_stays_on_this_machine(client: Client, settings: Settings) -> None:
    settings.SIGN_IN = "local"
    token = subscriptions.renew_feed("local editor")

    assert client.get(f"/feeds/mine.atom?token={token}").status_code == 200
    assert client.get(f"/feeds/mine.atom?token={token}", REMOTE_ADDR="192.0.2.7").status_code == 404


def test_feed_can_be_ended(client: Client) -> None:
    link = feed_of("ada")
    client.force_login(User.objects.get(username="ada"))
    client.post("/me/news/", {"end_feed": "1"})

    assert Client().get(link).status_code == 404


@pytest.mark.parametrize("sign_in", ["password", "proxy"])
def test_administrator_ends_a_feed_with_the_sessions(client: Client, settings: Settings, sign_in: str) -> None:
    settings.SIGN_IN = sign_in
    if sign_in == "password":
        User.objects.create(username="ada")
    link = f"/feeds/mine.atom?token={subscriptions.renew_feed('ada')}"
    assert client.get(link).status_code == 200

    call_command("sign_out", "ada")
    assert client.get(link).status_code == 404
