"""Slow forms occupy few threads, and a refused form gets an error page."""

from collections.abc import Iterator
from queue import Queue
from threading import Event, Thread

import pytest
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.test import Client, RequestFactory

from econweb.serving import admission, refusals
from tests.dashboard.reading import alert


class TricklingRequest(HttpRequest):
    """Its body is there when the gate opens."""

    def __init__(self, gate: Event, reading: Event, client: int = 0) -> None:
        super().__init__()
        self.META["REMOTE_ADDR"] = f"192.0.2.{client}"
        self.method, self.path_info = "POST", "/admin/login/"
        self.gate, self.reading = gate, reading

    @property
    def body(self) -> bytes:
        self.reading.set()
        assert self.gate.wait(30)
        return b""


@pytest.fixture
def gate() -> Iterator[Event]:
    opened = Event()
    yield opened
    opened.set()


def test_form_uploads_are_bounded_and_pages_continue(gate: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "MAX_FORM_UPLOADS", 1)
    answer = refusals.limit_form_uploads(lambda request: HttpResponse("done"))
    reading = Event()
    slow = Thread(target=answer, args=(TricklingRequest(gate, reading),))
    slow.start()
    assert reading.wait(30)

    refused = answer(RequestFactory().post("/admin/login/"))
    page = answer(RequestFactory().get("/"))
    gate.set()
    slow.join(30)
    accepted = answer(RequestFactory().post("/admin/login/"))

    assert (refused.status_code, page.status_code, accepted.status_code) == (503, 200, 200)
    assert int(refused["Retry-After"]) > 0
    assert b'role="alert"' in refused.content


def test_slow_form_uploads_leave_most_slots_to_pages(gate: Event) -> None:
    """A39: as many forms as there are places arrive at once, each of another client."""
    answer = refusals.limit_form_uploads(lambda request: HttpResponse("done"))
    outcomes: Queue[str] = Queue()

    class Reading(Event):
        def set(self) -> None:
            outcomes.put("read")

    def send(client: int) -> None:
        if answer(TricklingRequest(gate, Reading(), client)).status_code == 503:
            outcomes.put("refused")

    senders = [Thread(target=send, args=(client,)) for client in range(admission.MAX_CONCURRENT)]
    for sender in senders:
        sender.start()
    seen = [outcomes.get(timeout=30) for _ in senders]
    gate.set()
    for sender in senders:
        sender.join(30)

    assert 2 < seen.count("read") <= admission.MAX_CONCURRENT / 4


def test_form_upload_that_is_aborted_is_not_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(request: HttpRequest) -> bytes:
        raise UnreadablePostError

    monkeypatch.setattr(HttpRequest, "body", property(gone))
    answer = refusals.limit_form_uploads(lambda request: HttpResponse("done"))

    for _ in range(refusals.MAX_FORM_UPLOADS + 1):
        assert answer(RequestFactory().post("/admin/login/")).status_code == 400


@pytest.mark.django_db
def test_form_upload_that_is_too_large_is_refused_with_a_message(client: Client) -> None:
    answer = client.post("/admin/login/", {"username": "x" * 100_000})

    assert answer.status_code == 413
    assert answer["Connection"] == "close"
    assert "This form takes at most 64 KiB." in alert(answer)
