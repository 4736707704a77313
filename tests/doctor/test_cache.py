"""The shared cache of a Redis with a password and a certificate of the institute's own authority, as doctor sees it."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme
from django.core.cache.backends.locmem import LocMemCache
from pytest_django import Settings

from econweb.doctor.database_checks import check_cache
from tests.document_commands import blocks, section
from tests.programs import program
from tests.server import free_port, manage

pytestmark = pytest.mark.slow
# On a busy machine a TLS handshake may take longer than the program waits for a cache.
MAX_ATTEMPTS = 20


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, Path]]:
    """Return the ends of its addresses, plain and in TLS, and the file of its authority."""
    folder, plain, secure = tmp_path_factory.mktemp("redis"), free_port(), free_port()
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    certificate.cert_chain_pems[0].write_to_path(str(folder / "chain.pem"))
    certificate.private_key_pem.write_to_path(str(folder / "key.pem"))
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    options = f"--bind 127.0.0.1 --port {plain} --tls-port {secure} --requirepass word --save --dir {folder}"
    files = f"--tls-cert-file {folder}/chain.pem --tls-key-file {folder}/key.pem --tls-ca-cert-file {folder}/ca.pem"
    command = [program("redis-server"), *f"{options} {files} --tls-auth-clients no".split()]
    command.insert(command.index("--save") + 1, "")
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    for port in (plain, secure):
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
                break
            except OSError:
                assert server.poll() is None
                time.sleep(0.05)
    yield f"127.0.0.1:{plain}/0", f"127.0.0.1:{secure}/0", folder / "ca.pem"
    server.terminate()
    server.wait()


def finding(folder: Path, url: str, **settings: str) -> str:
    lines = manage(folder, "doctor", CACHE_URL=url, **settings).stdout.splitlines()
    (found,) = (" ".join(line.split()) for line in lines if line.split()[1:2] == ["cache"])
    return found


class Connecting(LocMemCache):
    """A cache whose first operation takes a second on the clock of these tests, because it connects."""

    now = 0.0
    is_connected = False

    def make_key(self, key: str, version: int | None = None) -> str:
        type(self).now += 0.001 if self.is_connected else 1.0
        self.is_connected = True
        return str(super().make_key(key, version))


def test_time_to_connect_is_not_that_of_an_operation(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CACHE_URL = "redis://127.0.0.1:6379/0"
    settings.CACHES = {"default": {"BACKEND": f"{__name__}.Connecting"}}
    monkeypatch.setattr("econweb.doctor.database_checks.time.monotonic", lambda: Connecting.now)

    assert [finding.text for finding in check_cache()] == ["shared, 1.0 ms for an operation"]


def test_cache_trusts_the_own_authority(redis: tuple[str, str, Path], tmp_path: Path) -> None:
    _, secure, authority = redis
    url = f"rediss://default:word@{secure}"

    assert "ECON_CA_FILE names an authority of your own" in finding(tmp_path, url)
    for _ in range(MAX_ATTEMPTS):
        found = finding(tmp_path, url, ECON_CA_FILE=str(authority))
        if "no answer in time" not in found:
            break
    assert found.startswith(("ok cache shared", "warning cache it takes"))


@pytest.mark.parametrize("password", ["word", "wrong"])
def test_command_of_the_restore_trusts_the_own_authority(password: str, redis: tuple[str, str, Path]) -> None:
    program("redis-cli")
    _, secure, authority = redis
    (block,) = (block for block in blocks(section("Empty the cache and start")) if "redis-cli" in block)
    line = "set -a; " + block[block.index("test -n") : block.index(") &&\n")]
    settings = {"CACHE_URL": f"rediss://default:{password}@{secure}", "ECON_CA_FILE": str(authority)}

    ran = subprocess.run(["sh", "-c", line], env=os.environ | settings, capture_output=True, text=True, check=False)

    assert (ran.stdout == "OK\n") is (ran.returncode == 0) is (password == "word"), ran.stderr


def test_cache_says_why_it_cannot_be_used(redis: tuple[str, str, Path], tmp_path: Path) -> None:
    plain, secure, authority = redis
    urls = {
        f"redis://default:wrong@{plain}": "it refuses the user or the password",
        f"redis://{plain}": "it refuses the user or the password",
        f"redis://default:word@{secure}": "it ends the connection: it expects rediss://, or has too many clients",
        f"rediss://default:word@{plain}": "no answer in time",
    }

    found = {url: finding(tmp_path, url, ECON_CA_FILE=str(authority)) for url in urls}

    assert found == {
        url: f"ERROR cache it cannot be used ({words}): check CACHE_URL and its server" for url, words in urls.items()
    }
