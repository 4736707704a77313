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

from econweb.management.commands.serve import MAX_OPEN_FILES, Command
from econweb.serving.admission import MAX_CONCURRENT
from econweb.upstream.cache.single_flight import MAX_BACKGROUND
from tests.startup.test_serve import served

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
WHOLE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, Any] = WHOLE["services"]
# Settings of Python and pip.
FOREIGN = {"HOME", "PYTHONDONTWRITEBYTECODE"}
PROXY = (ROOT / "docs" / "nginx.conf").read_text()


def test_every_setting_of_the_web_hosts_exists() -> None:
    known = set(re.findall(r"^#(\w+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    given = {name.removesuffix("_FILE") for name in SERVICES["web"]["environment"]}

    assert given - known == FOREIGN


def test_command_of_the_web_hosts_is_valid() -> None:
    command = re.search(r"manage\.py serve (.*?)\"$", SERVICES["web"]["command"].strip("'"))
    assert command
    parser = argparse.ArgumentParser()
    Command().add_arguments(parser)  # type: ignore[arg-type]

    options = parser.parse_args(command[1].split())

    assert options.host == "0.0.0.0"  # noqa: S104  in a container
    assert f":{options.port}" in PROXY
    assert f":{options.port}/" in SERVICES["web"]["healthcheck"]["test"][-1]


@pytest.mark.django_db(transaction=True)
def test_health_check_is_answered_under_the_settings_of_the_web_hosts(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = SERVICES["web"]["environment"]["ALLOWED_HOSTS"].split(",")
    asked = re.search(r"http://(?P<host>[^/]+)(?P<path>/\w+)", SERVICES["web"]["healthcheck"]["test"][-1])
    assert asked

    answer = client.get(asked["path"], headers={"Host": asked["host"]})

    assert (asked["path"], answer.status_code) == ("/readyz", 200)


def test_database_allows_a_connection_per_thread() -> None:
    workers = re.search(r"--workers (\d+)", SERVICES["web"]["command"])
    most = re.search(r"max_connections=(\d+)", SERVICES["database"]["command"])
    assert workers
    assert most
    # Renewals of series and of tags.
    of_a_worker = MAX_CONCURRENT + 2 * MAX_BACKGROUND

    # PostgreSQL keeps three for its owner, and commands want some.
    assert SERVICES["web"]["deploy"]["replicas"] * int(workers[1]) * of_a_worker + 10 <= int(most[1])


@pytest.mark.parametrize("kept_apart", [".env", "secrets"])
def test_web_hosts_get_their_own_secrets_only(kept_apart: str) -> None:
    mounted = [ROOT / volume.partition(":")[0] for volume in SERVICES["web"]["volumes"]]

    assert not [path for path in mounted if (ROOT / kept_apart).is_relative_to(path)]


def test_services_restart_with_their_machine() -> None:
    assert {service["restart"] for service in SERVICES.values()} == {"unless-stopped"}


def test_mounted_folders_are_enough_to_serve(tmp_path: Path) -> None:
    for there, here, _ in (volume.split(":") for volume in SERVICES["web"]["volumes"]):
        place = tmp_path / Path(here).relative_to(SERVICES["web"]["working_dir"])
        place.parent.mkdir(parents=True, exist_ok=True)
        copy: Callable[[Path, Path], object] = shutil.copytree if (ROOT / there).is_dir() else shutil.copy
        copy(ROOT / there, place)
    pages = ["/", "/series/GNPCA/", "/category/125/tags/", "/econ/openapi.yaml", "/about/"]

    with served(tmp_path / "data", root=tmp_path) as (address, _):
        answers = [requests.get(address + page, timeout=10).status_code for page in pages]

    assert answers == [200] * len(pages)


def test_mounted_and_installed_files_exist() -> None:
    volumes = [volume for service in SERVICES.values() for volume in service.get("volumes", [])]

    assert (ROOT / "requirements.txt").is_file()
    assert "requirements.txt" in SERVICES["web"]["command"]
    for path in (volume.partition(":")[0] for volume in volumes):
        assert path in WHOLE["volumes"] or (ROOT / path).exists(), path


@pytest.mark.parametrize("name", SERVICES)
def test_containers_have_no_unneeded_rights(name: str) -> None:
    """A31"""
    service = SERVICES[name]

    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", service["user"])
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert "privileged" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    # Only the database outlives the container; the other places where the program writes do not.
    written = [volume for volume in service.get("volumes", []) if not volume.endswith(":ro")]
    assert written == (["database:/var/lib/postgresql/data"] if name == "database" else [])


@pytest.mark.parametrize("name", SERVICES)
def test_containers_have_memory_and_disk_limits(name: str) -> None:
    """A31"""
    assert re.fullmatch(r"\d+[mg]", SERVICES[name]["mem_limit"])
    assert {"max-size", "max-file"} <= SERVICES[name]["logging"]["options"].keys()


@pytest.mark.parametrize("name", SERVICES)
def test_containers_start_after_healthy_dependencies(name: str) -> None:
    """A31"""
    needed = SERVICES[name].get("depends_on", {})

    assert SERVICES[name]["healthcheck"]["test"]
    assert all(how == {"condition": "service_healthy"} for how in needed.values())


def test_database_and_cache_are_reachable_by_the_program_only() -> None:
    """A31"""
    networks = {name: set(service["networks"]) for name, service in SERVICES.items()}

    assert not networks["proxy"] & (networks["database"] | networks["cache"])
    for name in networks["database"] | networks["cache"]:
        assert WHOLE["networks"][name]["internal"] is True
    assert networks["proxy"] & networks["web"]
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_cache_password_is_on_no_command_line() -> None:
    """A31"""
    cache = SERVICES["cache"]

    assert 'requirepass $$(cat /run/secrets/cache_password)" |' in cache["command"]
    assert "cache_password" in cache["secrets"]
    assert "cache_url" in SERVICES["web"]["secrets"]


def test_unit_file_gives_no_unneeded_rights() -> None:
    """A31"""
    deploy = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    unit = re.search(r"```ini\n(.*?)```", deploy, re.DOTALL)
    assert unit
    lines = [line.partition("=")[::2] for line in unit[1].splitlines() if "=" in line]
    given = dict(lines)

    expected = {
        "User": "econweb",
        "StateDirectory": "econweb",
        "UMask": "0077",
        "NoNewPrivileges": "true",
        "CapabilityBoundingSet": "",
        "ProtectSystem": "strict",
        "PrivateTmp": "true",
        "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
    }
    assert {name: given.get(name) for name in expected} == expected
    assert given["Environment"] == f"DATA_DIR=/var/lib/{given['StateDirectory']}"
    assert int(given["LimitNOFILE"]) >= MAX_OPEN_FILES
    assert next(value for name, value in lines if name == "SystemCallFilter") == "@system-service"


@pytest.mark.parametrize("name", SERVICES)
def test_services_refer_to_described_ones_only(name: str) -> None:
    service = SERVICES[name]

    assert set(service.get("depends_on", [])) <= SERVICES.keys()
    assert set(service.get("secrets", [])) <= WHOLE["secrets"].keys()
    for setting, value in service.get("environment", {}).items():
        if setting.endswith("_FILE"):
            assert Path(value).name in service["secrets"]
        if setting.endswith("_URL"):
            assert re.split(r"[:/@]+", value)[1] in SERVICES


def test_proxy_cache_lock_is_off() -> None:
    assert re.findall(r"^\s*proxy_cache_lock\w* (.*);", PROXY, re.MULTILINE) == ["off"]


def test_proxy_hides_metrics_and_readiness() -> None:
    closed = re.search(r"location ~ \^/\((\S+)\)\$ \{\s+deny all;", PROXY)

    assert closed
    assert {*closed[1].split("|")} == {"metrics", "readyz"}
