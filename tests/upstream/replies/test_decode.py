"""JSON and XML of one answer give equal records."""

from contextlib import suppress
from datetime import date
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from econweb.upstream.errors import BadReply
from econweb.upstream.replies import json_reply, xml_reply
from econweb.upstream.replies.decode import decode_series, decode_tags, wrong_parameter
from tests.upstream.sample_replies import PERIOD, a_series, a_tag, a_tags_reply, as_json, as_xml

# Text that XML can carry: its only control characters are tab and line breaks.
text = st.text(
    st.one_of(
        st.sampled_from("\t\n\r<>&\"'\\:;/\u2028"),
        st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\ufffe\uffff"),
    ),
    max_size=20,
)
days = st.dates(min_value=date(1000, 1, 1)).map(str)
stamps = st.builds("{} 07:46:01{}{:02}".format, days, st.sampled_from("+-"), st.integers(0, 14))
numbers = st.integers(-(2**53), 2**53)
tags = st.fixed_dictionaries(
    {
        "name": text.filter(bool),
        "group_id": text,
        "notes": st.none() | text,
        "created": stamps,
        "popularity": numbers,
        "series_count": st.integers(0, 2**53),
    }
)


def filled(record: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Other values for each field of the kind that it has."""
    by_name = {"last_updated": stamps, "popularity": numbers, "notes": st.none() | text}
    return st.fixed_dictionaries(
        {name: by_name.get(name, days if "_start" in name or "_end" in name else text) for name in record}
    )


@given(st.lists(tags, max_size=4))
def test_tags_reply_decodes_alike_from_json_and_xml(records: list[dict[str, Any]]) -> None:
    reply = a_tags_reply(*records)

    read = decode_tags(as_json(reply), "json")

    assert read == decode_tags(as_xml(reply), "xml")
    assert [tag.name for tag in read.tags] == [record["name"] for record in records]
    assert [tag.notes for tag in read.tags] == [record["notes"] for record in records]


@pytest.mark.slow
@given(st.lists(filled(a_series()), max_size=3))
def test_series_reply_decodes_alike_from_json_and_xml(records: list[dict[str, Any]]) -> None:
    reply = {**PERIOD, "seriess": records}

    read = decode_series(as_json(reply), "json")

    assert read == decode_series(as_xml(reply), "xml")
    by_day = sorted(records, key=lambda record: str(record["realtime_start"]))
    assert [series.units for series in read.seriess] == [record["units"] for record in by_day]


@given(st.binary(max_size=60), st.sampled_from(["json", "xml"]))
def test_reply_of_any_bytes_is_decoded_or_refused(body: bytes, file_type: str) -> None:
    for beginning in (b"", b"{", b"<tags ", b'{"tags":[', as_json(a_tags_reply(a_tag()))[:90]):
        with suppress(BadReply):
            decode_tags(beginning + body, file_type)


class Release(msgspec.Struct, frozen=True):
    """A record as a fourth request may have it: its id is a number."""

    id: int


class ReleasesReply(msgspec.Struct, frozen=True):
    realtime_start: date
    releases: tuple[Release, ...]


def test_reply_value_is_number_or_text_by_its_record() -> None:
    release = b'<releases realtime_start="2014-01-01"><release id="53"/></releases>'

    read = xml_reply.decode(release, ReleasesReply, "releases", "release")

    assert read.releases == (Release(53),)
    series = {**PERIOD, "seriess": [{**a_series(), "id": "12345"}]}
    assert decode_series(as_xml(series), "xml").seriess[0].id == "12345"


def test_repeated_key_is_refused_in_every_reply() -> None:
    assert json_reply.decode(b'{"realtime_start":"2014-01-01","releases":[{"id":1}]}', ReleasesReply).releases
    with pytest.raises(BadReply, match="twice in one place"):
        json_reply.decode(b'{"realtime_start":"2014-01-01","releases":[{"id":1,"id":2}]}', ReleasesReply)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Bad Request. Variable series_id is not set.", "series_id"),
        ("Bad Request. The api_key of series_id is unknown.", ""),
        ("Bad Request. The limit is too large.", ""),
    ],
)
def test_message_about_the_key_blames_no_parameter_of_the_user(message: str, name: str) -> None:
    assert wrong_parameter(message) == name
