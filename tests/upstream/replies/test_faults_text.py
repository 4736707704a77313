"""Faults of a reply as a text: bombs, entities, encodings, control characters, and repeated keys."""

import json
import re
import tracemalloc
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from econweb.redaction import register_secret
from econweb.upstream.errors import BadReply
from econweb.upstream.replies.decode import decode_tags
from tests.processor_time import processor_seconds
from tests.upstream.client_calls import KEY
from tests.upstream.raw_server import listening
from tests.upstream.sample_replies import GOOD_TAGS, a_tag, a_tags_reply, as_json, as_xml

WRITE = {"json": as_json, "xml": as_xml}
# The inside of a string in JSON: escapes of each kind, and what looks like the end of one.
escapes = st.lists(
    st.one_of(
        st.builds("\\u{:04x}".format, st.integers(0, 0xFF)),
        st.builds("\\u{:04X}".format, st.integers(0, 0xFF)),
        st.sampled_from([*(f"\\{letter}" for letter in '\\/"bfnrt'), "u0000", "u001f", "b", "f", "<", " "]),
    )
).map("".join)


@pytest.mark.parametrize("depth", [500, 100_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    """U16"""
    for body, file_type in [
        (b'{"x":' + b"[" * depth + b"]" * depth + b"}", "json"),
        (b'{"x":' * depth + b"1" + b"}" * depth, "json"),
        (b"<tags>" + b"<a>" * depth + b"</a>" * depth + b"</tags>", "xml"),
    ]:
        with pytest.raises(BadReply):
            decode_tags(body, file_type)


BOMBS = {
    "U16 laughs": b'<!DOCTYPE t [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "&%c;&%c;">' % (n + 1, n, n) for n in b"abcdefghijklmnopqrstuvwxy")
    + b"]><tags>&z;</tags>",
    "U16 quadratic": b'<!DOCTYPE t [<!ENTITY a "' + b"x" * 50_000 + b'">]><tags>' + b"&a;" * 50_000 + b"</tags>",
    "U18 declaration only": b"<!DOCTYPE tags><tags/>",
    "U18 behind a comment": b'<?xml version="1.0"?><!-- c --><!DOCTYPE tags SYSTEM "x.dtd"><tags/>',
}


@pytest.mark.parametrize("body", BOMBS.values(), ids=BOMBS)
def test_document_type_is_refused_before_parsing(body: bytes) -> None:
    """O1: a text as long that declares nothing within it is the baseline."""

    def refused(text: bytes) -> None:
        with pytest.raises(BadReply, match="has a document type"):
            decode_tags(text, "xml")

    harmless = b"<!DOCTYPE tags><tags/>".ljust(len(body))
    tracemalloc.start()
    try:
        refused(body)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert most < 2**20
    assert processor_seconds(lambda: refused(body)) < 20 * processor_seconds(lambda: refused(harmless))


@pytest.mark.parametrize("body", [b'<!ENTITY a "ha"><tags/>', b'<tags><!ENTITY a "ha">&a;</tags>'])
def test_entity_without_document_type_is_refused(body: bytes) -> None:
    """A39: the parser refuses it, so that a look for document types is enough."""
    with pytest.raises(BadReply, match="is not complete XML"):
        decode_tags(body, "xml")


@pytest.mark.parametrize("entity", ['<!ENTITY x SYSTEM "{}">', '<!ENTITY % x SYSTEM "{}"> %x;'])
def test_external_entities_are_never_loaded(tmp_path: Path, entity: str) -> None:
    """U17"""
    canary = tmp_path / "canary"
    canary.write_text("the canary's words")
    with listening() as other:
        for place in (canary.as_uri(), other.url):
            body = f'<!DOCTYPE tags [{entity.format(place)}]><tags realtime_start="&x;"/>'.encode()
            with pytest.raises(BadReply) as caught:
                decode_tags(body, "xml")
            assert "canary" not in str(caught.value)

        assert other.requests == []


@pytest.mark.parametrize("text", [b"&foo;", b"&#0;", b"&#1;", b"&#xD800;", b"\x00", b"\x01", b"\x1b"])
def test_character_outside_xml_is_refused(text: bytes) -> None:
    """U25"""
    body = as_xml(GOOD_TAGS).replace(b"United", text)

    with pytest.raises(BadReply):
        decode_tags(body, "xml")


@pytest.mark.parametrize(
    "text",
    [rb"\u0000", rb"\u0001", rb"\u001F", rb"\b", rb"\f", rb"\\\u0007", rb"\ud800", rb"\udc00\ud800", b"\x00"],
)
def test_control_character_or_surrogate_in_json_is_refused(text: bytes) -> None:
    """U25"""
    body = as_json(GOOD_TAGS).replace(b"United", text)

    with pytest.raises(BadReply):
        decode_tags(body, "json")


@given(escapes)
def test_reply_is_refused_exactly_if_an_escape_is_a_control_character(text: str) -> None:
    """U25"""
    body = as_json(GOOD_TAGS).replace(b"United", text.encode())
    is_refused = re.search(r"[\0-\x08\x0b\x0c\x0e-\x1f]", json.loads(f'"{text}"')) is not None

    with pytest.raises(BadReply, match="control character") if is_refused else nullcontext():
        decode_tags(body, "json")


def test_error_has_the_place_of_a_control_character() -> None:
    body = as_json(GOOD_TAGS).replace(b"United", rb"\b")
    index = body.index(rb"\b") + 1

    with pytest.raises(BadReply, match=rf"holds a control character \(byte {index}\)\.$"):
        decode_tags(body, "json")


@pytest.mark.parametrize(
    ("text", "meant"),
    [(rb"\\u0000", "\\u0000"), (rb"\n\r\t\u000a", "\n\r\t\n"), (rb"\\b", "\\b"), (rb"\u202e", "\u202e")],
)
def test_escaped_backslash_is_no_control_character(text: bytes, meant: str) -> None:
    reply = decode_tags(as_json(GOOD_TAGS).replace(b"United", text), "json")

    assert (reply.tags[0].notes or "").startswith(meant)


TWICE = {
    "U25 in a record": (b'"name":"usa"', b'"name":"usa","name":"other"'),
    "U25 with blanks": (b'"name":"usa"', b'"name":"usa","name" :"other"'),
    "U25 in other letters": (b'"name":"usa"', rb'"name":"usa","n\u0061me":"other"'),
    "U25 in the envelope": (b'"count":2', b'"count":2,"count":3'),
    "U25 in what nobody reads": (b'"count":2', b'"count":2,"more":{"a":1,"a":2}'),
    "U25 behind a colon that hides": (b'"usa"', rb'"us\u003aa","name":"x"'),
    "U25 behind notes that are absent": (b'"notes":"United States of America"', b'"name":"other"'),
}


@pytest.mark.parametrize(("good", "bad"), TWICE.values(), ids=TWICE)
def test_repeated_key_is_refused(good: bytes, bad: bytes) -> None:
    body = as_json(GOOD_TAGS)
    assert good in body

    with pytest.raises(BadReply, match="twice in one place"):
        decode_tags(body.replace(good, bad, 1), "json")


def test_repeated_attribute_is_refused() -> None:
    """U25"""
    with pytest.raises(BadReply):
        decode_tags(as_xml(GOOD_TAGS).replace(b'name="usa"', b'name="usa" name="other"'), "xml")


ENCODINGS = {
    "U21 UTF-16": as_json(GOOD_TAGS).decode().encode("utf-16"),
    "U21 Latin-1": as_json(GOOD_TAGS).replace(b"United", b"\xe9tats"),
    "U21 half a character": as_json(GOOD_TAGS).replace(b"United", b"\xc3"),
    "U21 a surrogate": as_json(GOOD_TAGS).replace(b"United", b"\xed\xa0\x80"),
    "U21 overlong": as_json(GOOD_TAGS).replace(b"United", b"\xc0\xaf"),
}


@pytest.mark.parametrize("body", ENCODINGS.values(), ids=ENCODINGS)
def test_json_in_another_encoding_is_refused(body: bytes) -> None:
    with pytest.raises(BadReply, match="is not UTF-8"):
        decode_tags(body, "json")


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "windows-1252", "utf-7"])
def test_xml_in_another_encoding_is_refused(encoding: str) -> None:
    """U21"""
    text = as_xml(GOOD_TAGS).decode().replace('encoding="utf-8"', f"encoding='{encoding}'")

    for body in (text.encode(), text.replace("United", "é").encode(encoding)):
        with pytest.raises(BadReply, match="UTF-8"):
            decode_tags(body, "xml")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("declared", ["", '<?xml version="1.0"?>', '<?xml version="1.0" encoding="utf-16"?>'])
def test_document_type_in_unmarked_encoding_is_refused(encoding: str, declared: str) -> None:
    """U16, U21"""
    hidden = '<!DOCTYPE tags [<!ENTITY a "2026-11-20">]><tags realtime_start="&a;" realtime_end="&a;"/>'

    with pytest.raises(BadReply):
        decode_tags((declared + hidden).encode(encoding), "xml")


@pytest.mark.parametrize("file_type", ["json", "xml"])
def test_byte_order_mark_of_utf_8_is_dropped(file_type: str) -> None:
    """U21"""
    body = b"\xef\xbb\xbf" + WRITE[file_type](a_tags_reply(a_tag(notes="é")))

    assert decode_tags(body, file_type).tags[0].notes == "é"


@pytest.mark.parametrize("encoding", ["UTF-8", "utf8", "US-ASCII", "Ascii"])
def test_encoding_name_is_case_insensitive(encoding: str) -> None:
    body = as_xml(GOOD_TAGS).replace(b"utf-8", encoding.encode())

    assert len(decode_tags(body, "xml").tags) == 2


def test_encoding_outside_declaration_is_ignored() -> None:
    aside = b'<!-- <?xml encoding="iso-8859-1" -->'

    assert len(decode_tags(aside + as_xml(GOOD_TAGS).partition(b"\n")[2], "xml").tags) == 2


@pytest.mark.parametrize("body", ["<{}/>", "<tags><{}></tags>"], ids=["the root", "a message of the parser"])
def test_unknown_fields_are_logged_shortened_without_key(body: str) -> None:
    register_secret(KEY)
    with pytest.raises(BadReply) as with_the_key:
        decode_tags(body.format(KEY).encode(), "xml")
    with pytest.raises(BadReply) as long:
        decode_tags(body.format("x" * 9000).encode(), "xml")

    assert KEY not in str(with_the_key.value)
    assert "[hidden]" in str(with_the_key.value)
    assert len(str(long.value)) < 250
