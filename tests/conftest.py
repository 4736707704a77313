"""Fixtures of all tests."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

import django.test.client
import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from econweb.catalogue import access
from econweb.catalogue.answers import snapshot
from econweb.startup.static_files import bundle_static_files
from econweb.upstream import service
from econweb.upstream.client import EconClient
from tests import builders
from tests.fake_service import FakeService

# The time of one example depends on the machine.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")


class Loader(Protocol):
    def __call__(self, **files: list[dict[str, str]]) -> None: ...


@pytest.fixture
def catalogue(transactional_db: None, tmp_path: Path) -> Loader:
    """Call it with the rows of the files to load."""
    return partial(builders.load_catalogue, tmp_path)


@pytest.fixture(scope="session", autouse=True)
def one_style_sheet() -> None:
    bundle_static_files()


@pytest.fixture(scope="session", autouse=True)
def open_connections() -> None:
    """Let requests to the embedded service, which begin and end within others, leave connections open (`wsgi.py`)."""
    # The test client connects it again in each request.
    vars(django.test.client)["close_old_connections"] = lambda **_: None
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)


@pytest.fixture(autouse=True)
def new_client_each_time() -> Iterator[None]:
    """The service module has one client and its cached answers for the whole process; a test may change both."""
    service.upstream.cache_clear()
    cache.clear()
    # A test that sets longer times for the embedded service does so for itself alone.
    access._Memory.good_until = snapshot._Memory.good_until = 0.0
    yield
    service.upstream.cache_clear()


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> FakeService:
    """The real pages and service module, in front of a service that the test controls."""
    service = FakeService()

    def get(_client: EconClient, endpoint: str, parameters: dict[str, str], deadline: object) -> bytes:
        return service.get(endpoint, parameters)

    monkeypatch.setattr(EconClient, "get", get)
    return service


@pytest.fixture
def api_key() -> str:
    return str(settings.CATALOGUE_OWN_KEY)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one line for each reason to skip tests."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", ()))
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} tests did not run: {reason.removeprefix('Skipped: ')}")
