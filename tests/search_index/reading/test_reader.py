"""The reader with failures, with other processes, and killed at any moment."""

from datetime import timedelta

import pytest
from django.db import InternalError, OperationalError
from psycopg.errors import ReadOnlySqlTransaction
from pytest_django import Settings
from structlog.testing import capture_logs

from econweb.label_book.models import Label
from econweb.search_index.models import UnreadOwner
from econweb.search_index.reading.reader import OTHER_SECONDS, Reader, may_read
from econweb.search_index.reading.status import describe_coverage, status_lines
from econweb.search_index.tags import tag_index
from econweb.serving.background import request_tags
from econweb.serving.worker import MAX_WAIT, run_step
from econweb.upstream.background import MAX_RETRY_SECONDS
from econweb.upstream.errors import BadReply, NotFound, Unavailable, UpstreamError
from tests.search_index.reading.conftest import World

pytestmark = pytest.mark.django_db
DAY = 86_400


def read_numbers() -> list[int]:
    return sorted(number for _, number in tag_index.fetch_times())


def test_reader_continues_where_the_last_one_stopped(world: World) -> None:
    world.knows(10)
    first = Reader(request_tags)
    world.read(first, 20)
    before = len(world.sent)
    first.stop()
    world.read(Reader(request_tags), 60)

    assert 0 < before < 10
    assert sorted(world.asked()) == list(range(1, 11))


def test_one_process_of_all_reads(world: World) -> None:
    world.knows(100)
    one, other = Reader(request_tags), Reader(request_tags)
    one.step()

    assert other.step() == OTHER_SECONDS
    before = len(world.sent)
    world.moment += 6
    one.step()
    assert (before, len(world.sent)) == (1, 2)


def test_another_process_takes_over_after_the_first_one_died(world: World) -> None:
    world.knows(100)
    Reader(request_tags).step()
    world.moment += 30
    Reader(request_tags).step()

    assert world.asked() == [1, 2]


def test_lease_of_a_clock_that_was_set_back_is_ignored(world: World) -> None:
    world.knows(100)
    world.moment += 7 * DAY
    Reader(request_tags).step()
    world.moment -= 7 * DAY

    assert Reader(request_tags).step() != OTHER_SECONDS


def test_owner_that_is_gone_leaves_the_index(world: World) -> None:
    world.knows(2)
    world.read(Reader(request_tags), 30)
    del world.service.tags["category", "1"]
    world.moment += DAY
    world.read(Reader(request_tags), 60)

    assert read_numbers() == [2]
    assert world.asked().count(1) == 2
    assert any(line.startswith("category 1 could not be read (NotFound)") for line in status_lines())


def test_owner_whose_label_is_deleted_is_read_again(world: World) -> None:
    world.knows(2)
    world.read(Reader(request_tags), 30)
    Label.objects.filter(number=1).delete()
    world.moment += DAY
    world.read(Reader(request_tags), 60)

    assert world.asked().count(1) == 2


@pytest.mark.parametrize("error", [BadReply("The planted text."), NotFound("The planted text.")])
def test_bad_reply_leaves_old_tags_and_does_not_delay_others(
    world: World, monkeypatch: pytest.MonkeyPatch, error: UpstreamError
) -> None:
    """A 404 without a word of the service comes from a proxy."""
    world.knows(3)
    world.read(Reader(request_tags), 30)
    world.moment += DAY
    get = world.service.get

    def break_first(endpoint: str, parameters: dict[str, str]) -> bytes:
        answer = get(endpoint, parameters)
        if parameters["category_id"] == "1":
            raise error
        return answer

    monkeypatch.setattr(world.service, "get", break_first)
    world.read(Reader(request_tags), 300)
    times = tag_index.fetch_times()

    assert read_numbers() == [1, 2, 3]
    assert times["category", 2] - times["category", 1] >= timedelta(days=1)
    assert world.asked().count(1) == 2
    assert "planted" not in UnreadOwner.objects.get().failure


def test_failing_service_is_logged_once_and_asked_ever_less(world: World) -> None:
    world.knows(3)
    world.service.error = Unavailable("The service is down.")
    reader = Reader(request_tags)
    with capture_logs() as logs:
        pauses = []
        for _ in range(12):
            pauses.append(reader.step())
            world.moment += pauses[-1]
    failing = status_lines()
    world.service.error = None
    world.read(reader, 60)

    assert [line["event"] for line in logs if line["log_level"] == "warning" and "index" in line["event"]] == [
        "the index of tags cannot be read, and is tried again later"
    ]
    assert pauses[:4] == [5, 10, 20, 40]
    assert pauses == sorted(pauses)
    assert pauses[-1] == MAX_RETRY_SECONDS
    assert any(line.startswith("The service has failed for") for line in failing)
    assert not any(line.startswith("The service has failed") for line in status_lines())
    assert read_numbers() == [1, 2, 3]


def test_failure_of_an_earlier_process_is_not_reported_after_a_success(world: World) -> None:
    world.knows(1)
    world.service.error = Unavailable("The service is down.")
    first = Reader(request_tags)
    first.step()
    first.stop()
    world.service.error = None
    world.read(Reader(request_tags), 60)

    assert not any(line.startswith("The service has failed") for line in status_lines())


def test_unexpected_failure_is_logged_once_with_growing_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    wait, waits = 0.0, []
    with capture_logs() as logs:
        for _ in range(10):
            _, wait = run_step(lambda: 1 / 0, wait)
            waits.append(wait)
    _, wait = run_step(lambda: 5.0, wait)

    assert len(logs) == 1
    assert waits == sorted(waits)
    assert (waits[-1], wait) == (MAX_WAIT, 0.0)


@pytest.mark.parametrize(
    ("error", "has_trace"), [(ZeroDivisionError, True), (OperationalError, False), (InternalError, False)]
)
def test_database_that_is_away_or_read_only_is_logged_without_a_trace(error: type[Exception], has_trace: bool) -> None:
    def fail() -> float:
        raise error

    with capture_logs() as logs:
        run_step(fail, 0.0)

    assert [log["exc_info"] for log in logs] == [has_trace]


def test_failure_of_the_database_is_logged_with_its_reason() -> None:
    def fail() -> float:
        raise OperationalError("connection refused")

    with capture_logs() as logs:
        run_step(fail, 0.0)

    assert logs[0]["reason"].startswith("The database cannot be used: connection refused. ")


def test_failure_after_a_refusal_by_a_replica_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    def write() -> float:
        raise InternalError from ReadOnlySqlTransaction()

    monkeypatch.setattr("econweb.serving.worker.is_replica", lambda: True)
    with capture_logs() as logs:
        for _ in range(2):
            pause, wait = run_step(write, 0.0)
        run_step(lambda: 1 / 0, wait)

    assert (pause, wait) == (MAX_WAIT, 0.0)
    assert [log["log_level"] for log in logs] == ["info", "error"]


def test_coverage_is_described_with_its_age(world: World) -> None:
    world.knows(2)
    world.read(Reader(request_tags), 2)
    world.moment += 600

    assert describe_coverage() == "Of 2 known categories and releases 1 was read, the oldest 10 minutes ago."


def test_age_of_coverage_follows_a_reading_that_changed_nothing(world: World) -> None:
    world.knows(2)
    world.read(Reader(request_tags), 60)
    world.moment += 3 * DAY
    before = describe_coverage()
    world.read(Reader(request_tags), 60)

    assert before.endswith(" 2 were read, the oldest 3 days ago.")
    assert describe_coverage().endswith(" 2 were read, the oldest 1 minute ago.")


def test_coverage_of_one_is_described_in_the_singular(world: World) -> None:
    world.knows(1)
    world.read(Reader(request_tags), 2)

    assert describe_coverage() == "The only known category or release was read less than a minute ago."


@pytest.mark.parametrize(("may_store", "share", "reads"), [(True, 0.1, True), (False, 0.1, False), (True, 0.0, False)])
def test_reader_needs_leave_to_store_and_a_share(
    world: World, settings: Settings, may_store: bool, share: float, reads: bool
) -> None:
    settings.ECON_MAY_STORE, settings.ECON_BACKGROUND_SHARE = may_store, share

    assert may_read() is reads
