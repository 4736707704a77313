"""Replies made to cost time or memory are refused at once."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from econweb.upstream import service
from econweb.upstream.errors import BadReply
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.replies import is_web_page, series_reply, tags_reply
from tests.upstream.asking import good
from tests.upstream.peer import Peer
from tests.upstream.replies_of_a_peer import GOOD, a_series, a_series_reply, a_tag, a_tags_reply, as_json


def seconds_of(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def with_another_field(field: bytes) -> bytes:
    return as_json(GOOD)[:-1] + b"," + field + b"}"


def test_a_text_of_comments_is_looked_at_once() -> None:
    assert seconds_of(lambda: is_web_page(b"<!---->" * 250)) < 0.05


def test_a_web_page_may_begin_with_comments() -> None:
    assert is_web_page(b"\n<!-- a --> <!-- b --><!----><!DOCTYPE  HTML>")


def test_a_name_that_comes_twice_among_many_is_found_at_once() -> None:
    body = with_another_field(b",".join(b'"x%d":0' % number for number in [*range(30_000), 29_999]))

    def refused() -> None:
        with pytest.raises(BadReply, match=r"holds 'x29999' twice in one place\.$"):
            series_reply(body, "json")

    assert seconds_of(refused) < 2.0


def test_a_number_of_many_digits_in_an_unknown_field_is_passed_over() -> None:
    body = with_another_field(b'"total":' + b"9" * 5000)

    assert series_reply(body, "json").seriess[0].id == "GNPCA"


def test_a_reply_about_another_series_is_refused(pointed_at: Peer) -> None:
    pointed_at.will(good())

    assert service.series(SeriesQuery("gnpca")).reply.seriess[0].id == "GNPCA"
    with pytest.raises(BadReply, match="about another series than was asked for"):
        service.series(SeriesQuery("GNPCB"))


@pytest.mark.parametrize("stamp", ["2026-11-20 07:46:01-06\n", "２０２６-11-20 07:46:01-06"])
def test_a_stamp_is_of_plain_digits_and_nothing_else(stamp: str) -> None:
    with pytest.raises(BadReply, match="does not hold what it should"):
        series_reply(as_json(a_series_reply(a_series(last_updated=stamp))), "json")


@pytest.mark.parametrize("changes", [{"name": ""}, {"series_count": -1}])
def test_a_tag_has_a_name_and_no_less_than_no_series(changes: dict[str, Any]) -> None:
    with pytest.raises(BadReply, match=r"at `\$\.tags\[0\]\."):
        tags_reply(as_json(a_tags_reply(a_tag(**changes))), "json")
