"""The embedded service, with nothing left in its memory by an earlier test."""

import threading
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from econweb.catalogue import access
from econweb.catalogue.answers import snapshot
from tests.builders import write_catalogue
from tests.catalogue.api_calls import Ask, a_catalogue, asked


@pytest.fixture(autouse=True)
def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has a catalogue of its own."""
    monkeypatch.setattr(snapshot._Memory, "snapshot", snapshot.CatalogueSnapshot())


@pytest.fixture
def writing_threads(monkeypatch: pytest.MonkeyPatch) -> Callable[[], set[Thread]]:
    """Write uses of keys at once; the value, when called, returns the threads that are writing them."""
    monkeypatch.setattr(access._Memory, "write_after", 0.0)
    others = set(threading.enumerate())
    return lambda: set(threading.enumerate()) - others


@pytest.fixture
def ask(api_key: str) -> Ask:
    """Return a function that asks the API with the key of the dashboard."""
    return lambda path, **parameters: asked(path, **{"api_key": api_key, **parameters})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_catalogue(tmp_path, **a_catalogue({"A": ["usa", "sa"], "B": ["usa"]}))
