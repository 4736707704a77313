"""The alerts and the dashboard in docs/monitoring/ ask for metrics that exist, and the alerts fire when they should."""

import json
import re
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

import econweb.serving.admission  # noqa: F401  the metrics of its queue
from econweb.search_index.models import ReaderState
from econweb.search_index.tags import tag_index
from econweb.search_index.tags.tag_index import Coverage
from econweb.serving import worker
from econweb.serving.monitoring.request_times import TIMES
from econweb.watching.models import WatchedSource
from tests.programs import program
from tests.watching.looks import World

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "monitoring"
CASES = tuple(Path(__file__).with_name(name) for name in ("alert_cases.yml", "alert_cases_of_days.yml"))
ALERTS = [rule for group in yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
DASHBOARD = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
NAME = re.compile(r"\b(?:econweb|process|python)_[a-z_]+")


def targets() -> Iterator[dict[str, Any]]:
    for panel in DASHBOARD["panels"]:
        yield from panel["targets"]


def expressions() -> list[str]:
    return [rule["expr"] for rule in ALERTS] + [target["expr"] for target in targets()]


@pytest.mark.django_db(transaction=True)
def test_alerts_and_dashboard_name_existing_metrics(client: Client) -> None:
    TIMES.add("series", 200, 0.1)
    worker.run_step(lambda: 5.0, 0.0)
    client.get("/series/GNPCA/")
    shown = set(re.findall(r"^([a-z_]+)[ {]", client.get("/metrics").text, re.MULTILINE))

    named = {name for text in expressions() for name in NAME.findall(text)}

    assert len(named) > 20
    assert named - shown == set()


@pytest.mark.django_db(transaction=True)
def test_metric_says_since_when_a_look_waits(client: Client) -> None:
    def shown() -> float:
        line = r"^econweb_watched_oldest_due_timestamp_seconds (.+)$"
        return float(re.findall(line, client.get("/metrics").text, re.MULTILINE)[0])

    row = World().follow("A")
    WatchedSource.objects.filter(pk=row.pk).update(due=timezone.now() + timedelta(days=1))
    assert shown() == 0
    due = datetime(2026, 1, 2, tzinfo=UTC)
    WatchedSource.objects.filter(pk=row.pk).update(due=due)
    assert shown() == due.timestamp()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("share", "is_shown"), [(0.1, True), (0.0, False)])
def test_metrics_tell_of_the_index_where_it_is_read(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, share: float, is_shown: bool
) -> None:
    """With ECON_BACKGROUND_SHARE=0 an index that grows old, and an old failure, need nobody."""
    settings.ECON_BASE_URL, settings.ECON_BACKGROUND_SHARE = "https://data.example.org", share
    fetched = datetime(2026, 1, 2, tzinfo=UTC)
    monkeypatch.setattr(tag_index, "coverage", lambda: Coverage(2, 1, fetched))
    ReaderState.objects.update_or_create(pk=1, defaults={"failure": "Unavailable", "failing_since": fetched})
    text = client.get("/metrics").text

    assert f"econweb_index_failing {float(is_shown)}" in text
    shown = re.findall(r"^econweb_index_oldest_timestamp_seconds (.+)$", text, re.MULTILINE)
    assert float(shown[0]) == (fetched.timestamp() if is_shown else 0.0)


def test_dashboard_panels_are_distinct_and_complete() -> None:
    panels = DASHBOARD["panels"]

    assert len({panel["id"] for panel in panels}) == len({panel["title"] for panel in panels}) == len(panels)
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len({*places}) == len(panels)
    assert all(panel["description"] and panel["targets"] for panel in panels)
    assert all("$instance" in target["expr"] or "up{" in target["expr"] for target in targets())


@pytest.mark.parametrize("expression", expressions(), ids=lambda text: text[:40])
def test_expressions_are_balanced(expression: str) -> None:
    for left, right in ("()", "{}", "[]"):
        assert expression.count(left) == expression.count(right)


def test_each_alert_is_tried() -> None:
    tests = [test for file in CASES for test in yaml.safe_load(file.read_text(encoding="utf-8"))["tests"]]
    tried = [case for test in tests for case in test["alert_rule_test"]]
    names = {rule["alert"] for rule in ALERTS}

    assert {case["alertname"] for case in tried if case["exp_alerts"]} == names
    assert {case["alertname"] for case in tried if not case["exp_alerts"]} == names


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [["check", "rules", str(FOLDER / "alerts.yml")], ["test", "rules", *map(str, CASES)]]
)
def test_promtool_accepts_the_alerts(arguments: list[str]) -> None:
    ran = subprocess.run([program("promtool"), *arguments], capture_output=True, text=True, check=False)

    assert (ran.returncode, "SUCCESS" in ran.stdout) == (0, True), ran.stdout + ran.stderr


@pytest.mark.slow
def test_promtool_parses_each_query_of_the_dashboard(tmp_path: Path) -> None:
    """Each query is the expression of a rule: this tool reads no dashboards."""
    texts = [re.sub(r"\$instance", ".*", target["expr"]).replace("$__rate_interval", "5m") for target in targets()]
    rules = [{"record": f"query:number_{number}", "expr": text} for number, text in enumerate(texts)]
    (tmp_path / "rules.yml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))

    ran = subprocess.run(
        [program("promtool"), "check", "rules", tmp_path / "rules.yml"], capture_output=True, check=False
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_promtool_finds_no_fault_in_our_metrics(client: Client) -> None:
    client.get("/series/GNPCA/")
    TIMES.add("series", 200, 0.1)
    own = [line for line in client.get("/metrics").content.splitlines(keepends=True) if b"econweb_" in line]

    ran = subprocess.run(
        [program("promtool"), "check", "metrics"], input=b"".join(own), capture_output=True, check=False
    )

    assert (ran.returncode, ran.stderr) == (0, b"")
