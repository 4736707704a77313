"""Signs of life for the machines that watch."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import Settings

from econweb.upstream import service
from econweb.upstream.errors import UpstreamError
from econweb.upstream.queries import SeriesQuery
from tests.builders import a_series
from tests.conftest import Loader
from tests.serving.metric_values import value

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "plantedkey0123456789plantedkey01"


def break_the_breaker(settings: Settings) -> None:
    settings.ECON_BASE_URL, settings.ECON_API_KEY = "http://127.0.0.1:9", KEY
    service.upstream.cache_clear()
    for number in range(6):
        with pytest.raises(UpstreamError):
            service.series(SeriesQuery(f"GNPCA{number}"))


def test_health_check_succeeds_while_the_process_responds(client: Client) -> None:
    answer = client.get("/healthz")

    assert (answer.status_code, answer.text) == (200, "ok\n")
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(("is_behind_proxy", "address"), [(True, "192.0.2.7"), (False, "127.0.0.1")])
def test_health_check_names_the_address_by_which_limits_know_the_client(
    client: Client, settings: Settings, is_behind_proxy: bool, address: str
) -> None:
    settings.BEHIND_PROXY = is_behind_proxy
    forwarded = {"X-Forwarded-For": "198.51.100.7, 192.0.2.7"}

    assert client.get("/healthz", headers=forwarded)["X-Client-Address"] == address


def test_readiness_needs_the_database(client: Client) -> None:
    answer = client.get("/readyz")

    assert answer.status_code == 200
    upstream = {"breaker": "closed", "failure": "", "allowance_left": None, "key": "ok"}
    assert answer.json() == {"database": "ok", "data_dir": "ok", "upstream": upstream}


def test_full_disk_is_shown_without_failing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """P2: users can still read most pages."""
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: SimpleNamespace(free=4096))
    answer = client.get("/readyz")

    assert (answer.status_code, answer.json()["data_dir"]) == (200, "full")
    assert "\neconweb_data_dir_writable 0.0\n" in client.get("/metrics").text


def test_full_disk_of_a_database_elsewhere_is_shown(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """P2: only DATA_DIR was looked at."""
    monkeypatch.setitem(settings.DATABASES, "default", {"ENGINE": "x.sqlite3", "NAME": str(tmp_path / "db.sqlite3")})
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=0 if folder == tmp_path else 10**9))

    assert client.get("/readyz").json()["data_dir"] == "full"
    monkeypatch.setattr("os.access", lambda path, _mode: path != tmp_path)
    assert client.get("/readyz").json()["data_dir"] == "cannot be written"


def test_folder_that_cannot_be_written_makes_a_host_unready(client: Client, settings: Settings) -> None:
    settings.DATA_DIR = Path("/nowhere")
    answer = client.get("/readyz")

    assert (answer.status_code, answer.json()["data_dir"]) == (503, "cannot be written")


def test_readiness_shows_an_outage_without_failing(client: Client, settings: Settings) -> None:
    break_the_breaker(settings)

    answer = client.get("/readyz")

    assert answer.status_code == 200
    upstream = answer.json()["upstream"]
    assert (upstream["breaker"], "does not accept a connection" in upstream["failure"]) == ("open", True)


def test_readiness_fails_with_a_missing_migration(client: Client) -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("catalogue", "0004_rename_tale")
    try:
        answer = client.get("/readyz")
    finally:
        recorder.record_applied("catalogue", "0004_rename_tale")

    assert answer.status_code == 503
    assert "to be applied" in answer.json()["database"]


def test_readiness_fails_with_an_unreadable_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise DatabaseError("file is not a database")

    monkeypatch.setattr(connection, "ensure_connection", broken)
    monkeypatch.setattr(connection, "cursor", broken)

    answer = client.get("/readyz")

    assert (answer.status_code, answer.json()["database"]) == (503, "cannot be read")


def test_metrics_count_requests_and_cached_answers(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series()])
    names = [
        'econweb_upstream_requests_total{endpoint="series",outcome="ok"}',
        'econweb_upstream_requests_total{endpoint="series",outcome="not_found"}',
        'econweb_upstream_request_duration_seconds_count{endpoint="series"}',
        'econweb_answers_total{source="fetched"}',
        'econweb_answers_total{source="fresh"}',
        'econweb_answers_total{source="failed"}',
    ]
    before = client.get("/metrics").text
    for path in ("/series/GNPCA.json", "/series/GNPCA.json", "/series/UNKNOWN.json"):
        client.get(path)

    after = client.get("/metrics").text

    assert [value(after, name) - value(before, name) for name in names] == [1, 1, 2, 1, 1, 1]


def test_metrics_show_breaker_and_remaining_rate_limit(client: Client, settings: Settings) -> None:
    break_the_breaker(settings)

    metrics = client.get("/metrics").text

    states = [value(metrics, f'econweb_upstream_breaker{{state="{state}"}}') for state in ("closed", "open")]
    assert states == [0, 1]
    assert 0 <= value(metrics, "econweb_upstream_allowance_left") <= 10
    assert KEY not in metrics


def test_metrics_of_a_service_without_a_rate_limit_show_no_end_of_it(client: Client) -> None:
    assert value(client.get("/metrics").text, "econweb_upstream_allowance_left") == float("inf")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_health_check_allows_get_and_head_only(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405
    assert client.head(path).content == b""


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("host", ["127.0.0.1:8000", "web:8000"])
@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_health_check_accepts_any_host_name(  # noqa: PLR0913, PLR0917
    client: Client,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
    path: str,
    host: str,
    method: str,
) -> None:
    """O2"""
    settings.ALLOWED_HOSTS = ["portal.example.org"]

    assert getattr(client, method)(path, headers={"Host": host}).status_code == 200
    assert [record for record in caplog.records if record.levelname in {"WARNING", "ERROR"}] == []
    assert client.get("/", headers={"Host": host}).status_code == 400
