"""Error statuses of the service, with a message or without."""

import json
from collections.abc import Callable

import pytest

from econweb.upstream import clock
from econweb.upstream.errors import (
    NOT_IN_PERIOD,
    BadReply,
    NotFound,
    NotInPeriod,
    Refused,
    Unavailable,
    UpstreamError,
    WrongValue,
)
from tests.upstream.client_calls import KEY, a_client, ask, fails_and_recovers, good, is_served
from tests.upstream.raw_server import Peer, http, listening

HTML = b"<!DOCTYPE html>\n<html><head><title>Gateway</title></head><body>secret words</body></html>"
XHTML = b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">\n<html/>'
WEB_PAGE = "The data provider is not available: it answers with a web page, not with data."
KEY_WORDS = "The administrator of this site needs to check its API key."
ELSEWHERE = "The data provider points to another address, which is not followed."
UNKNOWN = "The data provider sent an error without a message."


def in_json(code: int, message: object) -> bytes:
    return json.dumps({"error_code": code, "error_message": message}).encode()


def in_xml(code: int, message: str) -> bytes:
    return f'<?xml version="1.0" encoding="utf-8" ?>\n<error code="{code}" message="{message}"/>'.encode()


def down(status: int) -> str:
    return f"The data provider is not available at the moment (status {status})."


def odd(status: int) -> str:
    return f"The data provider answered with status {status}, which the contract does not know."


def refused(status: int) -> str:
    return f"The data provider refused the request with status {status}."


NO_SERIES = "Bad Request.  The series does not exist."
NO_LIMIT = "Bad Request.  Variable limit is not between 1 and 1000."
NO_KEY = "Bad Request.  The value for variable api_key is not registered."
NO_PERIOD = (
    "Bad Request.  The series does not exist in {} but may exist in {}.  Try setting realtime_start and "
    "realtime_end to today's date or removing the realtime_start and realtime_end variables."
)
NO_PERIODS = [NO_PERIOD.format(*names) for names in (("ALFRED", "FRED"), ("the archive", "the service"))]
TOO_LATE = "Bad Request.  Variable realtime_end can not be after today's date (2026-07-05)."
STATUSES: dict[str, tuple[bytes, type[UpstreamError], str]] = {
    "U14 400 unknown, JSON": (http(in_json(400, NO_SERIES), 400), NotFound, NO_SERIES),
    "U14 400 unknown, XML": (http(in_xml(400, NO_SERIES), 400), NotFound, NO_SERIES),
    "U14 400 without a word": (http(b"", 400), NotFound, UNKNOWN),
    "U14 400 XML without a message": (http(b'<error code="400"/>', 400), NotFound, UNKNOWN),
    "U14 400 refused, JSON": (http(in_json(400, NO_LIMIT), 400), Refused, NO_LIMIT),
    "U14 400 refused, XML": (http(in_xml(400, NO_LIMIT), 400), Refused, NO_LIMIT),
    "U15 400 unknown key": (http(in_json(400, NO_KEY), 400), Refused, f"{NO_KEY} {KEY_WORDS}"),
    "U14 400 with words that are none": (http(in_json(400, 7), 400), NotFound, UNKNOWN),
    "R1 400 not in that period, JSON": (http(in_json(400, NO_PERIODS[0]), 400), NotInPeriod, NOT_IN_PERIOD),
    "R1 400 not in that period, XML": (http(in_xml(400, NO_PERIODS[0]), 400), NotInPeriod, NOT_IN_PERIOD),
    "R1 400 of another provider": (http(in_json(400, NO_PERIODS[1]), 400), NotInPeriod, NOT_IN_PERIOD),
    "R11 400 about a day that the user gave": (http(in_json(400, TOO_LATE), 400), WrongValue, TOO_LATE),
    "R6 401 web page": (http(HTML, 401), Unavailable, WEB_PAGE),
    "R6 403 web page": (http(HTML, 403), Unavailable, WEB_PAGE),
    "U15 401": (
        http(b"", 401),
        Refused,
        f"The data provider does not accept the API key of this site (status 401). {KEY_WORDS}",
    ),
    "U15 403 with a message": (http(in_json(403, "Forbidden."), 403), Refused, f"Forbidden. {KEY_WORDS}"),
    "U14 404 JSON": (http(in_json(404, "Not Found"), 404), NotFound, "Not Found"),
    "U14 404 XML": (http(in_xml(404, "Not Found"), 404), NotFound, "Not Found"),
    "U10 400 web page": (http(HTML, 400), Unavailable, WEB_PAGE),
    "U10 404 web page": (http(HTML, 404), Unavailable, WEB_PAGE),
    "U30 302 web page": (http(HTML, 302), BadReply, ELSEWHERE),
    "U30 399 web page": (http(HTML, 399), BadReply, ELSEWHERE),
    "U14 404 without a word": (http(b"", 404), NotFound, UNKNOWN),
    "U14 404 broken JSON": (http(b'{"error_message', 404), NotFound, UNKNOWN),
    "U14 404 broken XML": (http(b"<error message=", 404), NotFound, UNKNOWN),
    "U14 404 Latin-1": (http(b'{"error_message":"\xe9"}', 404), NotFound, UNKNOWN),
    "U14 404 other XML": (http(b'<fault message="x"/>', 404), NotFound, UNKNOWN),
    "U14 404 of a megabyte": (http(in_json(404, "no" * 2**19), 404), NotFound, UNKNOWN),
    "418": (http(b"", 418), Refused, refused(418)),
    "423": (http(in_json(423, "Locked"), 423), Refused, "Locked"),
    "U13 500": (http(b"", 500), Unavailable, down(500)),
    "U10 404 web page of XHTML": (http(XHTML, 404), Unavailable, WEB_PAGE),
    "U10 500 web page": (http(HTML, 500), Unavailable, WEB_PAGE),
    "U13 502": (http(b"", 502), Unavailable, down(502)),
    "U10 502 web page": (http(HTML, 502), Unavailable, WEB_PAGE),
    "U13 503": (http(in_xml(503, "no"), 503), Unavailable, down(503)),
    "U13 504": (http(b"", 504), Unavailable, down(504)),
    "U10 200 web page": (http(HTML), Unavailable, WEB_PAGE),
    "U10 200 web page, shouted": (http(b"\xef\xbb\xbf \n<!-- x --><HTML>"), Unavailable, WEB_PAGE),
    "U36 204": (http(b"", 204), BadReply, odd(204)),
    "U36 206": (http(b"{}", 206), BadReply, odd(206)),
    "U36 304": (http(b"", 304), BadReply, odd(304)),
    "U30 301 to another scheme": (http(b"", 301, "Location: file:///etc/passwd"), BadReply, ELSEWHERE),
    "U30 302 to no address": (http(b"", 302, "Location: http://["), BadReply, ELSEWHERE),
    "U30 302 to a port that is none": (http(b"", 302, "Location: http://a:b/"), BadReply, ELSEWHERE),
    "U30 302 in odd bytes": (http(b"", 302, "Location: //\xff\xfe:9@@\\"), BadReply, ELSEWHERE),
    "U30 307 without a place": (http(b"", 307), BadReply, ELSEWHERE),
}


@pytest.mark.parametrize("fault", STATUSES.values(), ids=STATUSES)
def test_status_has_its_error_message(peer: Peer, fault: tuple[bytes, type[UpstreamError], str]) -> None:
    fails_and_recovers(peer, *fault)


@pytest.mark.parametrize("status", [502, 503, 504])
def test_temporary_failure_is_retried_once(peer: Peer, status: int) -> None:
    """U13"""
    is_served(peer, http(b"", status))

    assert len(peer.requests) == 3


@pytest.mark.parametrize(("choose", "pause"), [(min, 0.02), (max, 0.1)])
def test_retry_waits_for_a_moment(
    peer: Peer, monkeypatch: pytest.MonkeyPatch, choose: Callable[..., float], pause: float
) -> None:
    """U13"""
    pauses: list[float] = []
    monkeypatch.setattr("random.uniform", choose)
    monkeypatch.setattr(clock, "sleep", pauses.append)
    is_served(peer, http(b"", 502))

    assert pauses == [pause]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 418, 500])
def test_permanent_failure_is_not_retried(peer: Peer, status: int) -> None:
    """U13, U15"""
    peer.will(http(b"", status), good())

    with pytest.raises(UpstreamError):
        ask(a_client(peer.url))
    assert len(peer.requests) == 1


def test_request_is_sent_twice_at_most(peer: Peer) -> None:
    """U13"""
    fails_and_recovers(peer, http(b"", 503), Unavailable, down(503))

    assert len(peer.requests) == 3


def test_redirect_to_itself_is_not_followed(peer: Peer) -> None:
    """U30"""
    fails_and_recovers(peer, http(b"", 301, f"Location: {peer.url}/econ/series"), BadReply, ELSEWHERE)

    assert len(peer.requests) == 2


def test_redirect_to_another_host_does_not_get_the_key(peer: Peer) -> None:
    """U30"""
    with listening() as other:
        other.will(good())
        fails_and_recovers(peer, http(b"", 302, f"Location: {other.url}/?api_key={KEY}"), BadReply, ELSEWHERE)

        assert other.requests == []


def test_key_in_the_message_of_the_service_is_redacted(peer: Peer) -> None:
    """U15"""
    fault = http(in_json(400, f"The value {KEY} of api_key={KEY} is not registered."), 400)

    fails_and_recovers(peer, fault, Refused, f"The value [hidden] of api_key=[hidden] is not registered. {KEY_WORDS}")


def test_service_message_is_one_line(peer: Peer) -> None:
    peer.will(http(in_json(400, "one\r\ntwo\x00\x1b[31m\u202ethree" + "x" * 9000), 400))

    with pytest.raises(Refused) as caught:
        ask(a_client(peer.url))

    assert str(caught.value).startswith("one two [31m threexxx")
    assert len(str(caught.value)) <= 500


@pytest.mark.parametrize(("body", "is_explicit"), [(b"", False), (in_json(404, "Not Found"), True)])
def test_404_with_service_message_is_explicit(peer: Peer, body: bytes, is_explicit: bool) -> None:
    peer.will(http(body, 404))

    with pytest.raises(NotFound) as caught:
        ask(a_client(peer.url))

    assert caught.value.is_explicit is is_explicit
