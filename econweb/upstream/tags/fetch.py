"""Fetch all tags of a category or release: pages of 1000 until a short one, after which the service counts no more."""

from dataclasses import dataclass, field
from functools import partial

import structlog

from econweb.redaction import redact
from econweb.upstream.client import EconClient
from econweb.upstream.clock import Deadline
from econweb.upstream.records import FetchedTags, Tag, TagsReply, total_series
from econweb.upstream.replies.decode import decode_tags
from econweb.upstream.tags.partial_pages import PartialPages

ROWS_PER_REQUEST = 1000
MAX_REQUESTS = 20
# A service that ignores `limit` may send more rows with each reply.
MAX_FETCHED_ROWS = MAX_REQUESTS * ROWS_PER_REQUEST
# A set that took longer to fetch gets a warning, because the service may have changed meanwhile.
MAX_FETCH_SECONDS = 60.0
# The order that changes least between two requests.
_ORDER = {"order_by": "name", "sort_order": "asc"}
_ECHOES = ("realtime_start", "realtime_end", "order_by", "sort_order", "offset", "limit")
log = structlog.get_logger("econweb.upstream")


@dataclass
class _CollectedTags:
    """The tags and warnings of the pages read so far."""

    tags: dict[tuple[str, str], Tag] = field(default_factory=dict)
    rows: int = 0
    warnings: dict[str, None] = field(default_factory=dict)
    requested: dict[str, str] = field(default_factory=dict)
    echoed: dict[str, str] = field(default_factory=dict)
    # True if the service may have more tags than were read.
    is_truncated: bool = False

    def add(self, reply: TagsReply) -> bool:
        """Return whether any tag was new. If a tag comes twice, the first one counts."""
        before = len(self.tags)
        tags = reply.tags[: MAX_FETCHED_ROWS - self.rows]
        self.is_truncated = len(tags) < len(reply.tags)
        for tag in tags:
            self.tags.setdefault((tag.name, tag.group_id), tag)
        self.rows += len(tags)
        if len(self.tags) - before < len(tags):
            self.warn("The data provider sent some tags more than once; the first of each is shown.")
        return len(self.tags) > before

    def warn(self, message: str) -> None:
        self.warnings.setdefault(message)

    def compare_echo(self, requested: dict[str, str], reply: TagsReply) -> None:
        """Note the echo. Nothing depends on it, but users see where it differs."""
        for name in _ECHOES:
            echo = getattr(reply, name)
            is_changed = self.echoed.get(name) != self.requested.get(name)
            if echo is not None and name in requested and not is_changed:
                self.requested[name], self.echoed[name] = requested[name], redact(str(echo))[:50]


def fetch_tags(
    client: EconClient, endpoint: str, parameters: dict[str, str], deadline: Deadline, pages: PartialPages
) -> FetchedTags:
    """Fetch all pages; `parameters` name the category or release, and any search text or period."""
    collected = _CollectedTags()
    first: TagsReply | None = None
    for number in range(MAX_REQUESTS):
        requested = parameters | _ORDER | {"limit": str(ROWS_PER_REQUEST), "offset": str(collected.rows)}
        reply = pages.get_page(number, partial(_request_page, client, endpoint, requested, deadline))
        if first is None:
            first = reply
            # Midnight may pass between two pages, and all of them need one period.
            parameters = parameters | _period_of(reply)
        has_new = collected.add(reply)
        collected.compare_echo(requested, reply)
        _compare_replies(collected, reply, first)
        if collected.is_truncated or _is_last(collected, reply):
            break
        if not has_new:
            collected.warn("The data provider sent the same tags again and again; there may be more than these.")
            collected.is_truncated = True
            break
    else:
        # A lower count may be that of the rows of each reply.
        collected.is_truncated = reply.count != collected.rows
    pages.forget()
    if (seconds := pages.seconds()) > MAX_FETCH_SECONDS:
        collected.warn(f"The first of these tags were read {seconds:.0f} seconds before the last.")
    return _build_set(collected, first or reply, parameters)


def _request_page(client: EconClient, endpoint: str, parameters: dict[str, str], deadline: Deadline) -> TagsReply:
    return decode_tags(client.get(endpoint, parameters, deadline), client.file_type)


def _build_set(collected: _CollectedTags, first: TagsReply, parameters: dict[str, str]) -> FetchedTags:
    tags = tuple(collected.tags.values())
    if collected.is_truncated:
        collected.warn(f"There are more tags than the {len(tags):,} that were read.")
    is_whole = not collected.is_truncated and "search_text" not in parameters
    fetched = FetchedTags(
        realtime_start=first.realtime_start,
        realtime_end=first.realtime_end,
        tags=tags,
        series=total_series([(tag.group_id, tag.series_count) for tag in tags]) if is_whole else None,
        warnings=tuple(collected.warnings),
        is_truncated=collected.is_truncated,
        requested=collected.requested,
        echoed=collected.echoed,
    )
    for message in (*fetched.differences(), *fetched.warnings):
        log.warning("the tags differ from what was asked", words=message)
    return fetched


def _is_last(collected: _CollectedTags, reply: TagsReply) -> bool:
    """A short page may be followed by more; an empty one is the last, whatever the service counts."""
    if len(reply.tags) >= _page_size(reply):
        return False
    return not reply.tags or (reply.count or 0) <= collected.rows


def _page_size(reply: TagsReply) -> int:
    """Return the limit in the service's echo, which may be smaller than the requested one."""
    limit = reply.limit or ROWS_PER_REQUEST
    return limit if 0 < limit < ROWS_PER_REQUEST else ROWS_PER_REQUEST


def _period_of(reply: TagsReply) -> dict[str, str]:
    return {"realtime_start": str(reply.realtime_start), "realtime_end": str(reply.realtime_end)}


def _compare_replies(collected: _CollectedTags, reply: TagsReply, first: TagsReply) -> None:
    if (reply.realtime_start, reply.realtime_end) != (first.realtime_start, first.realtime_end):
        collected.warn("The data provider changed the real-time period while its pages were read.")
    if reply.count != first.count:
        collected.warn("The data provider changed the number of tags while its pages were read.")
    # The contract leaves open whether `count` counts rows or matches.
    if _is_last(collected, reply) and reply.count not in {None, len(reply.tags), collected.rows}:
        collected.warn(f"The data provider counts {reply.count:,} tags and sent {collected.rows:,}.")
