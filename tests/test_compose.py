"""compose.yaml names only what is there: settings, commands, paths and services."""

import argparse
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from pytest_django import Settings

from econweb.management.commands.serve import Command

ROOT = Path(__file__).resolve().parent.parent
WHOLE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, Any] = WHOLE["services"]
# Of Python itself.
FOREIGN = {"PYTHONDONTWRITEBYTECODE"}
PROXY = (ROOT / "docs" / "nginx.conf").read_text()


def test_every_setting_of_the_web_hosts_exists() -> None:
    known = set(re.findall(r"^#(\w+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    given = {name.removesuffix("_FILE") for name in SERVICES["web"]["environment"]}

    assert given - known == FOREIGN


def test_the_command_of_the_web_hosts_is_understood() -> None:
    command = re.search(r"manage\.py serve (.*?)\"$", SERVICES["web"]["command"].strip("'"))
    assert command
    parser = argparse.ArgumentParser()
    Command().add_arguments(parser)  # type: ignore[arg-type]

    options = parser.parse_args(command[1].split())

    assert options.host == "0.0.0.0"  # noqa: S104  in a container
    assert f":{options.port}" in PROXY
    assert f":{options.port}/" in SERVICES["web"]["healthcheck"]["test"][-1]


@pytest.mark.django_db(transaction=True)
def test_the_health_check_is_answered_under_the_settings_of_the_web_hosts(
    client: Client, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = SERVICES["web"]["environment"]["ALLOWED_HOSTS"].split(",")
    asked = re.search(r"http://(?P<host>[^/]+)(?P<path>/\w+)", SERVICES["web"]["healthcheck"]["test"][-1])
    assert asked

    answer = client.get(asked["path"], headers={"Host": asked["host"]})

    assert (asked["path"], answer.status_code) == ("/readyz", 200)


def test_every_file_that_is_mounted_or_installed_is_there() -> None:
    volumes = [volume for service in SERVICES.values() for volume in service.get("volumes", [])]

    assert (ROOT / "requirements.txt").is_file()
    assert "requirements.txt" in SERVICES["web"]["command"]
    for path in (volume.partition(":")[0] for volume in volumes):
        assert path in WHOLE["volumes"] or (ROOT / path).exists(), path


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_leans_on_what_is_described(name: str) -> None:
    service = SERVICES[name]

    assert set(service.get("depends_on", [])) <= SERVICES.keys()
    assert set(service.get("secrets", [])) <= WHOLE["secrets"].keys()
    for setting, value in service.get("environment", {}).items():
        if setting.endswith("_FILE"):
            assert Path(value).name in service["secrets"]
        if setting.endswith("_URL"):
            assert re.split(r"[:/@]+", value)[1] in SERVICES


def test_the_proxy_lets_no_reader_wait_for_the_answer_of_another() -> None:
    assert re.findall(r"^\s*proxy_cache_lock\w* (.*);", PROXY, re.MULTILINE) == ["off"]
