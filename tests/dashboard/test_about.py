"""About the source: how asking goes, and no secrets."""

from pathlib import Path

import django
import pytest
from django.test import Client
from pytest_django import Settings

from econweb.upstream import service
from tests.dashboard.reading import links, words

pytestmark = pytest.mark.django_db
KEY = "abcdefghijklmnopqrstuvwxyz012345"


def test_about_page_shows_no_limit_for_embedded_service(client: Client) -> None:
    facts = words(client.get("/about/"), "//dd")

    assert facts[:3] == ["The embedded catalogue", "JSON", "none"]


def test_about_page_names_service_without_key(client: Client, settings: Settings) -> None:
    settings.ECON_BASE_URL, settings.ECON_API_KEY = "https://data.example.org:8443/secret-path", KEY
    service.upstream.cache_clear()
    page = client.get("/about/")

    assert words(page, "//dd")[0] == "data.example.org:8443"
    assert "120 per minute (10 available now)" in words(page, "//dd")
    assert KEY not in page.text
    assert "secret-path" not in page.text


@pytest.mark.parametrize(
    ("seconds", "words_of_it"),
    [(1, "1 second"), (5, "5 seconds"), (60, "1 minute"), (90, "90 seconds"), (300, "5 minutes")],
)
def test_about_page_shows_cache_times(client: Client, settings: Settings, seconds: int, words_of_it: str) -> None:
    settings.ECON_FRESH_SECONDS, settings.ECON_STALE_SECONDS = seconds, 86_400
    facts = words(client.get("/about/"), "//dd")

    assert words_of_it in facts
    assert "for up to 24 hours if the provider is down" in facts


@pytest.mark.parametrize(
    ("may_store", "fact"),
    [(True, "may be stored on this site"), (False, "is kept in caches only, for at most the times above")],
)
def test_about_page_says_whether_replies_are_stored(
    client: Client, settings: Settings, may_store: bool, fact: str
) -> None:
    settings.ECON_MAY_STORE = may_store

    assert fact in words(client.get("/about/"), "//dd")


NOTICE = ("Data by “Example & Co.”", "https://data.example.org/terms")


@pytest.mark.parametrize("link", ["/about/", "/help/", "/nowhere/", "/about/?embed=1"])
def test_service_notice_is_in_the_footer_of_every_page(client: Client, settings: Settings, link: str) -> None:
    settings.SERVICE_NOTICE = NOTICE
    page = client.get(link)

    assert words(page, "//footer/p[@class='service-notice']") == [f"{NOTICE[0]} data.example.org/terms"]
    assert links(page)["data.example.org/terms"] == NOTICE[1]


def test_service_notice_is_absent_without_setting(client: Client) -> None:
    assert "service-notice" not in client.get("/about/").text


@pytest.mark.parametrize("state", ["open", "half open"])
def test_about_page_shows_open_circuit_breaker(client: Client, monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    monkeypatch.setattr(
        service, "state", lambda: {"breaker": state, "failure": "It is away.", "allowance_left": 3, "key": "ok"}
    )

    assert "not responding, retrying soon. It is away." in words(client.get("/about/"), "//dd")


def test_about_page_names_program_version_only(client: Client) -> None:
    facts = dict(zip(words(client.get("/about/"), "//dt"), words(client.get("/about/"), "//dd"), strict=True))

    assert f'name = "econweb"\nversion = "{facts["econweb"]}"' in Path("pyproject.toml").read_text()
    assert not {"Python", "Django", "granian", "django-htmx"} & facts.keys()
    assert django.__version__ not in facts.values()
