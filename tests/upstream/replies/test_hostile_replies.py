"""Replies made to cost time or memory are refused at once."""

from typing import Any

import pytest

from econweb.upstream import service
from econweb.upstream.errors import BadReply
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.replies.decode import decode_series, decode_tags, is_web_page
from tests.processor_time import processor_seconds
from tests.upstream.client_calls import good
from tests.upstream.raw_server import Peer
from tests.upstream.sample_replies import GOOD, a_series, a_series_reply, a_tag, a_tags_reply, as_json


def with_another_field(field: bytes) -> bytes:
    return as_json(GOOD)[:-1] + b"," + field + b"}"


def test_leading_comments_are_scanned_once() -> None:
    """O1: ten times as many comments cost about ten times as much, not a power of two."""
    few, many = (processor_seconds(lambda n=n: is_web_page(b"<!---->" * n)) for n in (25, 250))  # type: ignore[misc]

    assert many < 30 * few


def test_html_page_is_recognised_after_comments() -> None:
    assert is_web_page(b"\n<!-- a --> <!-- b --><!----><!DOCTYPE  HTML>")


def test_repeated_key_among_many_is_found_quickly() -> None:
    """O1: ten times as many names cost about ten times as much, not a hundred times."""

    def refused(count: int) -> None:
        names = [*range(count), count - 1]
        body = with_another_field(b",".join(b'"x%d":0' % number for number in names))
        with pytest.raises(BadReply, match=rf"holds 'x{count - 1}' twice in one place\.$"):
            decode_series(body, "json")

    few, many = (processor_seconds(lambda n=n: refused(n), tries=3) for n in (3_000, 30_000))  # type: ignore[misc]

    assert many < 40 * few


def test_long_number_in_unknown_field_is_ignored() -> None:
    body = with_another_field(b'"total":' + b"9" * 5000)

    assert decode_series(body, "json").seriess[0].id == "GNPCA"


def test_reply_about_another_series_is_refused(pointed_at: Peer) -> None:
    pointed_at.will(good())

    assert service.series(SeriesQuery("gnpca")).reply.seriess[0].id == "GNPCA"
    with pytest.raises(BadReply, match="about another series than was asked for"):
        service.series(SeriesQuery("GNPCB"))


@pytest.mark.parametrize("stamp", ["2026-11-20 07:46:01-06\n", "２０２６-11-20 07:46:01-06"])
def test_timestamp_accepts_ascii_digits_only(stamp: str) -> None:
    with pytest.raises(BadReply, match="does not follow the contract"):
        decode_series(as_json(a_series_reply(a_series(last_updated=stamp))), "json")


@pytest.mark.parametrize("changes", [{"name": ""}, {"series_count": -1}])
def test_tag_without_name_or_with_negative_count_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadReply, match=r"at `\$\.tags\[0\]\."):
        decode_tags(as_json(a_tags_reply(a_tag(**changes))), "json")
