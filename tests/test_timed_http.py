"""The words for a connection that fails, from real failures of both libraries that connect."""

import smtplib
import socket
from collections.abc import Callable, Iterator

import pytest
import requests

from econweb.timed_http import TimedAdapter, name_cause


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Yield the port of a server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


def failure_of(act: Callable[[], object]) -> BaseException:
    with pytest.raises(OSError) as raised:  # noqa: PT011  the words are checked below
        act()
    return raised.value


def get(url: str) -> requests.Response:
    with requests.Session() as session:
        session.trust_env = False
        session.mount("http://", TimedAdapter(""))
        return session.get(url, timeout=0.2)


def test_closed_port_is_named_by_both_libraries() -> None:
    failures = [failure_of(lambda: get("http://127.0.0.1:1")), failure_of(lambda: smtplib.SMTP("127.0.0.1", 1))]

    assert [name_cause(failure) for failure in failures] == ["nothing listens at its port"] * 2


def test_silent_server_is_named_by_both_libraries(silent_port: int) -> None:
    failures = [
        failure_of(lambda: get(f"http://127.0.0.1:{silent_port}")),
        failure_of(lambda: smtplib.SMTP("127.0.0.1", silent_port, timeout=0.2)),
    ]

    assert [name_cause(failure) for failure in failures] == ["no answer in time"] * 2


def test_host_without_an_address_is_named_by_both_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "secret-word")

    monkeypatch.setattr(socket, "getaddrinfo", find_nothing)
    failures = [failure_of(lambda: get("http://mail.example/")), failure_of(lambda: smtplib.SMTP("mail.example", 25))]

    assert [name_cause(failure) for failure in failures] == ["its host name has no address"] * 2


def test_other_failures_are_named_by_their_kind_alone() -> None:
    assert name_cause(requests.ConnectionError("Bearer secret-word")) == "ConnectionError"
