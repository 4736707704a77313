"""compose.yaml and the Dockerfile name only what is there: settings, commands, paths and services."""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from pytest_django import Settings

from econweb.management.commands.serve import Command
from econweb.serving.admission import MAX_CONCURRENT
from econweb.upstream.cache.single_flight import MAX_BACKGROUND
from tests.document_commands import blocks, section

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
WHOLE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, Any] = WHOLE["services"]
PROXY = (ROOT / "docs" / "nginx.conf").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()
# Each instruction of the image, with its text.
IMAGE = dict(re.findall(r"^([A-Z]+) (.*)$", DOCKERFILE, re.MULTILINE))
COMMAND: list[str] = json.loads(IMAGE["CMD"])


# What the document puts beside compose.yaml.
OVERRIDE: dict[str, Any] = yaml.safe_load(
    "".join(re.findall(r"compose\.override\.yaml <<'END'\n(.*?)END\n", section("In containers"), re.DOTALL))
)


@pytest.mark.parametrize("services", [SERVICES, OVERRIDE["services"]])
def test_every_setting_of_the_web_hosts_exists(services: dict[str, Any]) -> None:
    known = set(re.findall(r"^#(\w+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    given = {name.removesuffix("_FILE") for name in services["web"]["environment"]}

    assert given <= known


def test_document_replaces_the_name_of_the_site_and_the_file_of_the_proxy() -> None:
    """Without TLS nobody could sign in."""
    added, (mounted,) = OVERRIDE["services"], SERVICES["proxy"]["volumes"]

    assert added.keys() <= SERVICES.keys()
    assert added["web"]["environment"] == {"ALLOWED_HOSTS": "econ.example.org"}
    targets = [volume.split(":")[1] for volume in added["proxy"]["volumes"]]
    assert targets == [mounted.split(":")[1], "/etc/nginx/tls"]
    assert "ssl_certificate /etc/nginx/tls/chain.pem" in "".join(blocks(section("TLS")))
    assert added["proxy"]["ports"] == ["443:443"]


def test_command_of_the_image_is_valid() -> None:
    parser = argparse.ArgumentParser()
    Command().add_arguments(parser)  # type: ignore[arg-type]

    options = parser.parse_args(COMMAND[1:])

    assert COMMAND[0] == "serve"
    assert options.host == "0.0.0.0"  # noqa: S104  in a container
    assert f":{options.port}" in PROXY
    assert f":{options.port}/" in IMAGE["HEALTHCHECK"]
    assert IMAGE["EXPOSE"] == str(options.port)


@pytest.mark.django_db(transaction=True)
def test_health_check_is_answered_under_the_settings_of_the_web_hosts(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = SERVICES["web"]["environment"]["ALLOWED_HOSTS"].split(",")
    asked = re.search(r"http://(?P<host>[^/]+)(?P<path>/\w+)", IMAGE["HEALTHCHECK"])
    assert asked

    answer = client.get(asked["path"], headers={"Host": asked["host"]})

    assert (asked["path"], answer.status_code) == ("/readyz", 200)


def test_image_is_made_of_wheels_for_its_python_without_root() -> None:
    assert (ROOT / ".dockerignore").read_text().split()[-2:] == ["*", "!wheels"]
    assert "--no-index /wheels/*.whl" in IMAGE["RUN"]
    assert f"install -d -o {IMAGE['USER'].replace(':', ' -g ')} -m 700 {IMAGE['WORKDIR']}" in DOCKERFILE
    assert IMAGE["USER"] == SERVICES["web"]["user"]
    wheels = subprocess.run(["make", "--dry-run", "wheels"], cwd=ROOT, capture_output=True, text=True, check=True)
    version = re.search(r"python:([\d.]+)-", IMAGE["ARG"])
    assert version
    assert f"--python-version {version[1]} " in wheels.stdout


def test_linter_finds_nothing_in_the_dockerfile() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    linted = subprocess.run([hadolint, "--no-color", ROOT / "Dockerfile"], check=False)

    assert linted.returncode == 0


def test_database_allows_a_connection_per_thread() -> None:
    workers = re.search(r"--workers (\d+)", " ".join(COMMAND))
    most = re.search(r"max_connections=(\d+)", SERVICES["database"]["command"])
    assert workers
    assert most
    # Renewals of series and of tags.
    of_a_worker = MAX_CONCURRENT + 2 * MAX_BACKGROUND

    # PostgreSQL keeps three for its owner, and commands want some.
    assert SERVICES["web"]["deploy"]["replicas"] * int(workers[1]) * of_a_worker + 10 <= int(most[1])


def test_services_restart_with_their_machine() -> None:
    assert {service["restart"] for service in SERVICES.values()} == {"unless-stopped"}


def test_mounted_files_exist() -> None:
    volumes = [volume for service in SERVICES.values() for volume in service.get("volumes", [])]

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

    assert name == "web" or SERVICES[name]["healthcheck"]["test"]
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
