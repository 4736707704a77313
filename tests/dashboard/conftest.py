"""Fixtures of the tests of pages."""

from types import SimpleNamespace

import pytest

from econweb.dashboard.series_list import loading
from tests.fake_service import FakeService, a_tag, tags_of


@pytest.fixture(autouse=True)
def complete_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a list load all of its series, however busy the machine is; a page waits for a second."""
    monkeypatch.setattr(loading, "time", SimpleNamespace(monotonic=lambda: 0.0))


@pytest.fixture
def category_125(stand_in: FakeService) -> None:
    stand_in.has(
        "category",
        125,
        [
            a_tag("usa", series_count=47, popularity=100, notes="A country"),
            a_tag("annual", group_id="freq", series_count=7),
            a_tag("monthly", group_id="freq", series_count=40),
            a_tag("seas", group_id="cc", notes=None, series_count=40, popularity=-31),
        ],
    )
    stand_in.has("release", 53, tags_of(188))
