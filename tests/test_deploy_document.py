"""Numbers of docs/deploy.md agree with the program."""

import re
from pathlib import Path

import pytest
from django.db.backends.postgresql.features import DatabaseFeatures

from econweb.serving.admission import MAX_CONCURRENT
from econweb.upstream.cache.single_flight import MAX_BACKGROUND
from tests.document_commands import section

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")


def test_steps_allow_the_connections_of_two_hosts() -> None:
    unit = (ROOT / "docs" / "econweb.service").read_text(encoding="utf-8")
    workers = re.search(r"--workers (\d+)", unit)
    most = re.search(r"^max_connections = (\d+)$", DEPLOY, re.MULTILINE)

    assert workers
    assert most
    assert 2 * int(workers[1]) * (MAX_CONCURRENT + 2 * MAX_BACKGROUND) + 10 <= int(most[1])


def test_commands_have_no_address_that_is_not_to_be_replaced() -> None:
    named = DEPLOY.partition("Replace these words in every command:")[2].partition("```")[0]
    commands = "".join(re.findall(r"```sh\n(.*?)```", DEPLOY, re.DOTALL))

    assert set(re.findall(r"192\.[\d.]+", commands)) == set(re.findall(r"192\.[\d.]+\d", named))


def test_oldest_postgresql_is_named() -> None:
    version = DatabaseFeatures.minimum_database_version
    assert version
    oldest = ".".join(map(str, version))

    assert f"PostgreSQL has to be version {oldest} or newer" in DEPLOY


def test_every_alert_has_advice() -> None:
    alerts = re.findall(r"alert: (\w+)", (ROOT / "docs" / "monitoring" / "alerts.yml").read_text(encoding="utf-8"))
    advised = re.findall(r"`(Econweb\w+)`", section("Monitoring").partition("| alert |")[2].partition("\n\n")[0])

    assert alerts
    assert sorted(alerts) == sorted(advised)


@pytest.mark.parametrize(
    ("heading", "named"),
    [
        ("A new machine", "(#the-password-of-postgresql)"),
        ("A new machine", "`down`"),
        ("A new machine", "/etc/prometheus/prometheus.yml"),
        ("Go back", "those of the old version"),
        ("Somebody who leaves", "`htpasswd /etc/nginx/people NAME`"),
        ("Add a host", "the name of the site"),
        ("Back up and restore", "in another folder"),
        ("Change keys and passwords", "`openssl rand -hex 32 > /etc/econweb.secret_key`"),
        ("A new version of Debian", "python3 -m venv .venv"),
        ("A new version of Debian", "`/etc/postgresql/15/main/conf.d`"),
        ("The proxy", "`web:8000`"),
        ("The proxy", "`portal.example.org`"),
        ("Monitoring", "action: drop"),
    ],
)
def test_rare_steps_name_what_they_need(heading: str, named: str) -> None:
    """Without one of these, a step cannot be done, or leaves readers or people out."""
    assert named in section(heading)
