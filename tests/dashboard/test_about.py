"""About the source: how asking goes, and no secrets."""

import platform
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

    assert facts[:3] == ["the embedded one, with the catalogue of this installation", "JSON", "no limit"]


def test_another_service_is_named_and_its_key_is_not(client: Client, settings: Settings) -> None:
    settings.ECON_BASE_URL, settings.ECON_API_KEY = "https://data.example.org/secret-path", KEY
    service.upstream.cache_clear()
    page = client.get("/about/")

    assert words(page, "//dd")[0] == "data.example.org"
    assert "120 requests a minute; 10 may be sent at this moment" in words(page, "//dd")
    assert KEY not in page.text
    assert "secret-path" not in page.text


@pytest.mark.parametrize("state", ["open", "half open"])
def test_a_rest_after_failures_is_told(client: Client, monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    monkeypatch.setattr(service, "state", lambda: {"breaker": state, "allowance_left": 3})

    assert "paused after failures" in words(client.get("/about/"), "//dd")


def test_what_runs_is_named_with_its_version(client: Client) -> None:
    facts = dict(zip(words(client.get("/about/"), "//dt"), words(client.get("/about/"), "//dd"), strict=True))

    assert f'name = "econweb"\nversion = "{facts["econweb"]}"' in Path("pyproject.toml").read_text()
    assert facts["Python"] == platform.python_version()
    assert facts["Django"] == django.__version__
