"""O23: /metrics counts requests by route and status, with their time, and shows the state of the site."""

import re
import time
from pathlib import Path
from threading import Event, current_thread
from unittest.mock import Mock

import pytest
import requests
from django.test import Client
from pytest_django import Settings

from econweb.dashboard.rendering.etags import build_id
from econweb.serving import worker
from econweb.serving.monitoring.request_times import BOUNDS, RequestTimes, build_histogram, sum_rows
from econweb.upstream import service
from econweb.upstream.metrics import DURATION, count_request
from tests.builders import a_series
from tests.conftest import Loader
from tests.server import served
from tests.serving.metric_values import value
from tests.startup.prepared import prepare

COUNT = 'econweb_http_request_duration_seconds_count{{route="{}",status="{}"}}'


@pytest.mark.slow
def test_requests_of_all_workers_are_counted_by_route_and_status(tmp_path: Path) -> None:
    """O23"""
    expected = {
        ("series", "200"): 30,  # 29 of them from the response cache
        ("series", "404"): 5,
        ("none", "404"): 5,
        ("static", "200"): 3,
        ("econ", "400"): 3,
        ("healthz", "200"): 3,
    }
    with served(prepare(tmp_path), workers=2) as (address, _):
        style = re.search(r'href="(/static/econweb[^"]*\.css)"', requests.get(f"{address}/help/", timeout=30).text)
        assert style
        paths = ["/series/GNPCA/"] * 30 + ["/series/UNKNOWN/"] * 5 + ["/no/such/page"] * 5
        for path in [*paths, *[style[1]] * 3, *["/econ/series"] * 3, *["/healthz"] * 3]:
            requests.get(address + path, timeout=30)
        for _ in range(600):
            text = requests.get(f"{address}/metrics", timeout=30).text
            found = {key: value(text, COUNT.format(*key)) for key in expected}
            if found == expected:
                break
            time.sleep(0.1)

    assert found == expected
    assert value(text, "econweb_http_slots") == 64
    assert value(text, "econweb_http_requests_in_progress") >= 1


def test_histogram_has_cumulative_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)
    times = RequestTimes()
    for seconds in (0.0005, 0.001, 0.02, 99.0):
        times.add("series", 200, -seconds)

    samples = {
        (sample.name.removeprefix("econweb_http_request_duration_seconds"), sample.labels.get("le", "")): sample.value
        for sample in build_histogram(sum_rows([times.rows(), times.rows()])).samples
    }

    assert samples["_bucket", "0.001"] == 4
    assert samples["_bucket", "0.025"] == samples["_bucket", "10.0"] == 6
    assert samples["_bucket", "+Inf"] == samples["_count", ""] == 8
    assert samples["_sum", ""] == pytest.approx(198.043)
    assert len(samples) == len(BOUNDS) + 3


def test_times_of_the_service_keep_their_buckets() -> None:
    """Rules and recordings of operators name them."""
    count_request("probe", b"", 0.3)
    (metric,) = DURATION.collect()
    samples = [one for one in metric.samples if one.labels["endpoint"] == "probe"]
    buckets = {one.labels["le"]: one.value for one in samples if "le" in one.labels}

    assert " ".join(buckets) == "0.01 0.05 0.1 0.25 0.5 1.0 2.5 5.0 10.0 30.0 +Inf"
    assert next(bound for bound, count in buckets.items() if count) == "0.5"


@pytest.mark.django_db(transaction=True)
def test_metrics_show_the_state_of_the_site(client: Client, catalogue: Loader, settings: Settings) -> None:
    """O23"""
    before = time.time()
    catalogue(series=[a_series()])
    # Loads the pages, as a worker does before its first request.
    client.get("/about/")

    text = client.get("/metrics").text

    assert value(text, f'econweb_build_info{{build="{build_id()}",version="{settings.VERSION}"}}') == 1
    up = ["database_up", "data_dir_writable", "upstream_key_accepted", 'cache_up{backend="memory"}']
    assert [value(text, f"econweb_{name}") for name in up] == [1, 1, 1, 1]
    assert before - 1 <= value(text, "econweb_catalogue_loaded_timestamp_seconds") <= time.time()
    assert 'econweb_index_owners{state="known"}' in text
    assert value(text, "econweb_index_failing") == 0
    assert all(f'econweb_sign_ins_total{{outcome="{outcome}"}}' in text for outcome in ("ok", "failed", "refused"))


@pytest.mark.django_db(transaction=True)
def test_metrics_show_what_is_away(client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """O23"""
    monkeypatch.setattr("econweb.upstream.cache.store.Store.is_backing_off", lambda _: True)
    monkeypatch.setattr("econweb.upstream.limits.key_status.KeyStatus.state", lambda _: "refused")
    settings.DATA_DIR = Path("/nowhere")
    service.upstream.cache_clear()
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr("econweb.serving.monitoring.site_state._update_from_tables", _fail)
        text = client.get("/metrics").text

    away = ["database_up", "data_dir_writable", "upstream_key_accepted", 'cache_up{backend="memory"}']
    assert [value(text, f"econweb_{name}") for name in away] == [0, 0, 0, 0]


def _fail() -> None:
    from django.db import OperationalError  # noqa: PLC0415

    raise OperationalError


def test_metrics_tell_when_a_thread_began_that_never_succeeds(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O23"""

    def never_end() -> float:
        Event().wait()
        return 0.0

    monkeypatch.setattr("econweb.serving.background.list_steps", lambda: [("stuck", never_end)])
    for name in ("start_heartbeat", "share_counts", "connection_created"):
        monkeypatch.setattr(worker, name, Mock())
    before = time.time()
    worker.load_worker(Mock(), Path(), "builtins:dict")

    began = 'econweb_thread_last_success_timestamp_seconds{thread="stuck"}'
    assert value(client.get("/metrics").text, began) >= before - 1


def test_metrics_tell_when_a_thread_last_succeeded(client: Client, db: None) -> None:
    """O23"""
    name, before = current_thread().name, time.time()
    worker.run_step(lambda: 5.0, 0.0)
    first = client.get("/metrics").text

    worker.run_step(lambda: 1 / 0, 1.0)
    second = client.get("/metrics").text

    done = f'econweb_thread_last_success_timestamp_seconds{{thread="{name}"}}'
    assert before - 1 <= value(first, done) == value(second, done)
