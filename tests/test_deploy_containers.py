"""The commands of docs/deploy.md for containers, with a stand-in for docker that runs what it would run inside."""

import re
from pathlib import Path

import psycopg
import pytest

from bench.drills.postgresql import postgresql
from tests.catalogue.test_postgresql import BINARIES, REQUIRED
from tests.document_commands import blocks, run, section, write_stand_ins

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not BINARIES and not REQUIRED, reason="PostgreSQL is not installed"),
]


def test_database_in_a_container_is_restored_from_its_backup(tmp_path: Path) -> None:
    (*_, backup, restore, start, _, _) = blocks(section("In containers"))
    with postgresql() as cluster:
        port, url = cluster.url.rpartition(":")[2].partition("/")[0], cluster.url.replace("/postgres", "/econweb")
        inside = f"export PATH={BINARIES[-1].parent}:$PATH PGHOST=127.0.0.1 PGPORT={port}; shift 4"
        line = f'echo "$*" >> {tmp_path}/calls; test "$4" != database || {{ {inside}; exec "$@"; }}'
        write_stand_ins(tmp_path, {"docker": line})
        run(tmp_path, "docker compose exec -T database createdb -U econweb econweb")
        with psycopg.connect(url) as owner:
            owner.execute("CREATE TABLE kept AS SELECT 1 AS number")
        said = run(tmp_path, backup)
        with psycopg.connect(url) as owner:
            owner.execute("INSERT INTO kept VALUES (2)")
            owner.execute("CREATE TABLE later ()")

        said += run(tmp_path, restore + start)

        with psycopg.connect(url) as owner:
            tables = owner.execute("SELECT relname FROM pg_stat_user_tables").fetchall()
            rows = owner.execute("SELECT number FROM kept").fetchall()
    assert (said, tables, rows) == ("", [("kept",)], [(1,)])
    assert (tmp_path / "econweb.dump").stat().st_mode & 0o077 == 0
    calls = (tmp_path / "calls").read_text().splitlines()
    migrate = "compose run --rm --no-deps web migrate"
    order = ["compose stop web", "compose restart cache", migrate, "compose start web"]
    assert [call for call in calls if call in order] == order


def test_accounts_are_ended_before_containers_start() -> None:
    """A backup has those of people who have left since."""
    restore, between = re.findall(r"```sh\n([^`]*pg_restore[^`]*)```(.*?)```", section("In containers"), re.DOTALL)[0]

    assert "start web" not in restore
    assert "`docker compose run --rm --no-deps web sign_out NAME --left`" in between
