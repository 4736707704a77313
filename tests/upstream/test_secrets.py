"""After every failure, the key is in no log, result, cache or error."""

import base64
import html
import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote

import msgspec
import pytest
from django.core.cache import caches
from pytest_django import Settings

from econweb import redaction
from econweb.redaction import redact, redact_packed, redact_record
from econweb.upstream import service
from econweb.upstream.errors import Refused
from econweb.upstream.queries import SeriesQuery, TagQuery
from tests.upstream.client_calls import KEY, a_client
from tests.upstream.raw_server import Peer, http
from tests.upstream.sample_replies import a_series, a_series_reply, a_tag, a_tags_reply, as_json, as_xml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
# Each of these goes through the whole program: service module, errors, logs at every level, cache, pages.
RUN = Path(__file__).with_name("leak_probe.py")


def forms(key: str) -> Iterator[bytes]:
    """The key in each encoding in which it could be written somewhere."""
    yield key.encode()
    yield key.upper().encode()
    yield key[::-1].encode()
    yield key.encode("utf-16-le")
    yield key.encode().hex().encode()
    yield "".join(f"%{byte:02X}" for byte in key.encode()).encode()
    yield "".join(f"\\u{byte:04x}" for byte in key.encode()).encode()
    # In base64 the letters depend on where in a group of three bytes the key begins.
    for before in (b"", b"?", b"??"):
        yield base64.b64encode(before + key.encode())[4:-4]


@pytest.mark.parametrize(("debug", "log_format"), [("true", "text"), ("false", "json")])
def test_key_is_in_no_log_result_cache_or_error(tmp_path: Path, debug: str, log_format: str) -> None:
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "DATA_DIR": str(tmp_path / "var"),
        "DEBUG": debug,
        "LOG_FORMAT": log_format,
        "ECON_API_KEY": KEY,
        "ECON_TIMEOUT": "1",
        "ALLOWED_HOSTS": "testserver",
    }
    ran = subprocess.run(
        [sys.executable, str(RUN), str(tmp_path)], cwd=ROOT, env=environment, capture_output=True, check=False
    )

    assert ran.returncode == 0, ran.stderr.decode()[-2000:]
    left = {str(path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    left |= {"stdout": ran.stdout, "stderr": ran.stderr}
    # The search was in the right place: addresses without their query string were written.
    assert b"/econ/series" in ran.stderr
    assert b"provoked 12 errors" in ran.stdout
    assert [name for name, text in left.items() for form in forms(KEY) if form in text] == []


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("GET /econ/series?api_key=abc&x=1 HTTP/1.1", "GET /econ/series HTTP/1.1"),
        ("'https://h.example/a?b=c'", "'https://h.example/a'"),
        ("https://h.example/?api_key=abc", "https://h.example/"),
        ("is it there? yes", "is it there? yes"),
        ("api_key=abc&limit=1", "api_key=[hidden]&limit=1"),
        ("{'api_key': 'abc', 'x': 1}", "{'api_key': '[hidden]', 'x': 1}"),
        ('{"api_key":"abc"}', '{"api_key":"[hidden]"}'),
        ("api_key%3Dabc", "api_key%3D[hidden]"),
        ("API_KEY: abc", "API_KEY: [hidden]"),
        ("Variable api_key is not set.", "Variable api_key is not set."),
    ],
)
def test_redaction_changes_the_secret_only(text: str, clean: str) -> None:
    assert redact(text) == clean


def test_redaction_finds_key_anywhere() -> None:
    a_client("http://127.0.0.1:9")
    encoded = base64.b64encode(KEY.encode()).decode()

    assert redact(f"<{KEY}> {encoded} {quote(KEY)}") == "<[hidden]> [hidden] [hidden]"


def test_redaction_of_empty_key_changes_nothing() -> None:
    redaction.register_secret("")

    assert redact("text") == "text"


def test_redaction_covers_log_arguments() -> None:
    record = logging.LogRecord("urllib3", logging.DEBUG, "", 1, '"%s %s"', ("GET", f"/a?api_key={KEY}"), None)

    assert redact_record(record)
    assert record.getMessage() == '"GET /a"'


def test_redaction_keeps_log_arguments_without_secret() -> None:
    record = logging.LogRecord("urllib3", logging.DEBUG, "", 1, "%s rows", (7,), None)

    assert redact_record(record)
    assert (record.msg, record.args) == ("%s rows", (7,))


def test_client_repr_has_no_key() -> None:
    assert KEY not in repr(a_client("http://127.0.0.1:9"))


@pytest.mark.parametrize("before", ["", "?", "??", "???"])
@pytest.mark.parametrize("behind", ["", "&", "&x", "&xy"])
def test_redaction_finds_key_in_base64(before: str, behind: str) -> None:
    a_client("http://127.0.0.1:9")
    text = base64.b64encode(f"{before}{KEY}{behind}".encode()).decode()

    assert len(redact(text)) <= len("[hidden]") + 12


def test_redaction_is_case_insensitive() -> None:
    a_client("http://127.0.0.1:9")
    percent = "".join(f"%{byte:02x}" for byte in KEY.encode())

    assert redact(f"{KEY.upper()} {percent}") == "[hidden] [hidden]"


ESCAPED = "".join(f"\\u{byte:04x}" for byte in KEY.encode())
MIXED = "".join(letter if number % 3 else f"%{ord(letter):02x}" for number, letter in enumerate(KEY))
WAYS = {
    "as it is": KEY,
    "in capitals": KEY.upper(),
    "in both": KEY.title(),
    "percent": "".join(f"%{byte:02X}" for byte in KEY.encode()),
    "percent, here and there": MIXED,
    "percent, twice over": MIXED.replace("%", "%25"),
    "capitals in percent": "".join(f"%{byte:02x}" for byte in KEY.upper().encode()),
    "base64": base64.b64encode(f"api_key={KEY}".encode()).decode(),
    "base64 behind one more": base64.b64encode(f"api_key= {KEY}".encode()).decode(),
    "base64 behind two more": base64.b64encode(f"api_key=  {KEY}".encode()).decode(),
    "hexadecimal": KEY.encode().hex(),
    "escapes as text": ESCAPED,
    "escapes of Python": "".join(f"\\x{byte:02x}" for byte in KEY.encode()),
    "HTML by ten": "".join(f"&#{byte};" for byte in KEY.encode()),
    "HTML by sixteen": "".join(f"&#x{byte:x};" for byte in KEY.encode()),
    "HTML twice over": "".join(f"&amp;#{byte};" for byte in KEY.encode()),
}
BODIES = {
    **{way: as_json(a_series_reply(a_series(notes=f"<{text}>"))) for way, text in WAYS.items()},
    "escapes of JSON": as_json(a_series_reply(a_series(notes="NOTES"))).replace(b"NOTES", ESCAPED.encode()),
    "escapes of JSON, here and there": as_json(a_series_reply(a_series(notes="NOTES"))).replace(
        b"NOTES", KEY.replace("a", "\\u0061").encode()
    ),
    "percent in escapes of JSON": as_json(a_series_reply(a_series(notes="NOTES"))).replace(
        b"NOTES", MIXED.replace("%", "\\u0025").encode()
    ),
}


def nothing_of_the_key(text: str) -> bool:
    """The key is absent as it is, and in reversible encodings."""
    return not re.search("|".join(form.decode("latin-1") for form in map(re.escape, forms(KEY))), text)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_echoed_key_is_in_no_record_or_cache(pointed_at: Peer, body: bytes) -> None:
    pointed_at.will(http(body))

    page = service.series(SeriesQuery("GNPCA"))

    assert "[hidden]" in (page.reply.seriess[0].notes or "")
    kept = str(vars(caches["default"])["_cache"])
    for text in (repr(page), kept):
        assert nothing_of_the_key(html.unescape(unquote(unquote(text))).lower())
        assert base64.b64encode(f"api_key={KEY}".encode()).decode()[12:-4] not in text


@pytest.mark.parametrize("way", ["&#{};", "&#x{:x};"])
def test_escaped_key_in_xml_is_in_no_record(pointed_at: Peer, settings: Settings, way: str) -> None:
    settings.ECON_FILE_TYPE = "xml"
    notes = "".join(way.format(byte) for byte in KEY.encode())
    pointed_at.will(http(as_xml(a_series_reply(a_series(notes="NOTES"))).replace(b"NOTES", notes.encode())))

    assert service.series(SeriesQuery("GNPCA")).reply.seriess[0].notes == "[hidden]"


def test_key_in_tags_is_in_no_record(pointed_at: Peer) -> None:
    pointed_at.will(http(as_json(a_tags_reply(a_tag(name=MIXED, notes=KEY), order_by=KEY))))

    page = service.tags("category", 125, TagQuery())

    assert (page.tags[0].name, page.tags[0].notes) == ("[hidden]", "[hidden]")
    assert nothing_of_the_key(unquote(repr(page)))


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("before", range(440, 500, 15))
def test_shortened_message_has_no_part_of_the_key(pointed_at: Peer, text: str, before: int) -> None:
    message = f"{'x' * before}{text}"
    pointed_at.will(http(json.dumps({"error_code": 423, "error_message": message}).encode(), 423))

    with pytest.raises(Refused) as caught:
        service.series(SeriesQuery("GNPCA"))

    # The text before the key in base64 is not secret.
    assert not any(text[start : start + 8] in str(caught.value) for start in range(14, len(text) - 7))


def test_redaction_keeps_bytes_without_key() -> None:
    a_client("http://127.0.0.1:9")
    packed = msgspec.msgpack.encode(["100%25 of &#38; \\u0041 http://a.example/?a=b&api_key=x"])

    assert redact_packed(KEY, packed) == packed


def test_redaction_without_key_changes_nothing() -> None:
    assert redact_packed("", b"a demo") == b"a demo"


def test_redaction_finds_secret_with_special_characters() -> None:
    redaction.register_secret("Zürich's (secret) + word")

    assert redact("<Zürich's (secret) + word>") == "<[hidden]>"
    assert redact(f"<{quote('zürich')}{quote(chr(39) + 's (secret) + word')}>") == "<[hidden]>"
