"""A reply of very many tiny fields takes little time and memory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from econweb.upstream.errors import BadReply
from econweb.upstream.replies.decode import MAX_SEPARATORS, decode_tags
from econweb.upstream.transport.network import MAX_REPLY_BYTES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
JSON = b'{"realtime_start":"2026-11-20","realtime_end":"2026-11-20","more":0,"tags":['
XML = b'<tags realtime_start="2026-11-20" realtime_end="2026-11-20">'
# The start, the piece that is repeated, and the end; each NUMBER is a different one.
SHAPES = {
    "JSON rows": (
        JSON,
        b'{"name":"a","group_id":"","created":"2012-02-27 10:18:19-06","popularity":1,"series_count":1},',
        b'{"name":"b","group_id":"","created":"2012-02-27 10:18:19-06","popularity":1,"series_count":1}]}',
    ),
    "JSON empty rows": (JSON, b"{},", b"{}]}"),
    "JSON numbers": (JSON + b'],"x":[', b"1,", b"1]}"),
    "JSON lists": (JSON + b'],"x":[', b"[],", b"[]]}"),
    "JSON objects": (JSON + b'],"x":[', b"{},", b"{}]}"),
    "JSON names": (JSON + b"]", b',"NUMBER":0', b"}"),
    "XML rows": (
        XML,
        b'<tag name="a" group_id="" created="2012-02-27 10:18:19-06" popularity="1" series_count="1"/>',
        b"</tags>",
    ),
    "XML empty rows": (XML, b"<tag/>", b"</tags>"),
    "XML others": (XML, b"<a/>", b"</tags>"),
    "XML attributes": (XML[:-1], b' aNUMBER=""', b"/>"),
    "XML namespaces": (XML[:-1], b' xmlns:aNUMBER="u"', b"/>"),
}
# Run in another process. Prints the ratio of processor time, large reply to small, divided by that of a bare parser,
# and the growth of memory. A large document is slower for any parser: it does not fit the processor's caches.
COST = """
import json, resource, sys, time
from pathlib import Path
from lxml import etree
from econweb.upstream.errors import BadReply
from econweb.upstream.replies.decode import decode_tags
body = Path(sys.argv[1])
def bare(text):
    json.loads(text) if body.name == "json" else etree.fromstring(text, etree.XMLParser(huge_tree=True, recover=True))
def whole(text):
    try:
        decode_tags(text, body.name)
    except BadReply as error:
        print(error)
def seconds(run, text):
    begun = time.process_time()
    run(text)
    return time.process_time() - begun
few, many = body.with_suffix(".few").read_bytes(), body.read_bytes()
def ratio(run):
    return min(seconds(run, many) for _ in range(3)) / min(seconds(run, few) for _ in range(3))
whole(few)
before = resource.getrusage(0).ru_maxrss
found = ratio(whole)
grown = resource.getrusage(0).ru_maxrss - before
print(found / ratio(bare), grown / 1024)
"""
ALL = pytest.mark.parametrize("shape", SHAPES)


def large(shape: str, signs: int) -> bytes:
    before, piece, behind = SHAPES[shape]
    counted = (b",",) if shape.startswith("JSON") else (b"<", b"=")
    # The start and the end have some as well.
    times = (signs - 20) // sum(map(piece.count, counted))
    pieces = b"".join(piece.replace(b"NUMBER", b"%x" % number) for number in range(times))
    return (before + pieces + behind)[:MAX_REPLY_BYTES]


@ALL
def test_reply_with_too_many_fields_is_refused_before_parsing(shape: str) -> None:
    with pytest.raises(BadReply, match=r"^The data provider's reply has too many fields\."):
        decode_tags(large(shape, 4 * MAX_SEPARATORS), shape[:4].strip().lower())


@ALL
def test_reply_with_most_fields_takes_little_time_and_memory(tmp_path: Path, shape: str) -> None:
    body = tmp_path / shape[:4].strip().lower()
    body.write_bytes(large(shape, MAX_SEPARATORS))
    body.with_suffix(".few").write_bytes(large(shape, MAX_SEPARATORS // 10))
    program = [sys.executable, "-c", COST, str(body)]
    # The kernel's work for new memory would be most of the time of an early refusal: the process keeps what it had.
    kept = dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), str(2**30))
    ran = subprocess.run(program, cwd=ROOT, env=os.environ | kept, capture_output=True, text=True, check=True)
    times, mebibytes = map(float, ran.stdout.split()[-2:])

    assert "too many fields" not in ran.stdout
    # Ten times as many fields; in proportion to their square it would be ten times.
    assert times < 4
    assert mebibytes < 100
