"""Ask the service what a watched source is now; only a complete and new reply counts."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from econweb.upstream import clock, service
from econweb.upstream.errors import BadReply, NotFound
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import Freshness
from econweb.watching.facts import ABSENT, Facts, series_facts, tag_facts
from econweb.watching.models import SERIES

# A cached answer of this age came from the service a moment ago, for a user; no other one counts as a look.
MAX_AGE = timedelta(minutes=2)


class AskedElsewhere(Exception):
    """Another process asks the service for the same source."""


class Reply(NamedTuple):
    """The facts of a source, when the service sent them, and whether they are surely what it holds."""

    facts: Facts
    at: datetime
    is_sure: bool = False


# Takes kind and key of a source; raises an UpstreamError or AskedElsewhere where nothing certain is known.
Ask = Callable[[str, str], Reply]


def ask_service(kind: str, key: str) -> Reply:
    now = clock.utc_now()
    try:
        facts, freshness = _ask_series(key) if kind == SERIES else _ask_tags(kind, int(key))
    except NotFound as error:
        if not error.is_explicit:
            # A proxy in front of the service may say so.
            raise
        return Reply(ABSENT, now, is_sure())
    if freshness.fetched < now - MAX_AGE:
        raise AskedElsewhere
    return Reply(facts, freshness.fetched, is_sure())


def is_sure() -> bool:
    """Return whether the service is the embedded one, which no network or proxy makes wrong."""
    return not settings.ECON_BASE_URL


def _ask_series(series_id: str) -> tuple[Facts, Freshness]:
    page = service.series_in_background(SeriesQuery(series_id))
    # Where its last record has ended, a service may know the id and send an empty list.
    facts = series_facts(page.reply.seriess[-1]) if page.reply.seriess else ABSENT
    return facts, page.freshness


def _ask_tags(kind: str, number: int) -> tuple[Facts, Freshness]:
    page = service.tags_in_background(kind, number)
    if page.is_doubtful:
        raise BadReply("The data provider's reply is not complete.")
    return tag_facts(page.all_tags), page.freshness
