"""The commands of docs/deploy.md to upgrade and to go back, run twice on files that an operator has changed."""

import re
from pathlib import Path

import pytest

from tests import document_commands
from tests.document_commands import ROOT, section, write_stand_ins

# What the two revisions differ by, and what the operator has written into the copies.
OLD = {"econweb.service": ("Type=notify", "Type=exec"), "nginx.conf": ("read_timeout 15s", "read_timeout 10s")}
OWN_HOST = ("--workers 2", "--workers 2 --host 192.0.2.11")
OWN_LINE = ("  gzip off;", "  include people.lines;\n  gzip off;")
GIT = "git -c user.name=x -c user.email=x@example.org"
STAND_INS = dict.fromkeys(("apt-get", "manage.py", "systemctl", "nginx", "sleep", "pip"), "")
STAND_INS["ssh"] = 'shift 2; exec sh -c "$1"'


def blocks(part: str) -> list[str]:
    """Return the blocks without the one for what could not be merged."""
    return [block for block in document_commands.blocks(part) if not block.startswith("cp ")]


def run(folder: Path, commands: str) -> str:
    return document_commands.run(folder, commands.replace("/usr/local/sbin/", f"{folder}/bin/"))


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine of the old revision that is both a host and the proxy, under the folder."""
    for name in ("source/docs/monitoring", "opt", "root", "etc/systemd/system", "etc/nginx/conf.d"):
        (tmp_path / name).mkdir(parents=True)
    write_stand_ins(tmp_path, STAND_INS)
    copies = (tmp_path / "etc/systemd/system/econweb.service", tmp_path / "etc/nginx/conf.d/econweb.conf")
    for (name, change), copy in zip(OLD.items(), copies, strict=True):
        old = (ROOT / "docs" / name).read_text().replace(*change)
        (tmp_path / "source/docs" / name).write_text(old)
        copy.write_text(old.replace(*OWN_HOST))
    run(tmp_path, f"cd source; git init -q; git add .; {GIT} commit -qm old; git clone -q . ../opt/econweb")
    for name in OLD:
        (tmp_path / "source/docs" / name).write_text((ROOT / "docs" / name).read_text())
    run(tmp_path, f"cd source; {GIT} commit -qam new")
    (tmp_path / "opt/econweb/.venv").symlink_to(tmp_path)
    return tmp_path


def test_upgrade_and_the_way_back_may_be_run_twice(machine: Path) -> None:
    """The lines that an operator has added to a copy since the upgrade, such as those for sign-in, stay."""
    forward, back = section("Upgrade and go back"), section("Go back")
    unit, conf = machine / "etc/systemd/system/econweb.service", machine / "etc/nginx/conf.d/econweb.conf"
    first = unit.read_text(), conf.read_text().replace(*OWN_LINE)

    said = "".join(run(machine, block) for block in [*blocks(forward)] * 2)
    new = ["Type=notify" in unit.read_text(), OWN_HOST[1] in unit.read_text(), "read_timeout 15s" in conf.read_text()]
    conf.write_text(conf.read_text().replace(*OWN_LINE))
    said += "".join(run(machine, block) for block in [*blocks(back)] * 2)

    assert new == [True] * 3, said
    assert (unit.read_text(), conf.read_text()) == first, said
    assert [*unit.parent.iterdir(), *conf.parent.iterdir()] == [unit, conf]
    assert run(machine, "cd opt/econweb; git log -1 --format=%s") == "old\n"


def test_old_files_are_put_back_under_hosts_that_serve(machine: Path) -> None:
    """A host that runs the old version would start the new one after a crash, and the next upgrade begin there."""
    pull, carry, *_ = blocks(section("Upgrade and go back"))
    run(machine, pull + carry)
    for name in ("systemctl", "ssh"):
        (machine / "bin" / name).write_text(f'#!/bin/sh\necho "$*" >> {machine}/calls\n{STAND_INS[name]}\n')

    said = "".join(run(machine, block) for block in blocks(section("Go back")))
    calls = (machine / "calls").read_text().splitlines()
    run(machine, pull)

    assert [call.split()[1] for call in calls if call.startswith("-n ")] == ["web1", "web2"], said
    assert [call for call in calls if call.startswith(("stop", "restart econweb"))] == []
    start = run(machine, "cd opt/econweb; git log -1 --format=%s $(cut -d. -f1 ../../root/econweb.upgrade)")
    assert start == "old\n"


def test_second_pull_before_the_restart_keeps_the_change_of_the_first(machine: Path) -> None:
    """The range of the second pull alone has no change of the unit."""
    pull, carry, *_ = blocks(section("Upgrade and go back"))
    unit = machine / "etc/systemd/system/econweb.service"

    run(machine, pull)
    run(machine, f"cd source; echo > other; git add .; {GIT} commit -qm newest")
    said = run(machine, pull + carry)

    assert "Type=notify" in unit.read_text(), said
    assert run(machine, "cd opt/econweb; git log -1 --format=%s") == "newest\n"


def test_pull_after_what_was_carried_over_begins_there(machine: Path) -> None:
    pull, carry, *_ = blocks(section("Upgrade and go back"))

    run(machine, pull + carry)
    run(machine, f"cd source; echo > other; git add .; {GIT} commit -qm newest")
    run(machine, pull)

    start = run(machine, "cd opt/econweb; git log -1 --format=%s $(cut -d. -f1 ../../root/econweb.carry)")
    assert start == "new\n"


def test_way_back_after_a_correction_that_failed_leads_to_the_version_before_both(machine: Path) -> None:
    """The correction takes back what the first version changed in the unit, and no host has served either."""
    forward, back = blocks(section("Upgrade and go back")), blocks(section("Go back"))
    unit, conf = machine / "etc/systemd/system/econweb.service", machine / "etc/nginx/conf.d/econweb.conf"
    first = unit.read_text(), conf.read_text()
    refused = STAND_INS["ssh"].replace("exec", 'case "$1" in *restart*) exit 1;; esac; exec')
    (machine / "bin/ssh").write_text(f"#!/bin/sh\n{refused}\n")

    said = "".join(run(machine, block) for block in forward)
    source = machine / "source/docs/econweb.service"
    source.write_text(source.read_text().replace(*OLD["econweb.service"]))
    run(machine, f"cd source; {GIT} commit -qam correction")
    said += "".join(run(machine, block) for block in forward)
    corrected = run(machine, "cd opt/econweb; git log -1 --format=%s"), unit.read_text()
    said += "".join(run(machine, block) for block in back)

    assert corrected == ("correction\n", first[0]), said
    assert run(machine, "cd opt/econweb; git log -1 --format=%s") == "old\n", said
    assert (unit.read_text(), conf.read_text()) == first, said


def test_way_back_after_an_upgrade_that_served_leads_to_it(machine: Path) -> None:
    forward, back = blocks(section("Upgrade and go back")), blocks(section("Go back"))

    run(machine, "".join(forward))
    run(machine, f"cd source; echo > other; git add .; {GIT} commit -qm newest")
    run(machine, "".join(forward + back))

    assert run(machine, "cd opt/econweb; git log -1 --format=%s") == "new\n"


def test_change_of_a_line_of_the_operator_is_named_and_left_to_the_operator(machine: Path) -> None:
    """The upgrade changes the line below those that have the addresses of the hosts."""
    source, conf = machine / "source/docs/nginx.conf", machine / "etc/nginx/conf.d/econweb.conf"
    hosts = "  server 192.0.2.11:8000 max_fails=20;\n  server 192.0.2.12:8000 max_fails=20;\n"
    conf.write_text(re.sub(r"  server web:8000 max_fails=20.*\n", hosts, conf.read_text()))
    before = conf.read_text()
    source.write_text(source.read_text().replace("  keepalive 32;", "  keepalive 64;"))
    run(machine, f"cd source; {GIT} commit -qam newer")
    pull, _, carry, *_ = blocks(section("Upgrade and go back"))

    said = [run(machine, pull + carry), run(machine, carry)]

    merged = machine / "root/econweb.conf"
    assert all(f"{conf} stays as it is: edit {merged}, and copy it there\n" in each for each in said), said
    assert conf.read_text() == before
    assert sorted(machine.glob("root/econweb.conf*")) == [merged]
    marked = merged.read_text()
    yours, _, after = marked.partition("<<<<<<< yours\n")[2].partition("=======\n")
    assert "read_timeout 15s" in marked
    assert yours.startswith(hosts)
    assert "keepalive 64;" in after.partition(">>>>>>> after")[0]
    (copy,) = (block for block in document_commands.blocks(section("Upgrade and go back")) if block.startswith("cp "))
    merged.write_text("edited by hand\n")
    run(machine, copy)
    assert conf.read_text() == "edited by hand\n"


def test_upgrade_lists_what_the_changelog_asks_operators_to_do(machine: Path) -> None:
    """Those of an upgrade that has ended are not listed again."""
    pull, *rest = blocks(section("Upgrade and go back"))
    changes, said = machine / "source/CHANGELOG.md", []
    for line in ("- **Do:** first.\n- A fault.\n", "- **Do:** second.\n"):
        with changes.open("a") as file:
            file.write(line)
        run(machine, f"cd source; git add .; {GIT} commit -qm newer")
        said.append(run(machine, pull))
        run(machine, "".join(rest))

    assert [re.findall(r"^.*Do:.*", text, re.MULTILINE) for text in said] == [
        ["+- **Do:** first."],
        ["+- **Do:** second."],
    ]
    assert "A fault" not in "".join(said)


def test_containers_list_what_the_changelog_asks_for_before_the_upgrade(machine: Path) -> None:
    (machine / "source/CHANGELOG.md").write_text("- **Do:** first.\n- A fault.\n")
    run(machine, f"cd source; git add .; {GIT} commit -qm newer")
    (block,) = (block for block in blocks(section("In containers")) if block.startswith("git fetch"))

    said = run(machine, f"cd opt/econweb\n{block}")

    assert said.splitlines()[0] == "+- **Do:** first.", said
    assert "A fault" not in said
    assert run(machine, "cd opt/econweb; git log -1 --format=%s") == "old\n"


@pytest.mark.parametrize("name", ["econweb", "econweb-certificates"])
def test_upgrade_names_a_daily_script_that_is_not_as_in_the_document(name: str, machine: Path) -> None:
    (machine / "source/docs/deploy.md").write_text(document_commands.DEPLOY)
    run(machine, f"cd source; git add .; {GIT} commit -qm newer")
    script = document_commands.DEPLOY.partition(f"cat > /etc/cron.daily/{name} <<'END'\n")[2].partition("END\n")[0]
    file = machine / "etc/cron.daily" / name
    file.parent.mkdir()
    pull, *_ = blocks(section("Upgrade and go back"))

    said = [run(machine, pull)]
    for text in (script, script + "# a line of the operator\n"):
        file.write_text(text)
        said.append(run(machine, pull))

    assert [f"{file} is not as in docs/deploy.md\n" in text for text in said] == [False, False, True], said
