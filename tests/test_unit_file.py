"""The unit file of systemd starts the program with few rights."""

import subprocess
from pathlib import Path

from econweb.management.commands.serve import MAX_OPEN_FILES
from tests.document_commands import blocks, run, section, write_stand_ins
from tests.programs import program

UNIT = Path(__file__).resolve().parent.parent / "docs" / "econweb.service"


def test_unit_file_gives_no_unneeded_rights() -> None:
    """A31"""
    lines = [line.partition("=")[::2] for line in UNIT.read_text().splitlines() if "=" in line]
    given = dict(lines)

    expected = {
        "User": "econweb",
        "StateDirectory": "econweb",
        "UMask": "0077",
        "NoNewPrivileges": "true",
        "CapabilityBoundingSet": "",
        "ProtectSystem": "strict",
        "PrivateTmp": "true",
        "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
    }
    assert {name: given.get(name) for name in expected} == expected
    folder = f"/var/lib/{given['StateDirectory']}"
    assert [value for name, value in lines if name == "Environment"] == [f"DATA_DIR={folder}", f"HOME={folder}"]
    assert int(given["LimitNOFILE"]) >= MAX_OPEN_FILES
    assert next(value for name, value in lines if name == "SystemCallFilter") == "@system-service"


def test_unit_of_a_package_starts_its_command(tmp_path: Path) -> None:
    unit, settings = tmp_path / "etc/systemd/system/econweb.service", tmp_path / "etc/econweb.env"
    unit.parent.mkdir(parents=True)
    (tmp_path / "docs").symlink_to(UNIT.parent)
    write_stand_ins(tmp_path, {"systemctl": ""})
    run(tmp_path, blocks(section("As a package"))[1])

    changed = set(unit.read_text().splitlines()) - set(UNIT.read_text().splitlines())
    assert changed == {
        f"WorkingDirectory={tmp_path}/var/lib/econweb",
        f"ExecStart={tmp_path}/opt/econweb-package/bin/econweb serve --workers 2",
    }
    assert settings.read_text() == f"DATA_DIR={tmp_path}/var/lib/econweb/var\n"


def test_exposure_of_the_service_is_below_two() -> None:
    command = [program("systemd-analyze"), "security", "--no-pager", "--offline=true", "--threshold=19", str(UNIT)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)

    assert found.returncode == 0, found.stdout
