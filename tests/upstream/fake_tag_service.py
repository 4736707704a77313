"""A service that lists tags by the contract, or with one habit of its own."""

import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from econweb.upstream.client import EconClient
from econweb.upstream.clock import Deadline
from econweb.upstream.records import FetchedTags
from econweb.upstream.tags.fetch import fetch_tags
from econweb.upstream.tags.partial_pages import PartialPages
from econweb.upstream.tags.tag_set import TagSet
from tests.upstream.client_calls import A_BUSY_MACHINE, KEY, a_client, a_store
from tests.upstream.raw_server import Peer, http, listening
from tests.upstream.sample_replies import a_tag, a_tags_reply, as_json

Reply = dict[str, Any]
# Bytes are sent as they are.
Habit = Callable[[Reply, dict[str, str], int], Reply | bytes]


def as_it_is(reply: Reply, asked: dict[str, str], number: int) -> Reply:
    return reply


def changed(**changes: Any) -> Habit:
    return lambda reply, asked, number: {**reply, **changes}


class ListingService:
    """`habit` gets the honest reply, what was asked, and how many requests came before."""

    def __init__(self, size: int, habit: Habit = as_it_is) -> None:
        self.tags = [a_tag(name=f"tag {number:05}", series_count=number) for number in range(size)]
        self.habit = habit
        self.asked: list[dict[str, str]] = []

    def answers(self, peer: Peer) -> None:
        """Answer all further requests to the peer."""

        def behaviour(connection: socket.socket) -> None:
            connection.sendall(self._answer(peer.requests[-1]))

        peer.will(behaviour)

    def _answer(self, request: str) -> bytes:
        asked = dict(parse_qsl(urlsplit(request.split()[1]).query))
        offset, limit = int(asked["offset"]), int(asked["limit"])
        reply = a_tags_reply(*self.tags[offset : offset + limit], count=len(self.tags), offset=offset, limit=limit)
        answer = self.habit(reply, asked, len(self.asked))
        self.asked.append(asked)
        return answer if isinstance(answer, bytes) else http(as_json(answer))


def fetched(service: ListingService, **parameters: str) -> FetchedTags:
    """Fetch the tags; check that it takes no longer than it may, shows no address, and leaves the next fetch intact."""
    with listening() as peer:
        service.answers(peer)
        client = a_client(peer.url, timeout=10)
        begun = time.monotonic()
        found = listed(client, **parameters)
        assert time.monotonic() - begun <= 1.1 * client.timeout + A_BUSY_MACHINE
        assert all(KEY not in words and "://" not in words for words in told(found))

        goes_on(peer, client)
        return found


def listed(client: EconClient, **parameters: str) -> FetchedTags:
    pages = PartialPages(a_store(), "x", client.api_key)
    source = {"category_id": "125", **parameters}
    return fetch_tags(client, "category/tags", source, Deadline(client.timeout), pages)


def told(found: FetchedTags) -> tuple[str, ...]:
    """Return the warnings that users of the set see."""
    return TagSet(found).warnings


def goes_on(peer: Peer, client: EconClient) -> None:
    ListingService(3).answers(peer)
    after = listed(client)

    assert (len(after.tags), told(after), after.is_truncated) == (3, (), False)
