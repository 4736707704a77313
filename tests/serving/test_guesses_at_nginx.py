"""Guesses of passwords that the documented nginx checks."""

import base64
import hashlib
import socket
import time
from pathlib import Path

import pytest
import requests

from tests.document_commands import blocks, run, write_stand_ins
from tests.server import ROOT
from tests.serving.test_documented_proxies import echo, proxied

__all__ = ["echo"]
pytestmark = pytest.mark.slow
SIGN_IN = (ROOT / "docs" / "sign-in.md").read_text()
GUESSES = 20


def with_people(text: str, folder: Path) -> str:
    """Return the configuration after the blocks of the document, with the person ada."""
    (folder / "etc/nginx/conf.d").mkdir(parents=True)
    conf = folder / "etc/nginx/conf.d/econweb.conf"
    conf.write_text(text)
    digest = base64.b64encode(hashlib.sha1(b"word").digest()).decode()  # noqa: S324  nginx reads it
    (folder / "etc/nginx/people").write_text(f"ada:{{SHA}}{digest}\n")
    names = ("apt-get", "chgrp", "chmod", "nginx", "systemctl", "ssh", "sleep")
    write_stand_ins(folder, dict.fromkeys(names, ""))
    run(folder, "".join(block for block in blocks(SIGN_IN) if "people.lines" in block))
    return (folder / "etc/nginx/conf.d/people.conf").read_text() + conf.read_text()


def guess(port: int, name: str) -> socket.socket:
    """Send a wrong password, without waiting for the answer."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    word = base64.b64encode(f"{name}:wrong".encode()).decode()
    connection.sendall(f"GET /series/ HTTP/1.0\r\nHost: x\r\nAuthorization: Basic {word}\r\n\r\n".encode())
    return connection


def status(connection: socket.socket) -> int:
    with connection:
        return int(connection.makefile("rb").readline().split()[1])


def test_guesses_at_one_name_are_slow_and_few_at_a_time(echo: int, tmp_path: Path) -> None:
    with proxied("nginx", echo, tmp_path, lambda text: with_people(text, tmp_path)) as url:
        port, begun = int(url.rpartition(":")[2]), time.monotonic()
        one = status(guess(port, "ada"))
        seconds = time.monotonic() - begun
        many = [status(connection) for connection in [guess(port, "ada") for _ in range(GUESSES)]]
        waiting = [guess(port, "eve") for _ in range(GUESSES)]
        person = [requests.get(f"{url}/series/", auth=("ada", "word"), timeout=60).status_code for _ in range(GUESSES)]
        others = [status(connection) for connection in waiting]
        open_to_programs = requests.post(f"{url}/mcp", headers={"Authorization": "Bearer x"}, timeout=60).status_code

    assert (one, seconds >= 2) == (401, True)
    assert set(many) == set(others) == {401, 503}
    assert set(person) == {200}
    assert open_to_programs == 200
