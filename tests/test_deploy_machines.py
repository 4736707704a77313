"""Blocks of docs/deploy.md give a new machine the version, files and packages of the one that it replaces."""

import shutil
from pathlib import Path

import pytest

from tests.document_commands import blocks, run, section, write_stand_ins

GIT = "git -c user.name=x -c user.email=x@example.org"
NAMES = ("apt-get", "useradd", "python3", "chown", "install", "chmod", "systemctl", "openssl")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A host of an old revision, whose repository has a newer one."""
    for name in ("source", "opt", "root", "etc/systemd/system"):
        (tmp_path / name).mkdir(parents=True)
    write_stand_ins(tmp_path, {**dict.fromkeys(NAMES, ""), "ssh": 'shift; test "$1" = web1 || exit; exec sh -c "$2"'})
    run(tmp_path, f"cd source; git init -q; {GIT} commit -q --allow-empty -m old; git clone -q . ../opt/econweb")
    run(tmp_path, f"cd source; {GIT} commit -q --allow-empty -m new")
    return tmp_path


def install(machine: Path) -> str:
    """Install the program on an empty machine, and return the message of the revision that it has."""
    shutil.rmtree(machine / "opt/econweb")
    block = blocks(section("Install on one machine"))[0].replace("/usr/local/sbin/", f"{machine}/")
    run(machine, block.replace("REPOSITORY", f"{machine}/source"))
    return run(machine, "cd opt/econweb; git log -1 --format=%s")


def test_added_host_takes_the_revision_of_the_others(machine: Path) -> None:
    """A newer one would migrate the database of all."""
    _, copy, _ = blocks(section("Add a host"))
    first = install(machine)
    run(machine, "cd opt/econweb; git reset -q --hard HEAD~1")

    run(machine, copy)

    assert (first, install(machine)) == ("new\n", "old\n")
    assert run(machine, "cd opt/econweb; git pull -q --ff-only; git log -1 --format=%s") == "new\n"


def test_proxy_on_a_new_machine_takes_the_revision_of_the_hosts(machine: Path) -> None:
    """The next upgrade carries changes over from there."""
    run(machine, "git clone -q opt/econweb web1; cd web1; git log -1 --format=%H > ../revision")
    shutil.rmtree(machine / "opt/econweb")
    (machine / "bin/ssh").write_text(f"#!/bin/sh\ncat {machine}/revision\n")
    _, back = blocks(section("The machine of the proxy"))

    run(machine, back.replace("REPOSITORY", f"{machine}/source"))

    assert run(machine, "cd opt/econweb; git log -1 --format=%s") == "old\n"


@pytest.mark.parametrize("rules", ["table inet econweb {\n", "table inet ours {\n"])
def test_new_machine_is_closed_before_its_service_starts(rules: str, tmp_path: Path) -> None:
    """Installed later, nftables would ask about the file of the archive."""
    for name in ("etc", "root"):
        (tmp_path / name).mkdir()
    conf = tmp_path / "etc/nftables.conf"
    conf.write_text(rules)
    run(tmp_path, "tar -cPzf /root/econweb-2026-01-31.tar.gz /etc/nftables.conf")
    conf.unlink()
    log = f"test ! -e {conf} || echo file >> {tmp_path}/calls; echo ${{0##*/}} $* >> {tmp_path}/calls"
    write_stand_ins(tmp_path, dict.fromkeys(("apt-get", "useradd", "systemctl", "install"), log))

    run(tmp_path, *blocks(section("A new machine")))

    calls = (tmp_path / "calls").read_text().splitlines()
    packages = next(call for call in calls if call.startswith("apt-get install"))
    assert {"nftables", "postgresql-client", "redis-tools", "sqlite3"} <= set(packages.split())
    assert calls.index(packages) < calls.index("file")
    assert ("systemctl enable --now nftables" in calls) is ("econweb" in rules)
    assert conf.read_text() == rules


def test_archive_of_the_proxy_has_what_its_programs_need(tmp_path: Path) -> None:
    names = [
        *("nginx/conf.d/econweb.conf", "nginx/tls/ca.key", "postgresql/15/main/pg_hba.conf", "redis/redis.conf"),
        *("cron.daily/econweb-certificates", "prometheus/prometheus.yml"),
    ]
    for name in names:
        (tmp_path / "etc" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "etc" / name).write_text(name)
    (tmp_path / "root").mkdir()
    log = f'echo "$*" >> {tmp_path}/calls; '
    asked = f"{log}cat >> {tmp_path}/asked"
    env = "echo A=b; echo \"DATABASE_URL='postgresql://econweb:secret@192.0.2.10:5432/econweb?x=y'\""
    write_stand_ins(tmp_path, {"apt-get": log, "systemctl": log, "git": "", "runuser": asked, "ssh": env})
    keep, back = blocks(section("The machine of the proxy"))

    run(tmp_path, keep)
    shutil.rmtree(tmp_path / "etc")
    run(tmp_path, back)

    assert [(tmp_path / "etc" / name).read_text() for name in names] == names
    assert (tmp_path / "root/econweb-proxy.tar.gz").stat().st_mode & 0o077 == 0
    assert (tmp_path / "asked").read_text() == "CREATE ROLE econweb LOGIN PASSWORD 'secret'\n"
    calls = (tmp_path / "calls").read_text()
    assert "secret" not in calls
    assert [call.split()[-1] for call in calls.splitlines() if "--force-confold" in call] == ["prometheus"]


def test_nginx_of_the_archive_has_its_folder_before_its_package_starts_it(tmp_path: Path) -> None:
    (tmp_path / "var/cache").mkdir(parents=True)
    started = f"test ! -d {tmp_path}/var/cache/nginx || touch {tmp_path}/started"
    write_stand_ins(tmp_path, {"apt-get": started, "nginx": "exit 1"})

    run(tmp_path, blocks(section("The proxy"))[0])

    assert (tmp_path / "started").exists()


def test_packages_keep_files_that_were_put_back_before() -> None:
    installed = "".join(blocks(section("The proxy")) + blocks(section("Monitoring")))
    lines = [line for line in installed.splitlines() if "apt-get install" in line]

    assert [line.split()[-2] for line in lines] == ["nginx-light", "prometheus"]
    assert [line for line in lines if "--force-confold" not in line] == []
