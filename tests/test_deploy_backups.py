"""Backups of docs/deploy.md read the database that the program uses, and keep the last good copy."""

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from econweb.catalogue.models import Edition
from tests.document_commands import blocks, run, section, write_stand_ins
from tests.programs import program

COPY, RESTORE = (block for block in blocks(section("Back up and restore")) if "sqlite3" in block)


def write_env(folder: Path, text: str) -> None:
    (folder / "etc").mkdir()
    (folder / "etc/econweb.env").write_text(text)


def create_database(file: Path, table: str = Edition._meta.db_table) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"CREATE TABLE {table} AS SELECT 1 AS number")


def tables(file: Path) -> list[tuple[str]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT name FROM sqlite_master").fetchall()


@pytest.mark.parametrize(
    "setting", ["DATA_DIR={}", "DATABASE_URL=sqlite:///{}/econweb.sqlite3", "DATABASE_URL_FILE={}/url"]
)
def test_copy_is_of_the_database_that_the_settings_name(setting: str, tmp_path: Path) -> None:
    program("sqlite3")
    data = tmp_path / "data"
    data.mkdir()
    (data / "url").write_text(f"sqlite:///{data}/econweb.sqlite3\r\n", newline="")
    create_database(data / "econweb.sqlite3")
    write_env(tmp_path, f"DATA_DIR=/nowhere\n{setting.format(data)}\n")
    write_stand_ins(tmp_path, {"install": 'shift 6; exec cp "$@"'})

    said = run(tmp_path, COPY)
    (data / "econweb.sqlite3").write_text("damaged")
    said += run(tmp_path, RESTORE)

    assert said == ""
    assert tables(data / "econweb.sqlite3") == [("catalogue_edition",)]
    assert (tmp_path / "copy.sqlite3").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("there", [False, True])
def test_missing_or_empty_database_leaves_the_last_copy(there: bool, tmp_path: Path) -> None:
    program("sqlite3")
    create_database(tmp_path / "copy.sqlite3")
    database = tmp_path / "econweb.sqlite3"
    write_env(tmp_path, f"DATA_DIR={tmp_path}\n")
    if there:
        database.touch()

    said = run(tmp_path, f"{COPY}\necho status $?")

    assert said == "DATABASE_URL or DATA_DIR leads to no database of SQLite; the last copy stays\nstatus 1\n"
    assert tables(tmp_path / "copy.sqlite3") == [("catalogue_edition",)]
    assert database.exists() is there


@pytest.mark.parametrize("table", ["another", "django_migrations"])
def test_database_of_another_program_is_not_restored(table: str, tmp_path: Path) -> None:
    """An empty database is whole as well, for SQLite."""
    program("sqlite3")
    create_database(tmp_path / "copy.sqlite3", table)
    (tmp_path / "econweb.sqlite3").write_text("rows")
    write_env(tmp_path, f"DATA_DIR={tmp_path}\n")

    said = run(tmp_path, RESTORE)

    assert said == "copy.sqlite3 is missing, damaged or not of econweb; nothing was changed\n"
    assert (tmp_path / "econweb.sqlite3").read_text() == "rows"


def test_nightly_copy_is_restored_beside_an_older_one(tmp_path: Path) -> None:
    """The folder of the nights may have a copy by hand, of an earlier restore."""
    program("sqlite3")
    nights = tmp_path / "var/backups/econweb"
    nights.mkdir(parents=True)
    write_env(tmp_path, f"DATA_DIR={tmp_path}\n")
    write_stand_ins(tmp_path, {"install": 'shift 6; exec cp "$@"'})
    create_database(nights / "copy.sqlite3")
    os.utime(nights / "copy.sqlite3", (0, 0))
    with closing(sqlite3.connect(nights / "econweb-2026-01-31.sqlite3")) as night:
        night.execute("CREATE TABLE catalogue_edition AS SELECT 2 AS number")
    (copied,) = re.findall(r"`(cp \S+\.sqlite3 copy\.sqlite3)`", section("Back up and restore"))

    said = run(tmp_path, f"cd /var/backups/econweb\n{RESTORE}")
    refused = (tmp_path / "econweb.sqlite3").exists()
    again = run(tmp_path, f"cd /var/backups/econweb\n{copied}\n{RESTORE}")

    assert (
        said == "copy.sqlite3 is older than a nightly copy beside it; copy the right one to it; nothing was changed\n"
    )
    assert (refused, again) == (False, "")
    with closing(sqlite3.connect(tmp_path / "econweb.sqlite3")) as restored:
        assert restored.execute("SELECT number FROM catalogue_edition").fetchone() == (2,)


def test_address_of_the_database_may_be_in_a_file(tmp_path: Path) -> None:
    """compose.yaml names it in this way; an old file of SQLite may be left in DATA_DIR."""
    write_env(tmp_path, f"DATA_DIR={tmp_path}\nDATABASE_URL_FILE={tmp_path}/url\n")
    (tmp_path / "url").write_text("postgresql://a:s%40t@h/b\n")
    (tmp_path / "econweb.sqlite3").write_text("old rows")
    (tmp_path / "etc/cron.daily").mkdir()
    told = f'echo "$PGPASSWORD $*" >> {tmp_path}/told; touch econweb.new'
    names = ("apt-get", "run-parts", "logger")
    write_stand_ins(tmp_path, {"pg_dump": told, "pg_restore": told, **dict.fromkeys(names, "")})
    by_hand = [block for block in blocks(section("Back up and restore")) if "PGPASSWORD" in block]
    run(tmp_path, *blocks(section("Back up each night")))

    run(tmp_path, "\n".join([*by_hand, "/etc/cron.daily/econweb"]))

    lines = (tmp_path / "told").read_text().splitlines()
    assert [line.startswith("s@t ") and "postgresql://a@h/b" in line for line in lines] == [True] * 3
    assert [path.suffix for path in (tmp_path / "var/backups/econweb").iterdir() if path.suffix != ".gz"] == [".dump"]


def test_missing_file_of_the_address_ends_each_block(tmp_path: Path) -> None:
    """An old file of SQLite may be left in DATA_DIR."""
    write_env(tmp_path, f"DATA_DIR={tmp_path}\nDATABASE_URL_FILE={tmp_path}/url\n")
    (tmp_path / "econweb.sqlite3").write_text("old rows")
    create_database(tmp_path / "copy.sqlite3")
    (tmp_path / "etc/cron.daily").mkdir()
    asked = dict.fromkeys(("sqlite3", "pg_dump", "pg_restore", "install"), f"touch {tmp_path}/asked")
    write_stand_ins(tmp_path, {**asked, **dict.fromkeys(("apt-get", "run-parts", "logger"), "")})
    by_hand = [block for block in blocks(section("Back up and restore")) if "DATABASE_URL_FILE" in block]
    run(tmp_path, *blocks(section("Back up each night")))

    said = [run(tmp_path, f"{block}\necho status $?") for block in [*by_hand, "/etc/cron.daily/econweb"]]

    assert len(said) == 5
    assert all(f"{tmp_path}/url" in text and re.search("^status [12]$", text, re.MULTILINE) for text in said)
    assert all(text.count("\n") == 2 for text in said)
    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize("block", [COPY, RESTORE], ids=["copy", "restore"])
def test_blocks_of_sqlite_work_in_a_shell_that_refuses_unset_variables(block: str, tmp_path: Path) -> None:
    program("sqlite3")
    for name in ("econweb.sqlite3", "copy.sqlite3"):
        create_database(tmp_path / name)
    write_env(tmp_path, f"DATA_DIR={tmp_path}\n")
    write_stand_ins(tmp_path, {"install": ""})

    said = run(tmp_path, f"set -u\n{block}\necho status $?")
    (tmp_path / "etc/econweb.env").write_text("ALLOWED_HOSTS=econ.example.org\n")
    refused = run(tmp_path, f"set -u\n{block}\necho status $?")

    assert said == "status 0\n"
    assert refused.startswith("DATABASE_URL or DATA_DIR leads to no ")
    assert refused.endswith("status 1\n")


def test_blocks_of_postgresql_refuse_a_host_without_one(tmp_path: Path) -> None:
    """pg_dump would ask the server of the machine, if there is one."""
    write_env(tmp_path, "DATA_DIR=/var/lib/econweb\n")
    write_stand_ins(tmp_path, dict.fromkeys(("pg_dump", "pg_restore", "mv"), f"touch {tmp_path}/asked"))
    by_hand = [block for block in blocks(section("Back up and restore")) if "PGPASSWORD" in block]

    said = [run(tmp_path, f"set -u\n{block}") for block in by_hand]

    assert len(said) == 2
    assert all(text.endswith("DATABASE_URL: names no PostgreSQL\n") and text.count("\n") == 1 for text in said)
    assert not (tmp_path / "asked").exists()


def test_cache_whose_address_is_in_a_file_is_emptied(tmp_path: Path) -> None:
    write_env(tmp_path, f"CACHE_URL_FILE={tmp_path}/url\n")
    (tmp_path / "url").write_text("redis://:s%40t@192.0.2.10:6379/0\n")
    told = f'echo "$REDISCLI_AUTH $*" >> {tmp_path}/told'
    write_stand_ins(tmp_path, {"redis-cli": told, "systemctl": "", "manage.py": ""})
    block, _ = blocks(section("Empty the cache and start"))

    said = run(tmp_path, block)

    assert (said, (tmp_path / "told").read_text()) == ("", "s@t -u redis://192.0.2.10:6379/0 -e FLUSHDB\n")


@pytest.mark.parametrize(
    ("settings", "answer", "starts"),
    [
        ("DATA_DIR=/nowhere", "exit 1", True),
        ("CACHE_URL=redis://:a@192.0.2.10:6379/0", "true", True),
        ("CACHE_URL=redis://:a@192.0.2.10:6379/0", "exit 1", False),
        ("CACHE_URL_FILE=/nowhere/url", "true", False),
    ],
)
def test_site_starts_only_with_an_emptied_cache(settings: str, answer: str, starts: bool, tmp_path: Path) -> None:
    write_env(tmp_path, f"{settings}\n")
    called = f"touch {tmp_path}/started"
    write_stand_ins(tmp_path, {"redis-cli": answer, "systemctl": called, "manage.py": called})
    block, _ = blocks(section("Empty the cache and start"))

    run(tmp_path, f"set -u\n{block}")

    assert (tmp_path / "started").exists() is starts


@pytest.mark.parametrize("name", ["var", "my data"])
def test_generated_key_is_in_the_archive_of_each_night(name: str, tmp_path: Path) -> None:
    data = tmp_path / "var/lib/econweb" / name
    for folder in (data, tmp_path / "root"):
        folder.mkdir(parents=True)
    write_env(tmp_path, f"DATA_DIR='{data}'\n")
    (tmp_path / "etc/cron.daily").mkdir()
    (data / "econweb.sqlite3").write_text("rows")
    (data / "secret_key").write_text("key")
    programs = {"sqlite3": "touch econweb.new", "chown": f'echo "$*" >> {tmp_path}/owners'}
    names = ("apt-get", "run-parts", "logger", "useradd", "systemctl", "install")
    write_stand_ins(tmp_path, {**programs, **dict.fromkeys(names, "")})
    run(tmp_path, *blocks(section("Back up each night")))
    run(tmp_path, "/etc/cron.daily/econweb")
    (archive,) = (tmp_path / "var/backups/econweb").glob("*.tar.gz")
    (data / "secret_key").unlink()

    run(tmp_path, blocks(section("A new machine"))[0].replace("/root/econweb-2026-01-31.tar.gz", str(archive)))

    assert (data / "secret_key").read_text() == "key"
    assert (tmp_path / "owners").read_text() == f"-R econweb: {tmp_path}/var/lib/econweb\n"
