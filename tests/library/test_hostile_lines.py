"""Files whose lines break the rules of rows: refused as a whole, in words."""

from pathlib import Path

import pytest

from tests.library.exported import EXPORTED, Row, changed, refusal

pytestmark = pytest.mark.django_db
BAD_ADDRESSES = (
    "https://[",
    "ftp://example.org",
    "https://",
    "https://a:99999",
    "https://me@example.org",
    "https://a b",
)


@pytest.mark.parametrize("line", [1, 2, 3, 7])
def test_line_with_an_unknown_field_is_refused(tmp_path: Path, line: int) -> None:
    said = refusal(tmp_path, changed(line, lambda row: row.update(extra=1)))

    assert said.startswith(f"Line {line}: ")
    assert ("unknown field `extra`" in said) == (line > 1)


def test_end_with_an_unknown_field_is_refused(tmp_path: Path) -> None:
    said = refusal(tmp_path, EXPORTED.read_bytes().rstrip()[:-1] + b',"extra":1}\n')

    assert said == "Line 8: Object contains unknown field `extra`."


@pytest.mark.parametrize(
    ("line", "fields", "words"),
    [
        (1, {"version": 2}, "The file has version 2. This program reads version 1."),
        (2, {"packed": "eJwDAAAAAAE="}, "Its content does not match its SHA-256 digest."),
        (2, {"sha256": "0" * 64}, "Its content is not in the line before it."),
        (3, {"id": "0000000000001\n"}, "`$.id`"),
        (3, {"id": "../../../../.."}, "`$.id`"),
        (3, {"kind": "compare"}, "`$.kind`"),
        (3, {"audience": "all"}, "`$.audience`"),
        (3, {"title": "x" * 201}, "`$.title`"),
        (3, {"title": "a\u0000b"}, "Its field title has a character that is not allowed."),
        (3, {"reason": "see api_key=0123456789abcdef0123456789abcdef"}, "A text contains an API key"),
        (3, {"target": "https://evil.example/category/125/tags/"}, "Its target is refused: Only views of this site"),
        (3, {"target": "javascript:alert(1)"}, "Its target is refused"),
        (3, {"target": "/me/sign-out/"}, "Its target is refused: This link leads to no view"),
        (3, {"target": "/series/GNPCA/"}, "Its target is refused: it is no link of this kind: tags."),
        (3, {"created": "2026-03-01T12:00:00"}, "`$.created`"),
        (3, {"created": "0001-01-01T00:00:00+14:00"}, "A moment is not in UTC."),
        (3, {"created": "9999-12-31T23:59:59Z"}, "Its field created is not between the years 2000 and 2200."),
        (3, {"created": "0001-01-01T00:00:00Z"}, "Its field created is not between"),
        (3, {"fetched": "0001-01-01T00:00:00Z"}, "Its field fetched is not between"),
        (3, {"changed": "9999-12-31T23:59:59Z"}, "Its field changed is not between"),
        (5, {"expires": "2026-02-01T12:00:00Z"}, "Its last day is before its first one"),
        (3, {"expires": "2126-03-01T12:00:00Z"}, "more than ten years later"),
        (3, {"realtime_start": "0001-01-01"}, "Its real-time period starts before 1776-07-04."),
        (3, {"realtime_end": "2026-02-28"}, "Its real-time period ends before it starts."),
        *((3, {"service": address}, "The address of its service is invalid.") for address in BAD_ADDRESSES),
        *((3, {"title": f"A{letter}b"}, "Its field title has a character") for letter in "\n\u202e\u2066\u2028\x85"),
        (3, {"reason": "A\u202eb"}, "Its field reason has a character that is not allowed."),
        (3, {"warnings": "x" * 10_001}, "more than 10,000 characters of warnings"),
        (3, {"missing": "x" * 200_001}, "or 200,000 about missing series"),
        (3, {"view_rows": 1}, "Its view has 2 rows instead of 1."),
        (3, {"view_rows": 3}, "Its view has 3 rows of 2, which cannot be."),
        (3, {"body_id": "0" * 64}, "Its content is not in the line before it."),
        (3, {"body_id": None, "view_sha256": "0" * 64}, "The rows of its view do not match their SHA-256 digest."),
        (3, {"body_id": None, "rows": 0, "view_rows": 0}, "It has no rows, but the digest of some."),
        (3, {"body_id": None, "kind": "list", "rows": 0, "view_rows": 0}, "It has no series."),
        (3, {"target": "/category/0125/tags/"}, "not the canonical link, which is /category/125/tags/"),
        (3, {"target": "/category/125/tags/?offset=0"}, "not the canonical link"),
        (4, {"withdrawn_by": ""}, "Its withdrawal lacks a person"),
        (3, {"rows": -1}, "`$.rows`"),
        (3, {"rows": 2**31}, "`$.rows`"),
        (3, {"rows": 3}, "It has 2 rows instead of 3."),
        (3, {"form": 2}, "Its canonical form 2 is not known"),
        (3, {"view_sha256": "0" * 64}, "The rows of its view do not match their SHA-256 digest."),
        (3, {"withdrawn": "2026-03-01T12:00:00Z"}, "It was withdrawn, and its content is still here."),
        (3, {"type": "person"}, "Invalid value 'person'"),
        (3, {"type": "econweb library"}, "`"),
        (7, {"slug": "a/b"}, "`$.slug`"),
        (7, {"title": "\u202eedart"}, "Its field title has a character that is not allowed."),
        (7, {"changed": "9999-12-31T23:59:59Z"}, "Its field changed is not between"),
        (7, {"target": "/frozen/0000000000001/"}, "Its target is refused"),
    ],
)
def test_hostile_line_is_refused(tmp_path: Path, line: int, fields: Row, words: str) -> None:
    said = refusal(tmp_path, changed(line, lambda row: row.update(fields)))

    assert words in said
    # A body is read with the first copy that has it.
    assert said.startswith(f"Line {line + (line == 2)}: ")
