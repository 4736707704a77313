"""Blocks of docs/deploy.md and docs/sign-in.md that are run twice, or fail halfway, lose and repeat nothing."""

import shutil
from pathlib import Path

import pytest

from tests.document_commands import ROOT, blocks, run, section, write_stand_ins

SIGN_IN = (ROOT / "docs" / "sign-in.md").read_text(encoding="utf-8")
SSH = 'shift 2; exec sh -c "$1"'


def block_with(heading: str, text: str) -> str:
    (block,) = (block for block in blocks(section(heading)) if text in block)
    return block


@pytest.mark.parametrize("failing", ["web1", "web2", "-3"])
def test_passwords_stay_where_a_copy_to_a_host_fails(failing: str, tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    shared = tmp_path / "root/shared.env"
    shared.write_text("CACHE_URL=redis://a:b@c/0\n")
    write_stand_ins(tmp_path, {"scp": f'case "$*" in *{failing}*) exit 1;; esac'})
    block = block_with("Several hosts", "scp -3")

    run(tmp_path, block)
    kept = shared.exists()
    (tmp_path / "bin/scp").write_text("#!/bin/sh\n")
    run(tmp_path, block)

    assert (kept, shared.exists()) == (True, False)


def test_installation_that_is_run_again_keeps_the_unit(tmp_path: Path) -> None:
    (tmp_path / "etc/systemd/system").mkdir(parents=True)
    (tmp_path / "opt/econweb").mkdir(parents=True)
    (tmp_path / "opt/econweb/docs").symlink_to(ROOT / "docs")
    write_stand_ins(tmp_path, dict.fromkeys(("apt-get", "useradd", "git", "python3", "chown", "chmod"), ""))
    block, unit = blocks(section("Install on one machine"))[0], tmp_path / "etc/systemd/system/econweb.service"
    block = block.replace("/usr/local/sbin/", f"{tmp_path}/")
    run(tmp_path, block)
    first = unit.read_text()
    unit.write_text("ours")

    run(tmp_path, block)

    assert (first, unit.read_text()) == ((ROOT / "docs/econweb.service").read_text(), "ours")


def test_tls_of_the_proxy_may_be_set_up_twice(tmp_path: Path) -> None:
    (tmp_path / "etc/nginx/conf.d").mkdir(parents=True)
    conf = tmp_path / "etc/nginx/conf.d/econweb.conf"
    shutil.copy(ROOT / "docs/nginx.conf", conf)
    write_stand_ins(tmp_path, dict.fromkeys(("nginx", "systemctl"), ""))

    said = "".join(run(tmp_path, block_with("TLS", "return 301")) for _ in range(2))

    assert (said, conf.read_text().count("return 301"), conf.read_text().count("listen 443")) == ("", 1, 1)


def test_settings_of_the_sign_in_may_be_written_twice(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    env = tmp_path / "etc/econweb.env"
    env.write_text("DATA_DIR=/var/lib/econweb\n")
    programs = dict.fromkeys(("chgrp", "chmod", "sed", "nginx", "systemctl", "sleep"), "")
    write_stand_ins(tmp_path, {**programs, "ssh": SSH})
    (block,) = (block for block in blocks(SIGN_IN) if "ADMINS=ada" in block)

    for _ in range(2):
        run(tmp_path, block)

    added = ["SIGN_IN=proxy", "PROXY_ADDRESSES=192.0.2.10", "ADMINS=ada", "READ=signed-in"]
    assert env.read_text().splitlines() == ["DATA_DIR=/var/lib/econweb", *added]


def test_host_may_be_set_up_twice_and_is_closed_before_it_starts(tmp_path: Path) -> None:
    for folder in ("etc/systemd/system", "root"):
        (tmp_path / folder).mkdir(parents=True)
    unit, rules = tmp_path / "etc/systemd/system/econweb.service", tmp_path / "etc/nftables.conf"
    shutil.copy(ROOT / "docs/econweb.service", unit)
    (tmp_path / "etc/econweb.env").write_text("DATA_DIR=/var/lib/econweb\n")
    shared = "DATABASE_URL=postgresql://a:b@c/d\nCACHE_URL=redis://a:b@c/0\n"
    write_stand_ins(tmp_path, {"apt-get": "", "nft": "", "systemctl": f'echo "$*" >> {tmp_path}/log'})
    block = block_with("Several hosts", "address=")

    for _ in range(2):
        (tmp_path / "root/shared.env").write_text(shared)
        run(tmp_path, block)
    run(tmp_path, block)

    assert (unit.read_text().count("--host"), rules.read_text().count("dport 8000")) == (1, 1)
    assert (tmp_path / "etc/econweb.env").read_text() == f"DATA_DIR=/var/lib/econweb\n{shared}"
    calls = (tmp_path / "log").read_text().splitlines()
    assert calls.index("restart nftables") < calls.index("enable --now econweb")


def test_prometheus_may_be_set_up_twice(tmp_path: Path) -> None:
    for folder in ("etc/default", "etc/prometheus", "opt/econweb/docs"):
        (tmp_path / folder).mkdir(parents=True)
    write_stand_ins(tmp_path, dict.fromkeys(("apt-get", "promtool", "install", "systemctl"), ""))

    for _ in range(2):
        run(tmp_path, block_with("Monitoring", "ARGS="))

    assert (tmp_path / "etc/default/prometheus").read_text().count("ARGS=") == 1
