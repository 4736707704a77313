"""`manage.py check_proxy` finds out, at nginx and at Apache, whether a client can say who it is."""

import base64
import hashlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import requests
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.programs import program
from tests.server import ROOT, environment, free_port, manage, served
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow
AUTH = f"Authorization: Basic {base64.b64encode(b'ada:word').decode()}"
NGINX = """
daemon off; pid {folder}/nginx.pid; error_log stderr crit;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;
  fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{
    listen 127.0.0.1:{port};
    location / {{
      auth_basic people; auth_basic_user_file {folder}/people;
      proxy_pass {site};
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      {rules}
    }}
  }}
}}
"""
APACHE = """
ServerRoot {folder}
ServerName portal.example.org
PidFile {folder}/apache.pid
ErrorLog {folder}/apache.log
Listen 127.0.0.1:{port}
{modules}
<Location />
  AuthType Basic
  AuthName people
  AuthUserFile {folder}/people
  Require valid-user
  ProxyPass {site}/
  {rules}
</Location>
ProxyPreserveHost On
"""
MODULES = "mpm_event authn_core authn_file authz_core authz_user auth_basic proxy proxy_http headers"
SET_BY_NGINX = 'proxy_set_header EconwebUser $remote_user; proxy_set_header EconwebGroups "";'
ASKED_BY_NGINX = """auth_request /internal/sign-in;
auth_request_set $person $upstream_http_x_auth_request_user;
auth_request_set $groups $upstream_http_x_auth_request_groups;
proxy_set_header EconwebUser $person;
proxy_set_header EconwebGroups $groups;
}
location = /internal/sign-in { internal; proxy_pass http://127.0.0.1:$server_port/who; }
location = /who {
  auth_basic off; add_header X-Auth-Request-User ada; add_header X-Auth-Request-Groups staff; return 204;
"""
SET_BY_APACHE = """RequestHeader set EconwebUser "expr=%{REMOTE_USER}"
RequestHeader unset EconwebGroups
RequestHeader set X-Forwarded-Proto https
ProxyAddHeaders Off
RequestHeader set X-Forwarded-For "expr=%{REMOTE_ADDR}"
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    data = prepare(tmp_path_factory.mktemp("data"))
    with served(data, **settings_of_site()) as (address, _):
        yield address, data


def settings_of_site() -> dict[str, Any]:
    return {"SIGN_IN": "proxy", "BEHIND_PROXY": "true", "PROXY_ADDRESSES": "127.0.0.1", "ADMIN_GROUPS": "heads"}


@contextmanager
def proxied(kind: str, rules: str, site: str) -> Iterator[str]:
    """Run a proxy that asks for a password, in front of the site."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        # Started by root, a proxy reads it as nobody.
        folder.chmod(0o755)
        with _run_proxy(kind, rules, site, folder) as url:
            yield url


@contextmanager
def _run_proxy(kind: str, rules: str, site: str, folder: Path) -> Iterator[str]:
    digest = base64.b64encode(hashlib.sha1(b"word").digest()).decode()  # noqa: S324  both proxies read it
    (folder / "people").write_text(f"ada:{{SHA}}{digest}\n")
    port, text = free_port(), NGINX if kind == "nginx" else APACHE
    modules = load_modules(MODULES)
    (folder / "config").write_text(text.format(folder=folder, port=port, site=site, rules=rules, modules=modules))
    foreground = ["-c"] if kind == "nginx" else ["-D", "FOREGROUND", "-f"]
    with listening([program(kind), *foreground, str(folder / "config")], port):
        yield f"http://127.0.0.1:{port}"


def load_modules(names: str) -> str:
    """Return the lines of Apache that load these modules."""
    return "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in names.split())


@contextmanager
def listening(command: list[str], port: int) -> Iterator[None]:
    """Run a program that listens on the port of this machine."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    try:
        wait_for(port, process)
        yield
    finally:
        process.terminate()
        process.communicate()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, process.stderr and process.stderr.read()
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            return
        except OSError:
            time.sleep(0.05)
    pytest.fail("the proxy did not start")


def check(url: str, data: Path, headers: str = "") -> subprocess.CompletedProcess[str]:
    file = data / "headers"
    file.write_text(headers)
    command = [sys.executable, "manage.py", "check_proxy", url, "--headers", str(file)]
    return subprocess.run(
        command, cwd=ROOT, env=environment(data) | settings_of_site(), capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("kind", "rules"),
    [("nginx", SET_BY_NGINX), ("nginx", ASKED_BY_NGINX), ("apache2", SET_BY_APACHE)],
    ids=["nginx", "nginx-asks", "apache2"],
)
def test_nothing_gets_through_the_documented_proxy(kind: str, rules: str, site: tuple[str, Path]) -> None:
    with proxied(kind, rules, site[0]) as url:
        person = requests.get(f"{url}/me/", auth=("ada", "word"), timeout=20).text
        result = check(url, site[1], AUTH)

    assert "<bdi>ada</bdi>" in person
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Without a forged header: ada (status 200)." in result.stdout
    assert "GOT THROUGH" not in result.stdout


@pytest.mark.parametrize(
    ("kind", "rules", "found"),
    [
        ("nginx", "proxy_set_header EconwebUser $remote_user;", ("GOT THROUGH", "EconwebGroups")),
        ("nginx", 'proxy_set_header EconwebGroups "";', ("GOT THROUGH", "ECONWEBUSER")),
        ("apache2", 'RequestHeader set EconwebUser "expr=%{REMOTE_USER}"', ("GOT THROUGH", "econwebgroups")),
        ("apache2", 'RequestHeader add EconwebUser "expr=%{REMOTE_USER}"\nRequestHeader unset EconwebGroups',
         ("passed on, and refused by the site", "EconwebUser")),
    ],
)  # fmt: skip
def test_proxy_that_passes_a_header_on_is_found_out(
    kind: str, rules: str, found: tuple[str, str], site: tuple[str, Path]
) -> None:
    outcome, attack = found
    with proxied(kind, rules, site[0]) as url:
        result = check(url, site[1], AUTH)

    outcomes = {line[2:37].strip() for line in result.stdout.splitlines() if line[38:] == attack}
    assert outcomes == {outcome}, result.stdout
    refused = outcome == "GOT THROUGH"
    assert (result.returncode, "docs/sign-in.md" in result.stderr) == ((1, True) if refused else (0, False))
    assert "word" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("satisfy any; allow all;", "ERROR proxy anybody can choose a name by EconwebUser: have the proxy replace it"),
        (SET_BY_NGINX, "ok proxy a stranger cannot forge EconwebUser"),
        ("if ($http_econwebuser) { return 429; }", "warning proxy a forged EconwebUser got status 429"),
    ],
)
def test_doctor_forges_a_name_itself(rules: str, said: str, site: tuple[str, Path]) -> None:
    with proxied("nginx", f"{rules} }} location = /healthz {{ proxy_pass {site[0]};", site[0]) as url:
        report = manage(site[1], "doctor", "--url", url, **settings_of_site())

    (found,) = (" ".join(line.split()) for line in report.stdout.splitlines() if "EconwebUser" in line)
    assert found.startswith(said)
    assert report.returncode == (1 if "ERROR" in report.stdout else 0)


def test_check_needs_the_mode_an_address_and_headers_that_can_be_read(settings: Settings, tmp_path: Path) -> None:
    settings.SIGN_IN = "password"
    with pytest.raises(CommandError, match="SIGN_IN is not proxy"):
        call_command("check_proxy", "http://127.0.0.1")
    settings.SIGN_IN = "proxy"
    for url in (
        "portal.example.org",
        "ftp://portal.example.org",
        "http://[",
        "http://a b/",
        "http://x:99999/",
        "http://x?",
        "http://ada@x",
    ):
        with pytest.raises(CommandError, match=r"write it like https://portal\.example\.org"):
            call_command("check_proxy", url)
    with pytest.raises(CommandError, match="beyond ASCII"):
        call_command("check_proxy", "http://bücher.example")
    with pytest.raises(CommandError, match="does not answer"):
        call_command("check_proxy", f"http://127.0.0.1:{free_port()}")
    (tmp_path / "secret").write_text("token-1234")
    with pytest.raises(CommandError, match="not of the form Name: value") as refused:
        call_command("check_proxy", "http://127.0.0.1", "--headers", str(tmp_path / "secret"))
    assert "1234" not in str(refused.value)
