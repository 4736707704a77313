"""The requests that `manage.py check_proxy` sends, and what it concludes from the replies."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from econweb.accounts import proxy_check
from econweb.accounts.proxy_check import MAX_BODY, NO_VERDICT, Reply, ask, judge, list_attacks
from tests.upstream.raw_server import Peer, drips, http, listening

ADA = '<p class="kicker"><bdi>ada &amp; co</bdi></p> <h1>Your account</h1> You are an editor'


@pytest.fixture
def peer() -> Iterator[Peer]:
    with listening() as listener:
        yield listener


def reply_to(peer: Peer, body: str, status: int = 200) -> Reply:
    peer.will(http(body.encode(), status, "Connection: close"))
    return ask(urlsplit(f"{peer.url}/portal/"), [("EconwebUser", "eve")])


def test_attacks_spell_a_header_in_every_way() -> None:
    attacks = {attack.title: attack.lines for attack in list_attacks("EconwebUser", "who", "eve", "heads")}

    spelled = ["EconwebUser", "econwebuser", "ECONWEBUSER", "Econweb-User", "Econweb_User"]
    spelled += ["EconwebUser-", "EconwebUser_", "who", "WHO", "w-ho", "w_ho", "who-", "who_"]
    assert [*attacks["EconwebUser"], *attacks["Econweb-User"]] == [("EconwebUser", "eve"), ("Econweb-User", "eve")]
    assert attacks["EconwebUser twice"] == [("EconwebUser", "eve")] * 2
    assert attacks["EconwebUser twice, in two cases"] == [("EconwebUser", "eve"), ("econwebuser", "eve")]
    assert attacks["EconwebUser and who"] == [("EconwebUser", "eve"), ("who", "heads")]
    assert {title for title, lines in attacks.items() if lines[0][0] == title} == {*spelled}
    assert len(attacks) == 6 + 7 + 2 * 11 + 1


@pytest.mark.parametrize(("header", "spellings"), [("xUser", ["x-User", "x_User"]), ("person", ["per-son", "per_son"])])
def test_attacks_part_a_header_at_its_words(header: str, spellings: list[str]) -> None:
    attacks = {attack.title for attack in list_attacks(header, "EconwebGroups", "eve", "heads")}

    assert attacks >= {*spellings}


def test_request_has_the_forged_header_and_closes_the_connection(peer: Peer) -> None:
    reply_to(peer, ADA)
    ask(urlsplit(peer.url), [("Connection", "EconwebUser")])

    first, second = peer.requests
    host = f"Host: 127.0.0.1:{peer.port}\r\nAccept: text/html\r\n"
    assert first == f"GET /portal/me/ HTTP/1.1\r\n{host}Connection: close\r\nEconwebUser: eve\r\n\r\n"
    assert second == f"GET /me/ HTTP/1.1\r\n{host}Connection: EconwebUser\r\n\r\n"


@pytest.mark.parametrize("header", ["Authorization", "Cookie"])
def test_request_with_another_header_closes_the_connection_too(peer: Peer, header: str) -> None:
    peer.will(http(ADA.encode(), 200, "Connection: close"))
    ask(urlsplit(peer.url), [(header, "x")])

    assert "\r\nConnection: close\r\n" in peer.requests[0]


@pytest.mark.parametrize(
    ("status", "body", "reply"),
    [
        (200, ADA, Reply(200, "ada & co", "editor", is_refused=False, is_reading=False)),
        (200, ADA[: ADA.index(" You")], Reply(200, "ada & co", "", is_refused=False, is_reading=False)),
        (404, ADA, Reply(404, "", "", is_refused=False, is_reading=False)),
        (200, "Sign in", Reply(200, "", "", is_refused=False)),
        (200, "This request cannot name a person", Reply(200, "", "", is_refused=False)),
        (400, "This request cannot name a person", Reply(400, "", "", is_refused=True)),
        (400, "Bad request", Reply(400, "", "", is_refused=False)),
        (200, " " * 2 * MAX_BODY + ADA, Reply(200, "", "", is_refused=False)),
    ],
)
def test_reply_is_understood(peer: Peer, status: int, body: str, reply: Reply) -> None:
    assert reply_to(peer, body, status) == reply


def test_reply_that_is_not_http_is_an_error(peer: Peer) -> None:
    peer.will(b"nonsense\r\n\r\n")

    with pytest.raises(OSError, match="the reply is not HTTP"):
        ask(urlsplit(peer.url), [])


def test_head_that_drips_ends_with_the_time_of_the_request(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes within the timeout of the socket."""
    monkeypatch.setattr(proxy_check, "SECONDS", 0.5)
    peer.will(drips(b"HTTP/1.1 200 OK\r\nX-Long: " + b"H" * 500))

    with pytest.raises(TimeoutError):
        ask(urlsplit(peer.url), [])


@pytest.mark.parametrize(
    ("role", "outcome"), [("", "dropped or replaced"), ("editor", "dropped or replaced"), ("admin", "GOT THROUGH")]
)
def test_lower_role_is_nothing_that_got_through(role: str, outcome: str) -> None:
    honest = Reply(200, "ada", "editor", is_refused=False)

    assert judge(honest, honest._replace(role=role)) == outcome
    assert judge(honest, honest._replace(name="eve", role=role)) == "GOT THROUGH"
    assert judge(honest, Reply(400, "", "", is_refused=True)) == "passed on, and refused by the site"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_limit_or_failure_of_the_proxy_is_no_pass(status: int) -> None:
    """The site may never have seen the forged header."""
    assert judge(Reply(200, "ada", "", is_refused=False), Reply(status, "", "", is_refused=False)) == NO_VERDICT
