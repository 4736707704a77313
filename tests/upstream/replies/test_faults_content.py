"""Faults of what a reply says: each is one clear `BadReply`, never a crash and never half a list."""

import re
from typing import Any

import pytest
from structlog.testing import capture_logs

from econweb.upstream.errors import BadReply
from econweb.upstream.replies import unknown_fields
from econweb.upstream.replies.decode import decode_series, decode_tags
from tests.upstream.sample_replies import (
    GOOD,
    GOOD_TAGS,
    a_series,
    a_series_reply,
    a_tag,
    a_tags_reply,
    as_json,
    as_xml,
)

WRITE = {"json": as_json, "xml": as_xml}
READ = {"series": decode_series, "tags": decode_tags}
REPLIES: dict[str, dict[str, Any]] = {"series": GOOD, "tags": GOOD_TAGS}
RECORDS = {"series": "seriess", "tags": "tags"}
NEEDED = {"series": set(a_series()) - {"notes"}, "tags": set(a_tag()) - {"notes"}}
BOTH = pytest.mark.parametrize("file_type", ["json", "xml"])


def spoiled(kind: str, **changes: Any) -> dict[str, Any]:
    """A good reply whose first record has other fields; Ellipsis takes a field away."""
    reply = {**REPLIES[kind]}
    first, *others = reply[RECORDS[kind]]
    changed = {name: value for name, value in {**first, **changes}.items() if value is not ...}
    return {**reply, RECORDS[kind]: [changed, *others]}


@BOTH
@pytest.mark.parametrize("kind", ["series", "tags"])
def test_reply_cut_at_any_byte_is_refused(kind: str, file_type: str) -> None:
    """U7"""
    body = WRITE[file_type](REPLIES[kind]).rstrip()

    for length in range(len(body)):
        with pytest.raises(BadReply):
            READ[kind](body[:length], file_type)


@BOTH
@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in NEEDED for name in sorted(NEEDED[kind])])
def test_missing_field_is_named(kind: str, name: str, file_type: str) -> None:
    """U22"""
    body = WRITE[file_type](spoiled(kind, **{name: ...}))

    with pytest.raises(BadReply, match=rf"missing required field `{name}` - at `\$\.{RECORDS[kind]}\[0\]`"):
        READ[kind](body, file_type)


@BOTH
@pytest.mark.parametrize(("kind", "name"), [("series", "realtime_start"), ("tags", "realtime_end")])
def test_missing_period_is_named(kind: str, name: str, file_type: str) -> None:
    """U22, U29"""
    body = WRITE[file_type]({key: value for key, value in REPLIES[kind].items() if key != name})

    with pytest.raises(BadReply, match=f"missing required field `{name}`"):
        READ[kind](body, file_type)


@BOTH
def test_unused_fields_may_be_missing(file_type: str) -> None:
    bare = {name: GOOD_TAGS[name] for name in ("realtime_start", "realtime_end")}
    reply = decode_tags(WRITE[file_type]({**bare, "tags": [spoiled("tags", notes=...)["tags"][0]]}), file_type)

    assert reply.count is None
    assert reply.tags[0].notes is None


@pytest.mark.parametrize(
    "value", ["abc", "", "100", None, True, [], {}, 1.5, 1e30, -(10**30), 10**30, -(2**53) - 1, 2**53 + 1], ids=repr
)
def test_invalid_number_is_named(value: Any) -> None:
    """U24"""
    with pytest.raises(BadReply, match=r"at `\$\.tags\[0\]\.popularity`"):
        decode_tags(as_json(spoiled("tags", popularity=value)), "json")


@pytest.mark.parametrize("text", ["abc", "", "1.0", "1e3", "5_0", "５", " 5", "+5", "007", "9" * 30, "null"])
def test_invalid_number_in_xml_is_named(text: str) -> None:
    """U24"""
    with pytest.raises(BadReply, match=r"at `\$\.tags\[0\]\.popularity`"):
        decode_tags(as_xml(spoiled("tags", popularity=text)), "xml")


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e400", b"01", b"0x1", b"1.", b"+1"])
def test_number_outside_json_is_refused(number: bytes) -> None:
    """U24"""
    body = as_json(GOOD_TAGS).replace(b'"popularity":100', b'"popularity":' + number)

    with pytest.raises(BadReply):
        decode_tags(body, "json")


@pytest.mark.parametrize("value", [None, 1, True, [], {}], ids=repr)
@pytest.mark.parametrize("name", ["name", "group_id", "created"])
def test_invalid_text_is_named(name: str, value: Any) -> None:
    """U24"""
    with pytest.raises(BadReply, match=rf"at `\$\.tags\[0\]\.{name}`"):
        decode_tags(as_json(spoiled("tags", **{name: value})), "json")


@BOTH
@pytest.mark.parametrize("day", ["2026-02-30", "0000-00-00", "20261120", "2026-11-20T00:00", "", "tomorrow"])
def test_invalid_date_is_named(day: str, file_type: str) -> None:
    """U29"""
    with pytest.raises(BadReply, match=r"at `\$\.seriess\[0\]\.observation_end`"):
        decode_series(WRITE[file_type](spoiled("series", observation_end=day)), file_type)


@BOTH
@pytest.mark.parametrize("stamp", ["2012-02-27 10:18:19", "2012-02-27", "", "2012-02-27 10:18:19-0600 "])
def test_invalid_timestamp_is_named(stamp: str, file_type: str) -> None:
    """U29"""
    with pytest.raises(BadReply, match=r"at `\$\.tags\[0\]\.created`"):
        decode_tags(WRITE[file_type](spoiled("tags", created=stamp)), file_type)


@BOTH
@pytest.mark.parametrize("stamp", ["2012-02-27 10:18:19-06", "2012-02-27 24:00:00+05", "0000-00-00 00:00:00-06"])
def test_timestamp_of_the_contract_is_not_changed(stamp: str, file_type: str) -> None:
    """U29"""
    reply = decode_tags(WRITE[file_type](spoiled("tags", created=stamp)), file_type)

    assert reply.tags[0].created == stamp


def test_one_invalid_row_of_a_thousand_is_named() -> None:
    """U24"""
    rows = [a_tag(name=f"tag {number}") for number in range(1000)]
    rows[789]["series_count"] = "many"

    with pytest.raises(BadReply, match=r"at `\$\.tags\[789\]\.series_count`"):
        decode_tags(as_json(a_tags_reply(*rows)), "json")


@pytest.mark.parametrize(("file_type", "other"), [("json", "xml"), ("xml", "json")])
def test_reply_in_the_other_format_is_an_error_with_both_names(file_type: str, other: str) -> None:
    """U8"""
    with pytest.raises(BadReply, match=f"The data provider's reply is {other}, and {file_type} was asked for"):
        decode_tags(WRITE[other](GOOD_TAGS), file_type)


@pytest.mark.parametrize("body", [b"{}", b"[]", b"null", b"[1]", b"{", b"7", b'"text"', b"true", b"<", b"<>"])
@BOTH
def test_empty_reply_is_refused(body: bytes, file_type: str) -> None:
    """U24"""
    with pytest.raises(BadReply):
        decode_series(body, file_type)


@pytest.mark.parametrize("root", [b"<seriess/>", b"<error code='400' message='x'/>", b"<html/>"])
def test_unexpected_root_element_is_named(root: bytes) -> None:
    name = (re.match(rb"<(\w+)", root) or [b"", b""])[1].decode()

    with pytest.raises(BadReply, match=f"The data provider's reply is '{name}', not 'tags'"):
        decode_tags(root, "xml")


def test_unknown_fields_are_ignored() -> None:
    """U18, U23"""
    body = as_xml(spoiled("tags", more="x")).replace(
        b"<tag ", b'<!-- c --><?pi x?><![CDATA[text]]><other name="y"><tag name="z"/></other><tag ', 1
    )
    tree = as_json({**spoiled("tags", more={"a": [1]}), "most": None})

    assert decode_tags(body, "xml") == decode_tags(tree, "json") == decode_tags(as_json(GOOD_TAGS), "json")


@BOTH
def test_unknown_field_is_logged_once(monkeypatch: pytest.MonkeyPatch, file_type: str) -> None:
    """U23"""
    monkeypatch.setattr(unknown_fields, "_logged", set())
    name = f"novelty_{file_type}"
    with capture_logs() as logs:
        for _ in range(2):
            decode_tags(WRITE[file_type](spoiled("tags", **{name: "x"})), file_type)

    assert [entry["name"] for entry in logs] == [name]


@BOTH
def test_null_notes_unknown_groups_and_negative_popularity_are_accepted(file_type: str) -> None:
    reply = decode_tags(WRITE[file_type](spoiled("tags", group_id="cc", notes=None, popularity=-31)), file_type)

    assert (reply.tags[0].group_id, reply.tags[0].notes, reply.tags[0].popularity) == ("cc", None, -31)


@BOTH
def test_several_versions_of_a_series_keep_their_order(file_type: str) -> None:
    versions = a_series_reply(a_series(units="one"), a_series(units="two"))

    reply = decode_series(WRITE[file_type](versions), file_type)

    assert [series.units for series in reply.seriess] == ["one", "two"]


@pytest.mark.parametrize(
    "body",
    [
        b"<ta\xc2\x85gs\xe2\x80\xae/>",
        b"<tags>\x00</tags>",
        "<tags><\u202ea\u2028></b></tags>".encode(),
        b"<tags><" + b"x" * 30_000 + b"></tags>",
    ],
    ids=["signs that move", "a NUL", "signs amid a name", "a long name"],
)
def test_error_message_is_one_short_line(body: bytes) -> None:
    with pytest.raises(BadReply) as caught:
        decode_tags(body, "xml")

    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300
