"""Fixtures of all tests."""

import gc
import math
import os
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

import django.test.client
import hypothesis
import pytest
from django.conf import settings
from django.contrib.contenttypes.management import create_contenttypes
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.db.models.signals import post_migrate
from pytest_django import Settings

from econweb.catalogue import access
from econweb.catalogue.answers import snapshot
from econweb.library import public_copies
from econweb.search_index.tags import similar, tag_index, tag_list
from econweb.search_index.titles import sample
from econweb.serving import sign_in
from econweb.startup.bundles import bundle_static_files
from econweb.upstream import service
from econweb.upstream.client import EconClient
from tests import builders
from tests.fake_service import FakeService

# The time of one example depends on the machine. Only a search for faults draws others each time.
hypothesis.settings.register_profile("random", deadline=None)
hypothesis.settings.register_profile("repeatable", deadline=None, derandomize=True)
hypothesis.settings.load_profile("repeatable")


class Loader(Protocol):
    def __call__(self, **files: list[dict[str, str]]) -> None: ...


@pytest.fixture
def catalogue(transactional_db: None, tmp_path: Path) -> Loader:
    """Call it with the rows of the files to load."""
    return partial(builders.load_catalogue, tmp_path)


@pytest.fixture(scope="session", autouse=True)
def one_style_sheet() -> None:
    bundle_static_files()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """Fill the tables of permissions and content types once: no test reads them, and each emptied table would do so."""
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)


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
    # No test has the sample, and no page asks for it, until one is loaded or recorded.
    sample._Memory.state, sample._Memory.good_until = ("", False), math.inf
    # A thread would write the uses of keys, perhaps after the test.
    access._Memory.write_after = math.inf
    # What a test rolls back leaves a revision that the next test gives to other rows.
    similar._Memory.built = similar.Similarities()
    counts = (tag_index._count_owners, public_copies._count, public_copies._count_all)
    for cached in (*counts, tag_list._read_tags, tag_list._most_used_first):
        cached.cache_clear()
    ContentType.objects.clear_cache()
    sign_in._names.clear()
    yield
    service.upstream.cache_clear()


@pytest.fixture
def with_passwords(settings: Settings) -> None:
    """People sign in with a password; by default the site is that of one person."""
    settings.SIGN_IN = "password"


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


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of tests, which live as long as the process."""
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the longest test: at the end, the other processors would wait for it.

    The tests on another database are those that use one.
    """
    if os.environ.get("ECONWEB_TEST_DATABASE"):
        config.hook.pytest_deselected(items=[item for item in items if not uses_database(item)])
        items[:] = [item for item in items if uses_database(item)]
    items.sort(key=lambda item: "test_postgresql" not in item.nodeid)


def uses_database(item: pytest.Item) -> bool:
    # pytest-django gives the mark these fixtures only when the test begins.
    fixtures = {"db", "transactional_db", "live_server"} & {*getattr(item, "fixturenames", ())}
    return bool(fixtures) or item.get_closest_marker("django_db") is not None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Many tests wait for a server or a clock, while another one can use the processor."""
    cores = len(os.sched_getaffinity(0))
    return cores + cores // 2


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one line for each reason to skip tests."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", ()))
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} tests did not run: {reason.removeprefix('Skipped: ')}")
