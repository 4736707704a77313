"""Blocks of docs/deploy.md and docs/sign-in.md stop at the first failure, and an older block undoes no later one."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.document_commands import DEPLOY, ROOT, blocks, run, section, write_stand_ins
from tests.programs import program

SIGN_IN = (ROOT / "docs" / "sign-in.md").read_text(encoding="utf-8")
# The blocks that restart one host after the other.
LOOPS = [block for block in blocks(DEPLOY) + blocks(SIGN_IN) if "for host" in block and "systemctl restart" in block]


def block_with(heading: str, text: str) -> str:
    (block,) = (block for block in blocks(section(heading)) if text in block)
    return block


@pytest.fixture
def proxy(tmp_path: Path) -> Path:
    """A machine whose nginx has TLS and the sign-in of the documents, for one host."""
    for name in ("etc/nginx/conf.d", "etc/nginx/tls", "opt/econweb", "var/cache/nginx"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "opt/econweb/docs").symlink_to(ROOT / "docs")
    (tmp_path / "etc/nginx/nginx.conf").write_text("worker_connections 768;\n")
    names = ("apt-get", "chgrp", "chmod", "nginx", "systemctl", "ssh", "sleep")
    write_stand_ins(tmp_path, dict.fromkeys(names, ""))
    run(tmp_path, blocks(section("The proxy"))[0] + block_with("TLS", "return 301"))
    run(tmp_path, "".join(block for block in blocks(SIGN_IN) if "people.lines" in block))
    return tmp_path


def kept(proxy: Path) -> tuple[int, int]:
    conf = (proxy / "etc/nginx/conf.d/econweb.conf").read_text()
    return conf.count("listen 443 ssl;"), conf.count("EconwebUser")


@pytest.mark.parametrize("number", range(3))
def test_loop_ends_at_the_first_host_that_does_not_come_back(number: int, tmp_path: Path) -> None:
    for name in ("etc/nginx/tls", "etc/nginx/conf.d"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "etc/nginx/tls/ca.pem").touch()
    shutil.copy(ROOT / "docs/nginx.conf", tmp_path / "etc/nginx/conf.d/econweb.conf")
    names = ("chgrp", "chmod", "sed", "nginx", "systemctl", "sleep")
    failing = f'echo "$*" >> {tmp_path}/calls; case "$*" in *restart*) exit 1;; esac'
    write_stand_ins(tmp_path, {**dict.fromkeys(names, ""), "ssh": failing})

    said = run(tmp_path, f"{LOOPS[number]}\necho status $?")

    assert len(LOOPS) == 3
    assert said == "web1 does not come back; the hosts after it were left as they are\nstatus 1\n"
    assert "web2" not in (tmp_path / "calls").read_text()


@pytest.mark.parametrize("failing", ["nft", "systemctl"])
def test_host_does_not_start_without_its_rule(failing: str, tmp_path: Path) -> None:
    (tmp_path / "etc/systemd/system").mkdir(parents=True)
    shutil.copy(ROOT / "docs/econweb.service", tmp_path / "etc/systemd/system/")
    call = f'echo "$*" >> {tmp_path}/calls; case "$*" in *nftables*) '
    programs = {"apt-get": "", "nft": f"{call} exit 0;; esac", "systemctl": f"{call} exit 0;; esac"}
    write_stand_ins(tmp_path, {**programs, failing: f"{call} exit 1;; esac"})

    run(tmp_path, block_with("Several hosts", "address="))

    assert "enable --now econweb" not in (tmp_path / "calls").read_text()


def test_older_blocks_of_the_proxy_keep_tls_and_sign_in(proxy: Path) -> None:
    first, hosts = (block for block in blocks(section("The proxy")) if "econweb.conf" in block)
    before = kept(proxy)

    for _ in range(2):
        run(proxy, first + hosts)

    assert before == kept(proxy) == (1, 1)
    servers = [line.split()[1] for line in lines_of_servers(proxy)]
    assert servers == ["192.0.2.11:8000", "192.0.2.12:8000"] * 2


def test_host_may_be_added_twice(proxy: Path) -> None:
    (proxy / "etc/postgresql/15/main/conf.d").mkdir(parents=True)
    rules, conf = (proxy / "etc/postgresql/15/main" / name for name in ("pg_hba.conf", "conf.d/econweb.conf"))
    rules.write_text("hostssl econweb econweb 192.0.2.12/32 scram-sha-256\n")
    conf.write_text("max_connections = 200\n")
    database, _, lists = blocks(section("Add a host"))
    before = kept(proxy)

    run(proxy, blocks(section("The proxy"))[1])
    for _ in range(2):
        run(proxy, database + lists)

    added = "hostssl econweb econweb 192.0.2.{}/32 scram-sha-256\n"
    assert rules.read_text() == added.format(12) + added.format(13)
    assert conf.read_text() == "max_connections = 300\n"
    assert [line.split()[1].split(":")[0][-2:] for line in lines_of_servers(proxy)] == ["11", "12", "13"] * 2
    assert before == kept(proxy)


def lines_of_servers(proxy: Path) -> list[str]:
    conf = (proxy / "etc/nginx/conf.d/econweb.conf").read_text()
    return [line for line in conf.splitlines() if line.lstrip().startswith("server ") and ":8000" in line]


def test_authority_that_is_there_stays(tmp_path: Path) -> None:
    program("openssl")
    folder, block = tmp_path / "etc/nginx/tls", block_with("TLS", "-x509")
    run(tmp_path, block)
    names = ("ca.key", "ca.pem", "key.pem", "chain.pem")
    first = {name: (folder / name).read_bytes() for name in names}

    run(tmp_path, block)

    assert [name for name in names if (folder / name).read_bytes() != first[name]] == ["chain.pem"]


@pytest.mark.parametrize("copy", ["missing", "empty", "damaged", "good"])
def test_restore_looks_at_the_copy_before_it_replaces_the_database(copy: str, tmp_path: Path) -> None:
    program("sqlite3")
    database, file = tmp_path / "var/lib/econweb/econweb.sqlite3", tmp_path / "copy.sqlite3"
    database.parent.mkdir(parents=True)
    database.write_text("rows")
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/econweb.env").write_text(f"DATA_DIR={database.parent}\n")
    if copy != "missing":
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript("CREATE TABLE catalogue_edition AS SELECT hex(randomblob(40000)) AS word")
        content = file.read_bytes()
        file.write_bytes({"empty": b"", "damaged": content[:20_000], "good": content}[copy])
    write_stand_ins(tmp_path, {"install": 'shift 6; exec cp "$@"'})

    said = run(tmp_path, block_with("Back up and restore", "integrity_check"))

    assert database.read_bytes() == (file.read_bytes() if copy == "good" else b"rows")
    assert ("copy.sqlite3 is missing, damaged or not of econweb; nothing was changed\n" in said) == (copy != "good")


def test_no_block_loads_the_examples_of_a_template() -> None:
    together = [block for block in blocks(DEPLOY) if "--template" in block and block.count("load_catalogue") > 1]

    assert together == []


def test_files_that_others_read_are_readable_whatever_the_umask_of_root(tmp_path: Path) -> None:
    """A private program would not start, nor would PostgreSQL with a private file of settings."""
    for name in ("etc/systemd/system", "etc/postgresql/15/main/conf.d", "etc/redis", "root", "source/docs"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "source/pyproject.toml").touch()
    git = "git -c user.name=x -c user.email=x@example.org"
    run(tmp_path, f"cd source; git init -q; git add .; {git} commit -qm old")
    programs = ("apt-get", "useradd", "python3", "pip", "chown", "install", "systemctl", "runuser")
    write_stand_ins(tmp_path, dict.fromkeys(programs, ""))
    first = blocks(section("Install on one machine"))[0].replace("/usr/local/sbin/", f"{tmp_path}/")
    pull = blocks(section("Upgrade and go back"))[0].replace("/usr/local/sbin/", f"{tmp_path}/")
    database = next(block for block in blocks(section("Several hosts")) if "CREATE ROLE" in block)
    source = tmp_path / "source"

    run(tmp_path, f"mkdir opt; umask 077\n{first.replace('REPOSITORY', str(source))}")
    run(tmp_path, f"cd source; echo > pyproject.toml; git add .; {git} commit -qm new")
    run(tmp_path, f"umask 077\n{pull}")
    run(tmp_path, f"umask 077\n{database.replace('git clone REPOSITORY', 'true')}")

    shown = ["opt/econweb", "opt/econweb/pyproject.toml", "etc/postgresql/15/main/conf.d/econweb.conf", "carry-over"]
    assert [name for name in shown if not (tmp_path / name).stat().st_mode & 0o004] == []
    hidden = ["etc/econweb.env", "etc/econweb.secret_key", "root/shared.env"]
    assert [name for name in hidden if (tmp_path / name).stat().st_mode & 0o077] == []
    assert (tmp_path / "opt/econweb/pyproject.toml").read_text() == "\n"
