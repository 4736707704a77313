"""compose.yaml names only what is there: settings, commands, paths and services."""

import argparse
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml
from django.test import Client
from pytest_django import Settings

from econweb.management.commands.serve import Command
from econweb.room import AT_WORK
from econweb.upstream.flights import MOST_SENT
from tests.test_serve import served

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


def test_the_database_has_a_connection_for_every_thread_that_may_want_one() -> None:
    workers = re.search(r"--workers (\d+)", SERVICES["web"]["command"])
    most = re.search(r"max_connections=(\d+)", SERVICES["database"]["command"])
    assert workers
    assert most
    # Renewals of series and of tags.
    of_a_worker = AT_WORK + 2 * MOST_SENT

    # PostgreSQL keeps three for its owner, and commands want some.
    assert SERVICES["web"]["deploy"]["replicas"] * int(workers[1]) * of_a_worker + 10 <= int(most[1])


@pytest.mark.parametrize("kept_apart", [".env", "secrets"])
def test_no_web_host_sees_more_than_its_own_secrets(kept_apart: str) -> None:
    mounted = [ROOT / volume.partition(":")[0] for volume in SERVICES["web"]["volumes"]]

    assert not [path for path in mounted if (ROOT / kept_apart).is_relative_to(path)]


def test_every_service_starts_again_after_its_machine_does() -> None:
    assert {service["restart"] for service in SERVICES.values()} == {"unless-stopped"}


def test_what_is_mounted_is_enough_to_serve(tmp_path: Path) -> None:
    for there, here, _ in (volume.split(":") for volume in SERVICES["web"]["volumes"]):
        place = tmp_path / Path(here).relative_to(SERVICES["web"]["working_dir"])
        place.parent.mkdir(parents=True, exist_ok=True)
        copy: Callable[[Path, Path], object] = shutil.copytree if (ROOT / there).is_dir() else shutil.copy
        copy(ROOT / there, place)
    pages = ["/", "/series/GNPCA/", "/category/125/tags/", "/econ/openapi.yaml", "/about/"]

    with served(tmp_path / "data", root=tmp_path) as (address, _):
        answers = [requests.get(address + page, timeout=10).status_code for page in pages]

    assert answers == [200] * len(pages)


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


def test_the_proxy_keeps_from_readers_what_machines_see() -> None:
    closed = re.search(r"location ~ \^/\((\S+)\)\$ \{\s+deny all;", PROXY)

    assert closed
    assert {*closed[1].split("|")} == {"metrics", "readyz"}
