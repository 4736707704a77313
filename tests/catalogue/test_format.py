"""The stored form of the catalogue: its format number and its byte order."""

import struct
import sys
from hashlib import sha256

import msgspec
import pytest
from django.db.models import Model

from econweb.catalogue import counts
from econweb.catalogue.models import FORMAT, Checkpoint, Edition, Owner, SeriesVersion, Tag

MODELS: list[type[Model]] = [Edition, Tag, Owner, Checkpoint, SeriesVersion]
RECORDS = [counts.Counts, counts.History, counts.Gap, counts.CheckpointRecord]
# Change FORMAT together with the digest, and give `conversion.py` the older format.
STORED = ("4", "22f85c36df35cef0")


def test_changed_tables_need_a_new_format() -> None:
    tables = [[(field.column, field.get_internal_type()) for field in model._meta.local_fields] for model in MODELS]
    records = [record.__struct_fields__ for record in RECORDS]

    assert (FORMAT, sha256(repr((tables, records)).encode()).hexdigest()[:16]) == STORED


def one_series() -> counts.AllSeries:
    return counts.AllSeries([700_000], [counts.LAST_DAY], {}, [1, 258], [0, 2])


@pytest.mark.parametrize("byteorder", ["little", "big"])
def test_stored_numbers_are_little_endian(monkeypatch: pytest.MonkeyPatch, byteorder: str) -> None:
    """A table copied to a machine of the other byte order gives the same counts."""
    if byteorder != sys.byteorder:
        monkeypatch.setattr(sys, "byteorder", byteorder)
        order = ">"
    else:
        order = "<"
    encoded = counts.encode_counts([0], one_series())
    record = msgspec.msgpack.decode(encoded.started[0][1], type=counts.CheckpointRecord)

    assert record.days == struct.pack(f"{order}I", 700_000)
    assert record.tags == struct.pack(f"{order}2H", 1, 258)
    assert counts.decode_steady_counts(encoded.counts) == (700_000, {1: 1, 258: 1})
