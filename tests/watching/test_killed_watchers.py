"""A small run of the drill that kills hosts while they look at watched sources."""

import pytest

from bench.drills.killed_watchers import killed_watchers

pytestmark = pytest.mark.slow


def test_kill_loses_and_doubles_no_news_of_four_weeks() -> None:
    """O31, O32"""
    outcome = killed_watchers(kills=6, sources=40)

    assert outcome.good, outcome.line()
