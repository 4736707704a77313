"""The commands of docs/deploy.md that use passwords show none of them among the processes."""

import shutil
from pathlib import Path

import pytest

from tests.document_commands import blocks, run, section, write_stand_ins

URL = "postgresql://econweb:{}@192.0.2.10:5432/econweb"


def write_env(folder: Path, text: str) -> Path:
    (folder / "etc").mkdir()
    env = folder / "etc/econweb.env"
    env.write_text(text)
    return env


@pytest.mark.parametrize("line", [f"DATABASE_URL={URL}\n", f"DATABASE_URL='{URL}?sslmode=verify-full&x=y'\n"])
def test_password_of_postgresql_is_written_on_the_hosts_first(line: str, tmp_path: Path) -> None:
    env = write_env(tmp_path, f"CACHE_URL=redis://default:old@h/0\n{line.format('old')}")
    log = f'echo "$*" >> {tmp_path}/calls; '
    asked = f"grep -c :old@192 {tmp_path}/etc/econweb.env >> {tmp_path}/asked; cat >> {tmp_path}/asked"
    stand_ins = {"ssh": f'{log}shift; exec sh -c "$1"', "sed": f'{log}exec {shutil.which("sed")} "$@"'}
    write_stand_ins(tmp_path, {**stand_ins, "openssl": "echo secret", "runuser": f"{log}{asked}"})
    (block,) = blocks(section("The password of PostgreSQL"))

    said = run(tmp_path, block)

    assert said == ""
    assert env.read_text() == f"CACHE_URL=redis://default:old@h/0\n{line.format('secret')}"
    assert (tmp_path / "asked").read_text() == "0\nALTER ROLE econweb PASSWORD 'secret'\n"
    calls = (tmp_path / "calls").read_text()
    assert [call.split()[0] for call in calls.splitlines() if call.startswith("web")] == ["web1", "web2"]
    assert "secret" not in calls


def test_password_of_postgresql_stays_where_a_host_cannot_be_reached(tmp_path: Path) -> None:
    write_stand_ins(tmp_path, {"ssh": "exit 255", "runuser": f"touch {tmp_path}/asked"})

    run(tmp_path, blocks(section("The password of PostgreSQL"))[0])

    assert not (tmp_path / "asked").exists()


def test_hosts_of_redis_get_its_password_by_standard_input(tmp_path: Path) -> None:
    (tmp_path / "etc/redis").mkdir(parents=True)
    env, conf = tmp_path / "etc/econweb.env", tmp_path / "etc/redis/redis.conf"
    env.write_text("CACHE_URL=rediss://default:old@192.0.2.10:6379/0\n")
    conf.write_text("requirepass old\n")
    log = f'echo "$*" >> {tmp_path}/calls; '
    stand_ins = {"ssh": f'{log}shift; exec sh -c "$1"', "sed": f'{log}exec {shutil.which("sed")} "$@"'}
    write_stand_ins(tmp_path, {**stand_ins, "openssl": "echo secret", "redis-cli": f"{log}echo OK"})

    said = run(tmp_path, "".join(blocks(section("The password of Redis"))))

    assert said == ""
    assert env.read_text() == "CACHE_URL=rediss://default:secret@192.0.2.10:6379/0\n"
    assert conf.read_text() == "requirepass secret\n"
    assert "secret" not in (tmp_path / "calls").read_text()


@pytest.mark.parametrize("shell", ["", "new=secret\n"])
def test_password_of_redis_stays_where_redis_or_the_new_one_is_missing(shell: str, tmp_path: Path) -> None:
    """A command of redis-cli by standard input ends with 0 also where the connection is reset."""
    (tmp_path / "etc/redis").mkdir(parents=True)
    conf = tmp_path / "etc/redis/redis.conf"
    conf.write_text("requirepass old\n")
    reset = "echo 'Error: Connection reset by peer'"
    write_stand_ins(tmp_path, {"ssh": f"touch {tmp_path}/asked", "openssl": "echo secret", "redis-cli": reset})
    both, last = blocks(section("The password of Redis"))

    said = [run(tmp_path, f"{block}\necho status $?") for block in (both, f"{shell}{last}")]

    assert [text.rpartition("status ")[2] != "0\n" for text in said] == [True] * 2, said
    assert "Redis did not take it" in said[0]
    assert not (tmp_path / "asked").exists()
    assert conf.read_text() == "requirepass old\n"


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("redis://default:s%40t@192.0.2.10:6379/0", "-u redis://192.0.2.10:6379/0 --user default -e FLUSHDB"),
        ("redis://:s%40t@192.0.2.10:6379/0", "-u redis://192.0.2.10:6379/0 -e FLUSHDB"),
    ],
)
def test_cache_is_emptied_without_its_password_in_the_command(url: str, options: str, tmp_path: Path) -> None:
    write_env(tmp_path, f"CACHE_URL='{url}'\n")
    told = f'echo "$REDISCLI_AUTH $*" >> {tmp_path}/told'
    write_stand_ins(tmp_path, {"redis-cli": told, "systemctl": "", "manage.py": ""})
    block, _ = blocks(section("Empty the cache and start"))

    said = run(tmp_path, block)

    assert said == ""
    assert (tmp_path / "told").read_text() == f"s@t {options}\n"
