"""A check with a day, of a service that has no archive or has it no more."""

from datetime import timedelta

import pytest
from django.test import Client

from econweb.upstream import clock
from econweb.upstream.errors import NotInPeriod, Refused, UpstreamError, WrongValue
from tests.dashboard.id_check.records import SINCE, current, versions
from tests.dashboard.id_check.test_partial import read, verdicts
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "error",
    [
        NotInPeriod("No record in that period.", is_explicit=True),
        Refused("There is no archive."),
        WrongValue("There is no archive.", "realtime_start"),
    ],
)
def test_service_without_an_archive_is_judged_as_of_today(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch, error: UpstreamError
) -> None:
    stand_in.seriess = {"A": [current("A")], "B": [current("B", title="Output (DISCONTINUED)")]}
    get = stand_in.get

    def refuse_past(endpoint: str, parameters: dict[str, str]) -> bytes:
        if "realtime_start" in parameters:
            raise error
        return get(endpoint, parameters)

    monkeypatch.setattr(stand_in, "get", refuse_past)
    answer = client.get(f"/check.json?ids=A,B,NONE&since={SINCE}")
    whole = read(answer)
    rows = {one["id"]: one for one in whole["checks"]}

    assert verdicts(whole) == {"NONE": "not found", "B": "discontinued", "A": "cannot tell"}
    assert rows["B"]["also"] == "cannot tell"
    assert str(error) in rows["A"]["reason"]
    assert answer.status_code == 200


def test_old_history_of_a_service_without_an_archive_does_not_hide_today(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other id shows that the service refuses past days."""
    stand_in.seriess = {"A": versions("A", {}), "B": [current("B")]}
    now, get = clock.now, stand_in.get
    monkeypatch.setattr(clock, "now", lambda: now() - timedelta(hours=2).total_seconds())
    client.get(f"/check.json?ids=A&since={SINCE}")
    monkeypatch.setattr(clock, "now", now)

    def refuse_past(endpoint: str, parameters: dict[str, str]) -> bytes:
        if "realtime_start" in parameters:
            raise WrongValue("There is no archive.", "realtime_start")
        return get(endpoint, parameters)

    monkeypatch.setattr(stand_in, "get", refuse_past)
    answer = client.get(f"/check.json?ids=A,B&since={SINCE}")

    assert (answer.status_code, verdicts(read(answer))) == (200, {"A": "fine", "B": "cannot tell"})
