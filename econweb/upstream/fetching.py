"""One source read whole: pages of 1000 until a short one behind which the service counts no more."""

from dataclasses import dataclass, field
from functools import partial

import structlog

from econweb.upstream.client import EconClient
from econweb.upstream.clock import Deadline
from econweb.upstream.pages_read import PagesRead
from econweb.upstream.records import Tag, TagsReply
from econweb.upstream.redaction import redacted
from econweb.upstream.replies import tags_reply
from econweb.upstream.tag_sets import FetchedTags, series_in_all

ROWS_OF_A_REQUEST = 1000
MOST_REQUESTS = 20
# A service that does not keep to the limit may send more with each.
MOST_ROWS = MOST_REQUESTS * ROWS_OF_A_REQUEST
# A set that took longer is no picture of one moment, and its readers are told.
MOMENT_SECONDS = 60.0
# The order that moves least while pages are turned.
_ORDER = {"order_by": "name", "sort_order": "asc"}
_ECHOES = ("realtime_start", "realtime_end", "order_by", "sort_order", "offset", "limit")
log = structlog.get_logger("econweb.upstream")


@dataclass
class _Reading:
    """What has been read so far."""

    tags: dict[tuple[str, str], Tag] = field(default_factory=dict)
    rows: int = 0
    warnings: dict[str, None] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    echoed: dict[str, str] = field(default_factory=dict)
    # More may be there than was read.
    cut: bool = False

    def add(self, reply: TagsReply) -> bool:
        """Whether anything was new. Of a tag that comes twice the first one counts."""
        before = len(self.tags)
        tags = reply.tags[: MOST_ROWS - self.rows]
        self.cut = len(tags) < len(reply.tags)
        for tag in tags:
            self.tags.setdefault((tag.name, tag.group_id), tag)
        self.rows += len(tags)
        if len(self.tags) - before < len(tags):
            self.warn("The service sent some tags more than once; the first of each is shown.")
        return len(self.tags) > before

    def warn(self, words: str) -> None:
        self.warnings.setdefault(words)

    def note(self, asked: dict[str, str], reply: TagsReply) -> None:
        """Spec 4.5 rule 1; nothing that is shown rests on the echo, but a reader may want to know."""
        for name in _ECHOES:
            echo = getattr(reply, name)
            differs = self.echoed.get(name) != self.asked.get(name)
            if echo is not None and name in asked and not differs:
                self.asked[name], self.echoed[name] = asked[name], redacted(str(echo))[:50]


def fetch_tags(
    client: EconClient, endpoint: str, parameters: dict[str, str], deadline: Deadline, pages: PagesRead
) -> FetchedTags:
    """Spec 4.5; `parameters` name the source, and the words or the period if there are any."""
    reading = _Reading()
    first: TagsReply | None = None
    for number in range(MOST_REQUESTS):
        asked = parameters | _ORDER | {"limit": str(ROWS_OF_A_REQUEST), "offset": str(reading.rows)}
        reply = pages.page(number, partial(_asked, client, endpoint, asked, deadline))
        if first is None:
            first = reply
            # Midnight may pass between two pages, and a listing has one period.
            parameters = parameters | _period_of(reply)
        progress = reading.add(reply)
        reading.note(asked, reply)
        _compare(reading, reply, first)
        if reading.cut or _is_last(reading, reply):
            break
        if not progress:
            reading.warn("The service sent the same tags again and again; there may be more than these.")
            reading.cut = True
            break
    else:
        reading.cut = True
    pages.forget()
    if (seconds := pages.seconds()) > MOMENT_SECONDS:
        reading.warn(f"The first of these tags were read {seconds:.0f} seconds before the last.")
    return _finished(reading, first or reply, parameters)


def _asked(client: EconClient, endpoint: str, asked: dict[str, str], deadline: Deadline) -> TagsReply:
    return tags_reply(client.get(endpoint, asked, deadline), client.file_type)


def _finished(reading: _Reading, first: TagsReply, parameters: dict[str, str]) -> FetchedTags:
    tags = tuple(reading.tags.values())
    if reading.cut:
        reading.warn(f"There are more tags than the {len(tags):,} that were read.")
    whole = not reading.cut and "search_text" not in parameters
    fetched = FetchedTags(
        realtime_start=first.realtime_start,
        realtime_end=first.realtime_end,
        tags=tags,
        series=series_in_all(tags) if whole else None,
        warnings=tuple(reading.warnings),
        cut=reading.cut,
        asked=reading.asked,
        echoed=reading.echoed,
    )
    for words in (*fetched.differences(), *fetched.warnings):
        log.warning("a listing differs from what was asked", words=words)
    return fetched


def _is_last(reading: _Reading, reply: TagsReply) -> bool:
    """A page may be short although there are more; an empty one is the last, whatever is counted."""
    if len(reply.tags) >= _full_page(reply):
        return False
    return not reply.tags or (reply.count or 0) <= reading.rows


def _full_page(reply: TagsReply) -> int:
    """A service may have a smaller limit of its own, and says so in its echo."""
    limit = reply.limit or ROWS_OF_A_REQUEST
    return limit if 0 < limit < ROWS_OF_A_REQUEST else ROWS_OF_A_REQUEST


def _period_of(reply: TagsReply) -> dict[str, str]:
    return {"realtime_start": str(reply.realtime_start), "realtime_end": str(reply.realtime_end)}


def _compare(reading: _Reading, reply: TagsReply, first: TagsReply) -> None:
    if (reply.realtime_start, reply.realtime_end) != (first.realtime_start, first.realtime_end):
        reading.warn("The service changed the real-time period while its pages were read.")
    if reply.count != first.count:
        reading.warn("The service changed the number of tags while its pages were read.")
    # Spec 4.5 rule 4 leaves open whether `count` counts rows or matches.
    if _is_last(reading, reply) and reply.count not in {None, len(reply.tags), reading.rows}:
        reading.warn(f"The service counts {reply.count:,} tags and sent {reading.rows:,}.")
