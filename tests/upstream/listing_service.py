"""A service behind WSGI that lists tags by the contract, or with one habit of its own."""

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl
from wsgiref.types import StartResponse, WSGIEnvironment

from econweb.upstream.client import EconClient
from econweb.upstream.exchange import new_session
from econweb.upstream.in_process import WSGIAdapter
from tests.upstream.asking import a_client
from tests.upstream.replies_of_a_peer import a_tag, a_tags_reply, as_json

Reply = dict[str, Any]
Habit = Callable[[Reply, dict[str, str], int], Reply]


def as_it_is(reply: Reply, asked: dict[str, str], number: int) -> Reply:
    return reply


class ListingService:
    """`habit` gets the honest reply, what was asked, and how many requests came before."""

    def __init__(self, size: int, habit: Habit = as_it_is) -> None:
        self.tags = [a_tag(name=f"tag {number:05}", series_count=number) for number in range(size)]
        self.habit = habit
        self.asked: list[dict[str, str]] = []

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        asked = dict(parse_qsl(environ["QUERY_STRING"]))
        offset, limit = int(asked["offset"]), int(asked["limit"])
        reply = a_tags_reply(
            *self.tags[offset : offset + limit], count=len(self.tags), offset=offset, limit=limit
        )
        reply = self.habit(reply, asked, len(self.asked))
        self.asked.append(asked)
        start_response("200 OK", [("Content-Type", "application/json")])
        return [as_json(reply)]

    def client(self, per_minute: int | None = None) -> EconClient:
        session = new_session()
        session.mount("http+wsgi://", WSGIAdapter(self))
        return a_client("http+wsgi://service.invalid", timeout=10, session=session, per_minute=per_minute)
