"""The schema version follows from the records, so a program reads only entries of the same shape."""

from typing import Annotated

import pytest
from msgspec import Meta, Struct, defstruct
from pytest_django import Settings

from econweb.upstream import service
from econweb.upstream.cache import keys
from econweb.upstream.client import EconClient
from econweb.upstream.errors import Refused
from econweb.upstream.limits.circuit_breaker import FAILURES_TO_OPEN
from econweb.upstream.new_client import build_client
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import SCHEMA_VERSION, FetchedTags, Series, SeriesReply, Tag, TagsReply, schema_digest
from tests.upstream.client_calls import good
from tests.upstream.conftest import Clock
from tests.upstream.raw_server import Peer


def an_upgrade(monkeypatch: pytest.MonkeyPatch) -> EconClient:
    """Change the version, and return the client of another process with it."""
    monkeypatch.setattr(keys, "SCHEMA_VERSION", "another")
    return build_client(service.upstream().store)


def test_answers_of_another_schema_version_are_not_read(pointed_at: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    pointed_at.will(good(), good())
    for _ in range(2):
        service.series(SeriesQuery("GNPCA"))
    before = len(pointed_at.requests)
    an_upgrade(monkeypatch)
    service.series(SeriesQuery("GNPCA"))

    assert (before, len(pointed_at.requests)) == (1, 2)


def test_versions_share_the_rate_limit(
    pointed_at: Peer, settings: Settings, monkeypatch: pytest.MonkeyPatch, frozen_clock: Clock
) -> None:
    """A rolling upgrade must not send the service twice as many requests."""
    settings.ECON_BACKGROUND_SHARE = 0.5
    old = service.upstream().client
    assert old.rate_limit
    assert old.background_share
    for _ in range(old.rate_limit.burst):
        old.rate_limit.acquire(0.0)
    old.background_share.charge()
    new = an_upgrade(monkeypatch)

    assert new.rate_limit
    assert new.background_share
    assert new.rate_limit.available() == 0
    assert new.background_share.seconds_left() > 0


def test_versions_share_the_breaker_and_the_state_of_the_key(pointed_at: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    old = service.upstream().client
    for _ in range(FAILURES_TO_OPEN):
        old.breaker.report("It is away.", is_probe=False, patience=1.0)
    old.key_status.report(Refused("The key is unknown.", is_about_key=True))
    new = an_upgrade(monkeypatch)

    assert (new.breaker.state(), new.key_status.state()) == ("open", "refused")


@pytest.mark.parametrize(
    "changed",
    [
        defstruct("Record", [("name", str), ("size", float)]),
        defstruct("Record", [("name", str), ("count", int)]),
        defstruct("Record", [("size", int), ("name", str)]),
        defstruct("Record", [("name", str), ("size", int, 0)]),
        defstruct("Record", [("name", Annotated[str, Meta(min_length=1)]), ("size", int)]),
        defstruct("Record", [("name", str), ("size", int), ("notes", str)]),
    ],
    ids=["type", "name", "order", "default", "constraint", "new field"],
)
def test_schema_version_changes_with_a_field(changed: type[Struct]) -> None:
    record, same = (defstruct("Record", [("name", str), ("size", int)]) for _ in range(2))

    assert schema_digest(record) == schema_digest(same) != schema_digest(changed)


def test_schema_version_covers_all_stored_records() -> None:
    assert schema_digest(Series, SeriesReply, Tag, TagsReply, FetchedTags) == SCHEMA_VERSION
