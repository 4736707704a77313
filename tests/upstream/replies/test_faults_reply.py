"""Bad replies over the wire: error, sentence and time, nothing leaked, and the next one is served."""

import json
from typing import Any

import pytest

from econweb.upstream.errors import BadReply
from tests.upstream.client_calls import fails_and_recovers, is_served
from tests.upstream.raw_server import Peer, http
from tests.upstream.sample_replies import GOOD, a_series, a_series_reply, as_json, as_xml

JSON, XML = as_json(GOOD), as_xml(GOOD)
MISSING = "The data provider's reply does not follow the contract: Object missing required field `{}`{}."
INVALID = "The data provider's reply does not follow the contract: {} - at `$.seriess[{}].{}`."
DOCTYPE = "The data provider's reply has a document type, which the contract does not know."
NOT_JSON, NOT_XML = (
    "The data provider's reply is not complete JSON: {}.",
    "The data provider's reply is not complete XML: {}.",
)
STAMP = r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}\Z"
NOT_UTF_8 = "The data provider's reply is not UTF-8 (byte {})."


def spoiled(**changes: Any) -> dict[str, Any]:
    record = {name: value for name, value in a_series(**changes).items() if value is not ...}
    return a_series_reply(record)


THOUSAND = a_series_reply(*[a_series(popularity="x" if number == 789 else 1) for number in range(1000)])
WITHOUT_A_PERIOD = {name: value for name, value in GOOD.items() if name != "realtime_end"}
IN_JSON = {
    "U7 cut": (JSON[:-1], NOT_JSON.format("Input data was truncated")),
    "U8 XML": (XML, "The data provider's reply is xml, and json was asked for."),
    "U16 deep nesting": (b'{"x":' * 1_000_000, "The data provider's reply is nested too deep."),
    "U21 UTF-16": (JSON.decode().encode("utf-16"), NOT_UTF_8.format(0)),
    "U21 Latin-1": (JSON.replace(b"Real", b"\xe9"), NOT_UTF_8.format(JSON.index(b"Real"))),
    "U22 a field that is missing": (
        as_json(spoiled(units=...)),
        MISSING.format("units", " - at `$.seriess[0]`"),
    ),
    "U24 an empty object": (b"{}", MISSING.format("realtime_start", "")),
    "U24 an empty list": (
        b"[]",
        "The data provider's reply does not follow the contract: Expected `object`, got `array`.",
    ),
    "U24 null": (b"null", "The data provider's reply does not follow the contract: Expected `object`, got `null`."),
    "U24 a number that is none": (
        as_json(spoiled(popularity="x")),
        INVALID.format("Expected `int`, got `str`", 0, "popularity"),
    ),
    "U24 one row of a thousand": (
        as_json(THOUSAND),
        INVALID.format("Expected `int`, got `str`", 789, "popularity"),
    ),
    "U25 a key twice": (
        JSON.replace(b'"units":', b'"units":"x","units":'),
        "The data provider's reply holds 'units' twice in one place.",
    ),
    "U25 a NUL": (
        JSON.replace(b"Real", rb"\u0000"),
        f"The data provider's reply holds a control character (byte {JSON.index(b'Real') + 5}).",
    ),
    "U25 half a character": (
        JSON.replace(b"Real", rb"\ud800"),
        NOT_JSON.format("JSON is malformed: unexpected end of escaped utf-16 surrogate pair (byte 157)"),
    ),
    "U29 no period": (json.dumps(WITHOUT_A_PERIOD).encode(), MISSING.format("realtime_end", "")),
    "U29 a day that is none": (
        as_json(spoiled(observation_end="0000-00-00")),
        INVALID.format("Invalid RFC3339 encoded date", 0, "observation_end"),
    ),
    "U29 a stamp of another shape": (
        as_json(spoiled(last_updated="2013-07-31")),
        INVALID.format(f"Expected `str` matching regex {STAMP!r}", 0, "last_updated"),
    ),
}
IN_XML = {
    "U7 cut": (XML.rstrip()[:-1], NOT_XML.format("expected '>', line 4, column 10")),
    "U8 JSON": (JSON, "The data provider's reply is json, and xml was asked for."),
    "U16 a bomb": (b'<!DOCTYPE a [<!ENTITY a "&b;&b;"><!ENTITY b "ha">]><seriess>&a;</seriess>', DOCTYPE),
    "U16 deep nesting": (
        b"<seriess>" + b"<a>" * 500,
        NOT_XML.format("Excessive depth in document: 257 use XML_PARSE_HUGE option, line 1, column 778"),
    ),
    "U17 a file": (b'<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><seriess>&a;</seriess>', DOCTYPE),
    "U18 a harmless document type": (b"<!DOCTYPE seriess>" + XML.partition(b"\n")[2], DOCTYPE),
    "U21 another encoding": (
        XML.replace(b"utf-8", b"iso-8859-1"),
        "The data provider's reply declares another encoding than UTF-8.",
    ),
    "U22 a field that is missing": (
        as_xml(spoiled(units=...)),
        MISSING.format("units", " - at `$.seriess[0]`"),
    ),
    "U24 one row of a thousand": (
        as_xml(THOUSAND),
        INVALID.format("Expected `int`, got `str`", 789, "popularity"),
    ),
    "U25 a control character": (
        XML.replace(b"Real", b"&#1;"),
        NOT_XML.format("xmlParseCharRef: invalid xmlChar value 1, line 3, column 87"),
    ),
}
FAULTS = [("json", *fault) for fault in IN_JSON.values()] + [("xml", *fault) for fault in IN_XML.values()]


@pytest.mark.parametrize(
    ("file_type", "body", "words"),
    FAULTS,
    ids=[f"{row} in JSON" for row in IN_JSON] + [f"{row} in XML" for row in IN_XML],
)
def test_bad_reply_is_an_error_and_the_next_is_served(peer: Peer, file_type: str, body: bytes, words: str) -> None:
    fails_and_recovers(peer, http(body), BadReply, words, file_type=file_type)


HARMLESS = {
    "U18 comments and instructions": ("xml", XML.replace(b"<series ", b"<!-- c --><?pi x?><series ")),
    "U21 a mark of UTF-8 before JSON": ("json", b"\xef\xbb\xbf" + JSON),
    "U21 a mark of UTF-8 before XML": ("xml", b"\xef\xbb\xbf" + XML),
    "U23 more fields in JSON": ("json", as_json({**spoiled(more=[1]), "most": {}})),
    "U23 more fields in XML": ("xml", as_xml({**spoiled(more="x"), "most": "y"})),
}


@pytest.mark.parametrize(("file_type", "body"), HARMLESS.values(), ids=HARMLESS)
def test_harmless_deviation_is_logged_and_not_shown(peer: Peer, file_type: str, body: bytes) -> None:
    is_served(peer, http(body), file_type=file_type)
