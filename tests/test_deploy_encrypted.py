"""The commands of docs/deploy.md that give PostgreSQL and Redis a certificate, tried with both programs."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import redis
from django.utils import timezone

from bench.drills.postgresql import postgresql
from econweb.doctor.certificate_checks import Server, read_end
from tests.accounts.test_check_proxy import listening
from tests.catalogue.test_postgresql import BINARIES, REQUIRED
from tests.document_commands import blocks, run, section, write_stand_ins
from tests.programs import program
from tests.server import free_port

pytestmark = pytest.mark.slow
CERTIFICATES, *_ = blocks(section("Encrypt what passes the network"))
AUTHORITY = next(block for block in blocks(section("TLS")) if "-x509" in block)


@pytest.fixture
def machine() -> Iterator[Path]:
    """A folder that the users of both programs can enter, after both blocks, the second one twice."""
    folder = Path(tempfile.mkdtemp(prefix="econweb-tls-"))
    folder.chmod(0o755)
    for name in ("etc/postgresql/15/main/conf.d", "etc/redis"):
        (folder / name).mkdir(parents=True)
    (folder / "etc/redis/redis.conf").write_text("port 6379\n")
    write_stand_ins(folder, {"systemctl": f'echo "$*" >> {folder}/calls', "ssh": ""})
    certify(folder, 365)
    certify(folder, 365)
    yield folder
    shutil.rmtree(folder)


def certify(folder: Path, days: int) -> None:
    block = CERTIFICATES.replace("192.0.2.10", "127.0.0.1").replace("-days 365", f"-days {days}")
    if os.getuid():
        block = block.replace("-o postgres -g postgres ", "").replace("-o redis -g redis ", "")
    run(folder, AUTHORITY.replace("-m 700 ", "") + block)


@pytest.mark.skipif(not BINARIES and not REQUIRED, reason="no PostgreSQL on this machine")
def test_postgresql_has_the_certificate(machine: Path) -> None:
    conf = machine / "etc/postgresql/15/main/conf.d/tls.conf"
    more = " ".join(f"-c {line.replace(' ', '')}" for line in conf.read_text().splitlines())

    with postgresql(more=more) as cluster:
        address = f"{cluster.url}?sslmode=verify-full&sslrootcert={machine}/etc/nginx/tls/ca.pem"
        with psycopg.connect(address) as connection:
            row = connection.execute("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").fetchone()
        days = days_left(machine, cluster.url)

    assert row == (True,)
    assert 362 < days < 366


def days_left(machine: Path, url: str) -> int:
    port = int(urlsplit(url).port or 0)
    server = Server("the database", "127.0.0.1", port, f"{machine}/etc/nginx/tls/ca.pem", is_postgresql=True)
    return (read_end(server) - timezone.now()).days


@pytest.mark.skipif(not BINARIES and not REQUIRED, reason="no PostgreSQL on this machine")
def test_postgresql_takes_a_certificate_without_a_restart(machine: Path) -> None:
    with postgresql() as cluster, psycopg.connect(cluster.url) as reader:
        row = reader.execute("SHOW config_file").fetchone()
        assert row
        with Path(row[0]).open("a") as file:
            file.write(f"include '{machine}/etc/postgresql/15/main/conf.d/tls.conf'\n")
        days = []
        for renewed in (365, 40):
            certify(machine, renewed)
            subprocess.run([*cluster.control, "reload"], check=True)
            # The server reads the files a moment after the command has ended.
            time.sleep(1)
            days.append(days_left(machine, cluster.url))
        assert reader.execute("SELECT 1").fetchone() == (1,)

    assert (machine / "calls").read_text().splitlines() == ["reload postgresql", "restart redis-server"] * 4
    assert (days[0] > 362, days[1] < 41) == (True, True)


def test_redis_has_the_certificate_and_no_plain_port(machine: Path) -> None:
    port, conf = free_port(), machine / "etc/redis/redis.conf"
    assert conf.read_text().count("tls-port 6379\n") == 1
    conf.write_text(f"{conf.read_text()}bind 127.0.0.1\n".replace("tls-port 6379", f"tls-port {port}"))
    as_redis = ["runuser", "-u", "redis", "--"] if os.getuid() == 0 else []

    with listening([*as_redis, program("redis-server"), str(conf), "--save", ""], port):
        authority = f"{machine}/etc/nginx/tls/ca.pem"
        assert redis.Redis.from_url(f"rediss://127.0.0.1:{port}/0", ssl_ca_certs=authority).ping()
        with pytest.raises(redis.ConnectionError):
            redis.Redis.from_url(f"redis://127.0.0.1:{port}/0").ping()


def test_key_is_private_and_its_certificate_is_not(machine: Path) -> None:
    folders = (machine / "etc/postgresql/15/main", machine / "etc/redis")
    modes = [[(folder / name).stat().st_mode & 0o777 for name in ("server.key", "server.pem")] for folder in folders]
    command = ["openssl", "x509", "-noout", "-ext", "subjectAltName", "-in", str(folders[1] / "server.pem")]
    names = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert modes == [[0o600, 0o644]] * 2
    assert "IP Address:127.0.0.1" in names


def test_postgresql_refuses_plain_connections_at_the_end(tmp_path: Path) -> None:
    rules = tmp_path / "etc/postgresql/15/main/pg_hba.conf"
    rules.parent.mkdir(parents=True)
    ours = "host{} econweb econweb 192.0.2.11/32 scram-sha-256\n"
    rules.write_text(f"host all all 127.0.0.1/32 scram-sha-256\n{ours.format('')}")
    write_stand_ins(tmp_path, {"systemctl": ""})
    *_, block = blocks(section("Encrypt what passes the network"))

    for _ in range(2):
        run(tmp_path, block)

    assert rules.read_text() == f"host all all 127.0.0.1/32 scram-sha-256\n{ours.format('ssl')}"


def test_password_of_redis_changes_while_it_runs(tmp_path: Path) -> None:
    """Until the last step both passwords are good."""
    port, conf = free_port(), tmp_path / "etc/redis/redis.conf"
    conf.parent.mkdir(parents=True)
    conf.write_text(f"# requirepass x\nbind 127.0.0.1\nport {port}\nrequirepass before\n")
    (tmp_path / "etc/econweb.env").write_text(f"CACHE_URL='redis://default:before@127.0.0.1:{port}/0?x=1'\n")
    write_stand_ins(tmp_path, {"ssh": 'shift; exec sh -c "$1"'})
    both, last = (
        block.replace("redis-cli", f"redis-cli -p {port}") for block in blocks(section("The password of Redis"))
    )

    def accepted(*words: str) -> list[bool]:
        return [_accepts(port, word) for word in words]

    with listening([program("redis-server"), str(conf), "--save", ""], port):
        said = run(tmp_path, f"{both}\necho $new").split()
        new = said[-1]
        meanwhile = accepted("before", new, "wrong")
        run(tmp_path, f"new={new}\n{last}")
        at_the_end = accepted("before", new)

    assert (meanwhile, at_the_end) == ([True, True, False], [False, True])
    assert f"\nrequirepass {new}\n" in conf.read_text()
    assert said == [new]
    assert (tmp_path / "etc/econweb.env").read_text() == f"CACHE_URL='redis://default:{new}@127.0.0.1:{port}/0?x=1'\n"


def test_password_of_redis_changes_in_tls(machine: Path) -> None:
    port, conf = free_port(), machine / "etc/redis/redis.conf"
    text = conf.read_text().replace("tls-port 6379", f"tls-port {port}")
    conf.write_text(f"{text}bind 127.0.0.1\nrequirepass before\n")
    commands = "".join(blocks(section("The password of Redis"))).replace("192.0.2.10", "127.0.0.1")
    as_redis = ["runuser", "-u", "redis", "--"] if os.getuid() == 0 else []

    with listening([*as_redis, program("redis-server"), str(conf), "--save", ""], port):
        new = run(machine, f"{commands.replace('redis-cli', f'redis-cli -p {port}')}\necho $new").strip()
        authority = f"{machine}/etc/nginx/tls/ca.pem"
        address = f"rediss://default:{new}@127.0.0.1:{port}/0"
        assert redis.Redis.from_url(address, ssl_ca_certs=authority).ping()

    assert f"\nrequirepass {new}\n" in conf.read_text()


def _accepts(port: int, word: str) -> bool:
    try:
        return bool(redis.Redis.from_url(f"redis://default:{word}@127.0.0.1:{port}/0").ping())
    except redis.AuthenticationError:
        return False


def test_cron_names_each_certificate_that_ends_within_thirty_days(tmp_path: Path) -> None:
    for name in ("etc/nginx/tls", "etc/cron.daily"):
        (tmp_path / name).mkdir(parents=True)
    for name, days in (("chain", 20), ("ca", 40)):
        command = (
            f"openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=x -days {days} -keyout {name}.key -out {name}.pem"
        )
        run(tmp_path, f"cd etc/nginx/tls; {command}")
    (tmp_path / "etc/nginx/tls/request.pem").write_text("no certificate")
    write_stand_ins(tmp_path, {"apt-get": "", "logger": 'echo "$@"'})

    run(tmp_path, next(block for block in blocks(section("TLS")) if "cron.daily" in block))
    said = run(tmp_path, "/etc/cron.daily/econweb-certificates").splitlines()

    assert [line.partition(": notAfter=")[0] for line in said] == [
        f"-t econweb-certificates -p cron.warning {tmp_path}/etc/nginx/tls/chain.pem ends within 30 days"
    ]
