"""A check within the allowance: what is not known yet is never called fine, and the answer says when to ask again."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.upstream import client as upstream_client
from econweb.upstream import clock
from econweb.upstream.client import EconClient
from econweb.upstream.errors import (
    BadReply,
    Busy,
    NotFound,
    Refused,
    Unavailable,
    UpstreamError,
)
from tests.dashboard.id_check.records import SINCE, current, versions
from tests.dashboard.reading import links, row_heads, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db
TWO_HUNDRED = [f"S{number}" for number in range(200)]
LINK = f"/check.json?ids={','.join(TWO_HUNDRED)}&since={SINCE}"


def read(answer: Any) -> Any:
    return json.loads(answer.getvalue())


def verdicts(whole: Any) -> dict[str, str]:
    return {one["id"]: one["verdict"] for one in whole["checks"]}


class Limited(FakeService):
    """A service behind the rate limit of the site, on a clock that only sleeping and waiting move."""

    def __init__(self) -> None:
        super().__init__()
        self.moment = datetime.now(UTC).timestamp()
        self.moments: list[float] = []

    def exchange(self, _session: object, url: str, parameters: dict[str, str], _deadline: object) -> Any:
        self.moments.append(self.moment)
        try:
            return self.get(url.rpartition("/econ/")[2], parameters)
        except UpstreamError as error:
            return error

    def wait(self, seconds: float) -> None:
        self.moment += seconds


@pytest.fixture
def limited(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Limited:
    service = Limited()
    settings.ECON_BASE_URL, settings.ECON_API_KEY = "http://127.0.0.1:9", "0123456789abcdef0123456789abcdef"
    monkeypatch.setattr(upstream_client, "exchange", service.exchange)
    monkeypatch.setattr(clock, "now", lambda: service.moment)
    monkeypatch.setattr(clock, "steady", lambda: service.moment)
    monkeypatch.setattr(clock, "sleep", service.wait)
    service.seriess = {name: versions(name, {}) for name in TWO_HUNDRED}
    return service


@pytest.mark.slow
def test_200_ids_are_checked_within_the_allowance(client: Client, limited: Limited) -> None:
    limited.seriess["S7"] = versions("S7", {"units": "Percent"})
    checked = []
    while (answer := client.get(LINK)).status_code == 503:
        counts = Counter(verdicts(read(answer)).values())
        checked.append(200 - counts["not checked"])
        limited.wait(int(answer["Retry-After"]))
    whole = read(answer)

    assert checked[0] == 10
    assert checked == sorted(set(checked))
    assert Counter(one["verdict"] for one in whole["checks"]) == {"fine": 199, "units changed": 1}
    assert (whole["fine"], whole["complete"], whole["retry_after"]) == (False, True, None)
    assert Counter(parameters["series_id"] for _, parameters in limited.asked) == Counter(TWO_HUNDRED)
    for moment in limited.moments:
        assert sum(moment <= other < moment + 60 for other in limited.moments) <= 120


@pytest.mark.slow
def test_200_ids_that_are_known_take_one_call_and_no_request(client: Client, limited: Limited) -> None:
    while (answer := client.get(LINK)).status_code == 503:
        limited.wait(int(answer["Retry-After"]))
    limited.asked.clear()
    again = client.get(LINK)

    assert (again.status_code, read(again)["fine"], limited.asked) == (200, True, [])


def test_partial_answer_says_so_and_when_to_ask_again(client: Client, limited: Limited) -> None:
    answer = client.get(LINK)
    whole = read(answer)

    assert (answer.status_code, answer["Retry-After"]) == (503, "2")
    assert (whole["fine"], whole["complete"], whole["retry_after"]) == (False, False, 2)
    assert (whole["not_checked"], whole["not_fine"]) == (190, 0)
    assert whole["about"]["title"] == "10 of 200 series are fine so far."
    assert "ETag" not in answer


def test_partial_page_loads_the_rest(client: Client, limited: Limited) -> None:
    page = client.get(LINK.replace(".json", "/"))

    assert page.status_code == 200
    assert 'hx-trigger="load delay:2s"' in page.text
    assert links(page)["Continue"] == LINK.replace(".json", "/")
    assert row_heads(page)[:190] == TWO_HUNDRED[10:]
    assert "Checked 10 of 200" in " ".join(words(page, "//*[@id='check-state']"))


@pytest.mark.parametrize(
    "error",
    [
        Unavailable("The service failed."),
        BadReply("It is no JSON."),
        Refused("The key is not registered.", is_about_key=True),
        Busy("The data provider has asked this site to wait.", 7),
        NotFound("A missing page of a proxy is no word of the service."),
    ],
)
@pytest.mark.parametrize("since", ["", SINCE])
def test_failing_service_is_no_verdict(client: Client, stand_in: FakeService, error: UpstreamError, since: str) -> None:
    stand_in.error = error
    answer = client.get("/check.json", {"ids": "A,B", "since": since})
    whole = read(answer)

    assert answer.status_code == 503
    assert int(answer["Retry-After"]) == (7 if isinstance(error, Busy) else 30)
    assert verdicts(whole) == {"A": "not checked", "B": "not checked"}
    assert any(str(error) in one["reason"] for one in whole["checks"])
    assert whole["fine"] is False
    assert whole["about"]["title"] == "Nothing is checked yet."


def test_workbook_of_an_incomplete_check_that_cannot_be_written_is_refused(
    client: Client, stand_in: FakeService, settings: Settings
) -> None:
    """A20"""
    stand_in.error = Unavailable("The service failed.")
    settings.DATA_DIR = "/does/not/exist"
    answer = client.get("/check.xlsx?ids=A,B")

    assert (answer.status_code, answer["Content-Type"]) == (503, "text/plain; charset=utf-8")
    assert "cannot write an Excel file" in answer.text
    assert answer.has_header("Retry-After")


def test_refusal_of_one_series_cannot_tell(client: Client, stand_in: FakeService) -> None:
    stand_in.error = Refused("The service has no series.")
    answer = client.get("/check.json?ids=A")
    whole = read(answer)

    assert (answer.status_code, verdicts(whole), whole["fine"]) == (200, {"A": "cannot tell"}, False)
    assert "The service has no series." in whole["checks"][0]["reason"]


def test_series_whose_last_record_ended_is_gone(client: Client, stand_in: FakeService, monkeypatch: Any) -> None:
    ended = [current("A", realtime_end="2025-06-30")]

    def get(_client: EconClient, _endpoint: str, parameters: dict[str, str], _deadline: object) -> bytes:
        stand_in.seriess["A"] = ended if "realtime_start" in parameters else []
        return stand_in.get("series", parameters)

    monkeypatch.setattr(EconClient, "get", get)
    row = read(client.get(f"/check.json?ids=A&since={SINCE}"))["checks"][0]

    assert row["verdict"] == "gone"
    assert row["reason"] == "The provider has no record of it today. Its last one ended on 2025-06-30."
    assert "A is not fine (gone)." in client.get(f"/check/?ids=A&since={SINCE}").text
    row = read(client.get("/check.json?ids=A"))["checks"][0]
    assert row["verdict"] == "gone"
    assert row["reason"] == "The provider has no record of it today, though it knows the id."


def test_old_answer_is_no_verdict(client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in.seriess["A"] = [current("A")]
    now = clock.now
    monkeypatch.setattr(clock, "now", lambda: now() - timedelta(hours=2).total_seconds())
    client.get("/check.json?ids=A")
    monkeypatch.setattr(clock, "now", now)
    stand_in.error = Unavailable("The service failed.")
    answer = client.get("/check.json?ids=A")
    whole = read(answer)

    assert (answer.status_code, verdicts(whole)) == (503, {"A": "not checked"})
    assert "too old" in whole["checks"][0]["reason"]


@pytest.mark.parametrize("since", ["", SINCE])
def test_old_answer_that_is_fresh_for_pages_is_read_again(
    client: Client, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch, settings: Settings, since: str
) -> None:
    settings.ECON_FRESH_SECONDS = 86_400
    stand_in.seriess = {name: versions(name, {}) for name in ("OLD", "NEW")}
    now = clock.now
    monkeypatch.setattr(clock, "now", lambda: now() - timedelta(hours=2).total_seconds())
    client.get("/check.json", {"ids": "OLD", "since": since})
    monkeypatch.setattr(clock, "now", now)
    client.get("/check.json", {"ids": "NEW", "since": since})
    before = len(stand_in.asked)
    answer = client.get("/check.json", {"ids": "OLD,NEW", "since": since})

    assert (answer.status_code, verdicts(read(answer))) == (200, {"OLD": "fine", "NEW": "fine"})
    assert [parameters["series_id"] for _, parameters in stand_in.asked[before:]] == ["OLD"]


def test_series_that_was_missed_a_moment_ago_is_not_found(client: Client, stand_in: FakeService) -> None:
    assert client.get("/series/A/").status_code == 404
    assert verdicts(read(client.get("/check.json?ids=A"))) == {"A": "not found"}
