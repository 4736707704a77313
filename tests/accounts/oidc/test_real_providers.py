"""Sign-in and sign-out at two providers that others wrote, installed for the test."""

import html
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urljoin

import pytest
import requests
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from tests.accounts.oidc.browser import is_signed_in
from tests.accounts.oidc.stand_in import CLIENT

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
HERE = Path(__file__).parent / "providers"
SITE = "http://testserver/sign-in"
SECRET, PASSWORD = "a-secret-of+/=the-client", "seven green trams at noon"
# A registry that cannot be reached is tried again for minutes.
INSTALL_SECONDS = 100
REGISTERED = {
    "client_id": CLIENT,
    "client_secret": SECRET,
    "redirect_uris": [f"{SITE}/callback/"],
    "post_logout_redirect_uris": [f"{SITE}/signed-out/"],
}


def install(*command: str | Path) -> None:
    try:
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=INSTALL_SECONDS)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip(f"{command[0]} cannot install a provider for the test")


def install_python(folder: Path, library: str) -> None:
    """Create an environment with the library; a pip of its own would take as long as all the rest."""
    install(sys.executable, "-m", "venv", "--without-pip", folder)
    install(sys.executable, "-m", "pip", "--python", folder, "install", "--quiet", "--no-compile", library)


def canaille(folder: Path) -> list[str | Path]:
    install_python(folder, "canaille[front,oidc]>=0.3.6,<0.4")
    return [folder / "bin/python", HERE / "canaille_site.py"]


def oidc_provider(folder: Path) -> list[str | Path]:
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        pytest.skip("no npm on this machine (on Debian: apt install npm)")
    install(npm, "install", "--silent", "--prefix", folder, "oidc-provider@9")
    # A module looks for its libraries beside itself.
    return [node, shutil.copy(HERE / "oidc_provider.mjs", folder)]


@contextmanager
def running(command: list[str | Path], folder: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {"PATH": "/usr/bin:/bin", "AUTHLIB_INSECURE_TRANSPORT": "1"}
    given = [*command, str(port), json.dumps(REGISTERED), PASSWORD]
    with subprocess.Popen(
        given, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as ran:
        try:
            wait_for(f"http://127.0.0.1:{port}/.well-known/openid-configuration", ran)
            yield f"http://127.0.0.1:{port}"
        finally:
            ran.terminate()


def wait_for(address: str, program: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        with suppress(requests.ConnectionError):
            requests.get(address, timeout=10)
            return
        assert program.poll() is None
        time.sleep(0.1)
    pytest.fail(f"nothing listens at {address}")


def follow(browser: requests.Session, address: str, fields: dict[str, str]) -> str:
    """Fill in the provider's forms, and return the first address at the site."""
    reply = browser.get(address, allow_redirects=False)
    for _ in range(20):
        if reply.is_redirect:
            address = urljoin(reply.url, reply.headers["Location"])
            if address.startswith(SITE):
                return address
            reply = browser.get(address, allow_redirects=False)
        else:
            reply = browser.post(*filled(reply, fields), allow_redirects=False)
    pytest.fail(f"the provider shows {reply.text[:2000]}")


def filled(reply: requests.Response, fields: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return the address and the fields of the first form on a page."""
    form = reply.text.partition("<form")[2].partition("</form")[0]
    action = re.search(r'action="([^"]*)"', form.partition(">")[0])
    tags = re.findall(r"<(?:input|button)[^>]*>", form)
    found = [[re.search(rf'{name}="([^"]*)"', tag) for name in ("name", "value")] for tag in tags]
    values = {name[1]: html.unescape(value[1]) if value else "" for name, value in found if name}
    return urljoin(reply.url, html.unescape(action[1]) if action else ""), values | {
        name: value for name, value in fields.items() if name in values
    }


@pytest.mark.parametrize("build", [canaille, oidc_provider])
def test_person_signs_in_and_out_at_a_real_provider(
    client: Client, at_a_provider: Settings, tmp_path: Path, build: Callable[[Path], list[str | Path]]
) -> None:
    at_a_provider.OIDC_SCOPES, at_a_provider.OIDC_CLIENT_SECRET = ["openid", "profile", "email", "groups"], SECRET
    at_a_provider.EDITOR_GROUPS = ["data desk"]
    browser, fields = requests.Session(), {"login": "ada", "password": PASSWORD}
    with running(build(tmp_path), tmp_path) as at_a_provider.OIDC_ISSUER:
        callback = follow(browser, client.get("/sign-in/?next=/me/")["Location"], fields)
        answer = client.get(callback)
        assert (answer.status_code, answer.get("Location")) == (302, "/me/")
        assert User.objects.get().username == "ada"
        assert "You are an editor" in client.get("/me/").text
        again = Client()
        again.get("/sign-in/")
        assert again.get(callback).status_code == 400

        link = html.unescape(client.post("/me/sign-out/").text.partition("0; url=")[2].partition('"')[0])
        assert follow(browser, link, {"logout": "yes", "answer": "logout"}) == f"{SITE}/signed-out/"
    assert not is_signed_in(client)
