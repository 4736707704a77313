"""The schema version follows from the records, so a program reads only entries of the same shape."""

from typing import Annotated

import pytest
from django.core.cache.backends.locmem import LocMemCache
from msgspec import Meta, Struct, defstruct

from econweb.upstream.cache import store as stores
from econweb.upstream.cache.store import Store
from econweb.upstream.records import FetchedTags, Series, SeriesReply, Tag, TagsReply, schema_digest


def test_values_of_another_schema_version_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(LocMemCache("generations", {}), None)
    store.put("x", b"1", 60)

    monkeypatch.setattr(stores, "SCHEMA_VERSION", "another")

    assert store.get("x") is None


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
    assert schema_digest(Series, SeriesReply, Tag, TagsReply, FetchedTags) == stores.SCHEMA_VERSION
