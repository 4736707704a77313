"""Processes share a Redis, and continue without it."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
import redis

from econweb.config import cache_config
from econweb.upstream.cache.redis_backend import SharedCache
from econweb.upstream.cache.store import Store
from tests.upstream.client_calls import KEY, environment_of
from tests.upstream.raw_server import Peer, http
from tests.upstream.sample_replies import GOOD_TAGS, as_json

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
SERVER = shutil.which("redis-server") or shutil.which("valkey-server")
# Many threads of each process request the same tags, when the test says so. A busy machine makes no operation of the
# cache fail: that would end the sharing.
ASK = """
import sys, threading
import django; django.setup()
from django.conf import settings
from econweb.upstream import service
from econweb.upstream.cache import lease, store
from econweb.upstream.queries import TagQuery
settings.CACHES["default"]["OPTIONS"].update(socket_timeout=30, socket_connect_timeout=30)
store.SLOW_SECONDS, lease.LEASE_SECONDS = 30.0, float(sys.argv[1])
service.upstream()
print("ready", flush=True)
sys.stdin.readline()
counts = []
def ask(): counts.append(service.tags("category", 125, TagQuery()).count)
threads = [threading.Thread(target=ask) for _ in range(20)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(sum(counts))
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis of its own on a free port of this machine."""
    if SERVER is None:
        if os.environ.get("ECONWEB_SERVICES") == "required":
            pytest.fail("redis-server is required and not installed")
        pytest.skip("redis-server is not installed")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("redis")
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    server = subprocess.Popen([SERVER, *options], stdout=subprocess.DEVNULL)
    url = f"redis://127.0.0.1:{port}/0"
    with redis.Redis.from_url(url) as client:
        for _ in range(100):
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.05)
    yield url
    server.terminate()
    server.wait()


@pytest.fixture
def address(running: str) -> str:
    """The URL of the Redis, emptied."""
    with redis.Redis.from_url(running) as client:
        client.flushall()
    return running


def a_cache(url: str) -> SharedCache:
    described = cache_config.build_cache_config(url)
    return SharedCache(url, {"OPTIONS": described["OPTIONS"]})


def ready(address: str, peer: Peer, data: Path, lease_seconds: float) -> subprocess.Popen[str]:
    """Start a process that sends its requests after a line on its standard input."""
    ours = environment_of(peer, data, CACHE_URL=address, ECON_TIMEOUT="60")
    command = [sys.executable, "-c", ASK, str(lease_seconds)]
    process = subprocess.Popen(command, cwd=ROOT, env=ours, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("\n")
    process.stdin.flush()


def test_killed_process_does_not_delay_another(address: str, peer: Peer, tmp_path: Path) -> None:
    asked, ended = Event(), Event()

    def hangs(connection: socket.socket) -> None:
        asked.set()
        ended.wait(30)

    peer.will(hangs)
    killed, other = (ready(address, peer, tmp_path, lease_seconds=3.0) for _ in range(2))
    begin(killed)
    assert asked.wait(60)
    peer.will(http(as_json(GOOD_TAGS)))
    begin(other)
    killed.kill()
    killed.communicate(timeout=60)
    ended.set()

    assert other.communicate(timeout=60)[0].strip() == "40"
    assert len(peer.requests) == 2


def test_processes_send_one_request_for_a_cold_key(address: str, peer: Peer, tmp_path: Path) -> None:
    def slowly(connection: socket.socket) -> None:
        time.sleep(0.3)
        connection.sendall(http(as_json(GOOD_TAGS)))

    peer.will(slowly)
    running = [ready(address, peer, tmp_path, lease_seconds=60.0) for _ in range(3)]
    for process in running:
        begin(process)
    counted = [process.communicate(timeout=60)[0].strip() for process in running]

    assert counted == ["40", "40", "40"]
    assert len(peer.requests) == 1
    with redis.Redis.from_url(address) as client:
        everything = [(name, client.get(name)) for name in client.scan_iter()]
    assert everything
    assert KEY not in str(everything)


def test_redis_returns_bytes_unchanged(address: str) -> None:
    store = Store(a_cache(address), None)
    store.put("bytes", b"\x80\x04\x95 not a pickle\xff", 60)

    assert store.get("bytes") == b"\x80\x04\x95 not a pickle\xff"


def test_redis_prefix_read_counts_as_use(address: str) -> None:
    """A full Redis must not evict first the entries that are read most."""
    store = Store(a_cache(address), None)
    store.put("long", b"12345678" + bytes(100_000), 60)
    with redis.Redis.from_url(address) as client:
        (name,) = client.scan_iter("*long")
        time.sleep(2.1)
        idle = client.object("idletime", name)
        begun = client.info("stats")["total_net_output_bytes"]

        assert store.read_prefix("long", 8) == b"12345678"
        assert client.info("stats")["total_net_output_bytes"] < begun + 20_000
        assert client.object("idletime", name) < idle
    assert store.read_prefix("nothing", 8) == b""


def test_redis_add_succeeds_once_until_expiry(address: str) -> None:
    one, other = Store(a_cache(address), None), Store(a_cache(address), None)

    assert (one.add("mark", 1), other.add("mark", 1)) == (True, False)
    time.sleep(1.1)
    assert other.add("mark", 1)
    other.drop("mark")
    assert one.add("mark", 1)


@pytest.mark.parametrize("accepts", [True, False], ids=["hangs", "is gone"])
def test_redis_outage_delays_one_operation_briefly(accepts: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        if not accepts:
            listener.close()
        store = Store(a_cache(f"redis://127.0.0.1:{port}/0"), None)
        begun = time.monotonic()
        for _ in range(100):
            store.put("x", b"1", 60)
            assert store.get("x") is None

        # Two hundred operations of a quarter of a second each would take fifty.
        assert time.monotonic() - begun < 10.0
