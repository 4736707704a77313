"""Commands of docs/deploy.md do what the document says, also the second time."""

import re
import shutil
from pathlib import Path

import pytest

from tests.document_commands import DEPLOY, ROOT, blocks, run, section, write_stand_ins

SIGN_IN = (ROOT / "docs" / "sign-in.md").read_text(encoding="utf-8")


def test_address_of_an_encrypted_database_is_quoted(tmp_path: Path) -> None:
    """A shell reads the file as well, and would end the address at its `&`."""
    write_stand_ins(tmp_path, {"systemctl": ""})
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/econweb.env").write_text("DATABASE_URL=postgresql://a:b@192.0.2.10/c\nCACHE_URL=redis://d:e@f/0\n")
    _, block, _ = blocks(section("Encrypt what passes the network"))

    said = "".join(run(tmp_path, block) for _ in range(2))

    assert said == ""
    encrypted = f"postgresql://a:b@192.0.2.10/c?sslmode=verify-full&sslrootcert={tmp_path}/etc/econweb.ca.pem"
    assert run(tmp_path, '. /etc/econweb.env; echo "$DATABASE_URL $CACHE_URL"') == f"{encrypted} rediss://d:e@f/0\n"
    assert (tmp_path / "etc/econweb.env").read_text().count("ECON_CA_FILE=") == 1


def test_loops_wait_between_two_restarts() -> None:
    """nginx leaves a host out for two seconds; the next one must not be down meanwhile."""
    commands = "".join(blocks(DEPLOY) + blocks(SIGN_IN))
    loops = re.findall(r"for host in .*?\bdone$", commands, re.DOTALL | re.MULTILINE)
    restarts = [loop for loop in loops if "systemctl restart" in loop]

    assert len(restarts) == 3
    assert [loop for loop in restarts if "sleep 4" not in loop] == []


SECRET_URL = "DATABASE_URL=postgresql://a:s%40t@h/b\n"


@pytest.mark.parametrize(
    ("url", "dump", "kept", "logged"),
    [
        (SECRET_URL, "touch econweb.new", [".dump", ".gz"], ""),
        (SECRET_URL.replace("postgresql:", "postgres:"), "touch econweb.new", [".dump", ".gz"], ""),
        (SECRET_URL, "false", [], "-t econweb-backup -p cron.err the backup failed\n"),
        ("", "touch econweb.new", [".sqlite3", ".gz"], ""),
        ("", "false", [], "-t econweb-backup -p cron.err the backup failed\n"),
    ],
)
def test_nightly_backup_keeps_files_and_logs_a_failure(
    tmp_path: Path, url: str, dump: str, kept: list[str], logged: str
) -> None:
    for name in ("etc/cron.daily", "opt/econweb"):
        (tmp_path / name).mkdir(parents=True)
    # There is no nftables.conf, as on a host without a firewall.
    (tmp_path / "etc/econweb.env").write_text(f"DATA_DIR={tmp_path}\n{url}")
    (tmp_path / "econweb.sqlite3").write_text("rows")
    (tmp_path / "etc/econweb.secret_key").touch()
    programs = {
        "pg_dump" if url else "sqlite3": dump,
        "logger": f'echo "$@" >> {tmp_path}/log',
        "git": "echo 4f2a",
        **dict.fromkeys(("apt-get", "run-parts", "useradd", "systemctl", "install"), ""),
    }
    write_stand_ins(tmp_path, programs)
    (tmp_path / "log").touch()
    run(tmp_path, *blocks(section("Back up each night")))

    run(tmp_path, "/etc/cron.daily/econweb")

    files = sorted((tmp_path / "var/backups/econweb").iterdir())
    assert [path.suffix for path in files] == kept
    assert all("etc/econweb.secret_key" in run(tmp_path, f"tar -tzf {path}") for path in files if path.suffix == ".gz")
    assert (tmp_path / "log").read_text() == logged
    if kept:
        shutil.rmtree(tmp_path / "etc")
        (unpack,) = blocks(section("A new machine"))
        (archive,) = (path for path in files if path.suffix == ".gz")
        run(tmp_path, unpack.replace("/root/econweb-2026-01-31.tar.gz", str(archive)))
        assert (tmp_path / "etc/econweb.secret_key").exists()
        assert (tmp_path / "etc/econweb.revision").read_text() == "4f2a\n"


def test_nightly_backup_of_a_package_needs_no_clone(tmp_path: Path) -> None:
    (tmp_path / "etc/cron.daily").mkdir(parents=True)
    (tmp_path / "etc/econweb.env").write_text(f"DATA_DIR={tmp_path}\n")
    (tmp_path / "econweb.sqlite3").write_text("rows")
    programs = {"sqlite3": "touch econweb.new", "git": "exit 128", **dict.fromkeys(("apt-get", "run-parts"), "")}
    write_stand_ins(tmp_path, {**programs, "logger": f"touch {tmp_path}/failed"})

    run(tmp_path, *blocks(section("Back up each night")))
    run(tmp_path, "/etc/cron.daily/econweb")

    files = (tmp_path / "var/backups/econweb").iterdir()
    assert sorted(path.suffix for path in files) == [".gz", ".sqlite3"]
    assert not (tmp_path / "failed").exists()
    assert "/etc/econweb.env" in section("As a package")


def test_restore_of_sqlite_keeps_what_was_there(tmp_path: Path) -> None:
    data = tmp_path / "var/lib/econweb"
    for folder in (data, tmp_path / "etc"):
        folder.mkdir(parents=True)
    (tmp_path / "etc/econweb.env").write_text(f"DATA_DIR={data}\n")
    before = {"econweb.sqlite3": "rows", "econweb.sqlite3-wal": "late rows", "econweb.sqlite3.mine": "a copy"}
    for name, text in before.items():
        (data / name).write_text(text)
    (tmp_path / "copy.sqlite3").write_text("restored")
    write_stand_ins(tmp_path, {"sqlite3": "echo ok", "install": 'cp "$7" "$8"'})
    (block,) = (block for block in blocks(section("Back up and restore")) if "integrity_check" in block)

    run(tmp_path, block)

    after = {re.sub(r"-\d{14}", "", path.name): path.read_text() for path in data.iterdir()}
    kept = {"econweb.sqlite3.replaced": "rows", "econweb.sqlite3.replaced-wal": "late rows"}
    assert after == {**kept, "econweb.sqlite3": "restored", "econweb.sqlite3.mine": "a copy"}


@pytest.mark.parametrize("password", ["s%40t", ""])
def test_backup_and_restore_show_no_password_among_processes(tmp_path: Path, password: str) -> None:
    url = f"postgresql://econweb{':' if password else ''}{password}@h:5432/b?sslmode=verify-full"
    (tmp_path / "etc/cron.daily").mkdir(parents=True)
    (tmp_path / "etc/econweb.env").write_text(f"DATABASE_URL='{url}'\n")
    told = f'echo "$PGPASSWORD $*" >> {tmp_path}/told; touch econweb.new'
    write_stand_ins(tmp_path, {"pg_dump": told, "pg_restore": told, "apt-get": "", "run-parts": ""})
    every = [block for block in blocks(DEPLOY) if "PGPASSWORD" in block]

    run(tmp_path, "\n".join(every))
    run(tmp_path, "/etc/cron.daily/econweb")

    lines = [line.split(" ") for line in (tmp_path / "told").read_text().splitlines()]
    assert [line[0] for line in lines] == ["s@t" if password else ""] * 3
    shown = "postgresql://econweb@h:5432/b?sslmode=verify-full"
    assert [shown in line for line in lines] == [True] * 3


def test_blocks_leave_no_secret_in_the_shell(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/econweb.env").write_text("DATABASE_URL=secret\nCACHE_URL=\n")
    write_stand_ins(tmp_path, dict.fromkeys(("pg_dump", "pg_restore", "mv", "systemctl", "manage.py"), ""))
    reading = [block for block in blocks(DEPLOY) if ". /etc/econweb.env" in block and "<<" not in block]

    assert len(reading) == 5
    said = [run(tmp_path, f'{block}\necho "$DATABASE_URL"') for block in reading]
    assert [text.splitlines()[-1] for text in said] == [""] * 5
    assert [text for text in said if "secret" in text] == []


def test_packages_are_installed_without_reading_the_terminal() -> None:
    """Without bracketed paste they would read the rest of a block that was pasted."""
    commands = "".join(blocks(DEPLOY) + blocks(SIGN_IN))
    installing = re.findall(r"apt-get [^&\n]+", commands)

    assert len(installing) > 5
    assert [line for line in installing if "</dev/null" not in line] == []


def test_sign_in_of_nginx_may_be_set_up_twice(tmp_path: Path) -> None:
    (tmp_path / "etc/nginx/conf.d").mkdir(parents=True)
    shutil.copy(ROOT / "docs/nginx.conf", tmp_path / "etc/nginx/conf.d/econweb.conf")
    write_stand_ins(tmp_path, dict.fromkeys(("apt-get", "chgrp", "chmod", "nginx", "systemctl", "ssh", "sleep"), ""))
    first, *_, second = [block for block in blocks(SIGN_IN) if "/etc/nginx" in block and "htpasswd" not in block]

    said = "".join(run(tmp_path, first + second) for _ in range(2))

    conf = (tmp_path / "etc/nginx/conf.d/econweb.conf").read_text()
    assert (said, conf.count("\nauth_basic "), conf.count("EconwebUser")) == ("", 1, 1)


def test_host_may_be_taken_out_and_brought_back_twice(tmp_path: Path) -> None:
    (tmp_path / "etc/nginx/conf.d").mkdir(parents=True)
    conf = tmp_path / "etc/nginx/conf.d/econweb.conf"
    conf.write_text((ROOT / "docs/nginx.conf").read_text().replace("web:8000", "127.0.0.1:8000"))
    write_stand_ins(tmp_path, dict.fromkeys(("nginx", "systemctl"), ""))
    (hosts,) = (block for block in blocks(section("The proxy")) if "192.0.2.12" in block)
    run(tmp_path, hosts)
    before, (out, back) = conf.read_text(), blocks(section("Take a host out"))

    for _ in range(2):
        run(tmp_path, out)
    down = [line.split(";")[0] for line in conf.read_text().splitlines() if " down" in line]
    for _ in range(2):
        run(tmp_path, back)

    assert [line.count("down") for line in down] == [1, 1]
    assert all("192.0.2.11:8000" in line for line in down)
    assert conf.read_text() == before


def test_installation_that_is_run_again_keeps_settings_and_key(tmp_path: Path) -> None:
    (tmp_path / "etc/systemd/system").mkdir(parents=True)
    (tmp_path / "opt/econweb/docs").mkdir(parents=True)
    programs = ("apt-get", "useradd", "git", "python3", "chown", "install", "chmod")
    write_stand_ins(tmp_path, {**dict.fromkeys(programs, ""), "openssl": "echo $$"})
    block = blocks(section("Install on one machine"))[0].replace("/usr/local/sbin/", f"{tmp_path}/")
    run(tmp_path, block)
    env, key = tmp_path / "etc/econweb.env", tmp_path / "etc/econweb.secret_key"
    env.write_text(f"{env.read_text()}SITE_NAME=Ours\n")
    before = env.read_text(), key.read_text()

    run(tmp_path, block)

    assert (env.read_text(), key.read_text()) == before
    assert before[0].startswith("SECRET_KEY_FILE=")
    assert [path.stat().st_mode & 0o777 for path in (env, key)] == [0o600] * 2


def test_commands_for_hosts_are_quoted() -> None:
    """A site on one machine runs what is in the quotes."""
    commands = "".join(blocks(DEPLOY) + blocks(SIGN_IN))
    sent = re.findall(r'ssh -n "\$host" (.)', commands)

    assert len(sent) > 4
    assert set(sent) == {"'"}
