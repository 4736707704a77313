"""Looks with `ECON_MAY_STORE=false`: the news say that something changed, and no text of the service is on the disk."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.search_index.reading.test_may_store import PLANTED, TAGS, files_with, peer, run
from tests.startup.prepared import prepare
from tests.upstream.raw_server import Peer, http
from tests.upstream.sample_replies import a_tag, a_tags_reply, as_json

pytestmark = pytest.mark.slow
__all__ = ["peer"]
OTHERS = http(as_json(a_tags_reply(a_tag(notes=f"other {PLANTED}"), a_tag(name=f"other {PLANTED}"))))
FOLLOW = """
INSERT INTO watching_watch (id, person, kind, target, created)
VALUES (1, 'local editor', 'tags', '/category/125/tags/', '2026-01-01 00:00:00');
INSERT INTO watching_watchedsource (id, kind, key, service, interval, holder, failures, failure, due)
VALUES (1, 'category', '125', '{url}', 1, '', 0, '', '2026-01-01 00:00:00');
INSERT INTO watching_watch_sources (watch_id, watchedsource_id) VALUES (1, 1);
"""
LATER = "UPDATE watching_watchedsource SET due = '2026-01-01 00:00:00', seen = '2026-01-01 00:00:00' WHERE 1"


def test_looks_leave_no_text_of_the_service_on_the_disk(tmp_path: Path, peer: Peer) -> None:
    """O12"""
    prepare(tmp_path, has_sample=False)
    with closing(sqlite3.connect(tmp_path / "econweb.sqlite3")) as database:
        database.executescript(FOLLOW.format(url=peer.url))
        for reply in (TAGS, TAGS, OTHERS, OTHERS):
            peer.will(reply)
            said = run(tmp_path, peer, "watch", "--once")
            database.execute(LATER)
            database.commit()
        (count,) = database.execute("SELECT count(*) FROM watching_watch_news").fetchone()

    assert "News: 1." in said
    assert count == 1
    assert files_with(tmp_path, PLANTED) == []
