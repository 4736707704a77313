"""The tags of the catalogue for the index of tags: catalogue and index do not import each other.

A request to the embedded service for each owner would take four times as long.
"""

from datetime import UTC, datetime
from functools import lru_cache

from django.utils import timezone

from econweb.catalogue.answers import queries, snapshot
from econweb.catalogue.models import Tag
from econweb.catalogue.parameters import BadRequest, Period, TagParameters
from econweb.search_index.tags.blocks import OwnerTags, TagFacts
from econweb.upstream import clock
from econweb.upstream.errors import NotFound, Unavailable
from econweb.upstream.records import total_series

# More tags than any owner has.
ALL = 10**9


def read_tags(kind: str, number: int) -> OwnerTags:
    """Return the tags that a category or release has today; raise what the service would."""
    today = timezone.localdate()
    asked = TagParameters(Period(today, today), None, None, None, ALL, 0, "series_count", "desc")
    try:
        edition, found = snapshot.consistent_read(lambda edition: queries.tags(edition, kind, number, asked))
    except BadRequest as error:
        raise NotFound(str(error)) from None
    except snapshot.FormatMismatch as error:
        raise Unavailable(str(error)) from None
    names, facts = _tags_of(edition.identity)
    counts = {names[tag]: count for tag, count in found.page}
    # The largest count comes first. Of the others only these two groups matter.
    of_groups = [("", count) for _, count in found.page[:1]]
    for group in ("freq", "seas"):
        tags = edition.in_group.get(group, ())
        of_groups += [(group, counts[names[tag]]) for tag in tags if names[tag] in counts]
    return OwnerTags(counts, facts, total_series(of_groups), datetime.fromtimestamp(clock.now(), UTC))


@lru_cache(maxsize=1)
def _tags_of(_identity: str) -> tuple[list[str], dict[str, TagFacts]]:
    """Return the names of a catalogue's tags by number, and what is the same for all owners."""
    rows = list(Tag.objects.order_by("number").values_list("name", *TagFacts._fields))
    return [name for name, *_ in rows], {name: TagFacts(*facts) for name, *facts in rows}
