"""About the source: how asking goes, and no secrets."""

from pathlib import Path

import django
import pytest
from django.test import Client
from pytest_django import Settings

from econweb.upstream import service
from tests.dashboard.reading import words

KEY = "abcdefghijklmnopqrstuvwxyz012345"


def test_the_embedded_service_has_no_limit(client: Client) -> None:
    facts = words(client.get("/about/"), "//dd")

    assert facts[:3] == ["Built-in sample catalogue", "JSON", "none"]


def test_another_service_is_named_and_its_key_is_not(client: Client, settings: Settings) -> None:
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
def test_how_long_an_answer_is_fresh_is_told_in_words(
    client: Client, settings: Settings, seconds: int, words_of_it: str
) -> None:
    settings.ECON_FRESH_SECONDS, settings.ECON_STALE_SECONDS = seconds, 86_400
    facts = words(client.get("/about/"), "//dd")

    assert words_of_it in facts
    assert "for up to 24 hours if the provider is down" in facts


@pytest.mark.parametrize("state", ["open", "half open"])
def test_a_rest_after_failures_is_told(client: Client, monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    monkeypatch.setattr(service, "state", lambda: {"breaker": state, "allowance_left": 3, "key": "ok"})

    assert "not responding, retrying soon" in words(client.get("/about/"), "//dd")


def test_the_version_of_the_program_is_named_and_no_other(client: Client) -> None:
    facts = dict(zip(words(client.get("/about/"), "//dt"), words(client.get("/about/"), "//dd"), strict=True))

    assert f'name = "econweb"\nversion = "{facts["econweb"]}"' in Path("pyproject.toml").read_text()
    assert not {"Python", "Django", "granian", "django-htmx"} & facts.keys()
    assert django.__version__ not in facts.values()
