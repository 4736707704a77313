"""The competition of visitors."""

import pytest

from econweb.upstream import clock
from econweb.upstream.limits.competition import Competition


@pytest.mark.parametrize(
    ("visitors", "is_on"),
    [
        ([], False),
        (["ada", "ada"], False),
        (["ada", "bob"], True),
        # A background thread is no visitor, and hides none.
        (["ada", ""], False),
        (["", "ada"], False),
        (["ada", "", "bob"], True),
    ],
)
def test_two_visitors_compete(visitors: list[str], is_on: bool) -> None:
    competition = Competition(10.0)
    for visitor in visitors:
        competition.note(visitor)

    assert competition.is_on() is is_on


def test_competition_ends_after_its_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    competition, begun = Competition(10.0), clock.steady()
    competition.note("ada")
    competition.note("bob")
    monkeypatch.setattr(clock, "steady", lambda: begun + 11.0)

    assert not competition.is_on()
