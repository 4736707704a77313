"""The tags of the catalogue for the index of tags: catalogue and index do not import each other.

A request to the embedded service for each owner would take several times as long.
"""

from functools import lru_cache

from django.utils import timezone

from econweb.catalogue.answers import queries, snapshot
from econweb.catalogue.models import Tag
from econweb.catalogue.parameters import BadRequest, Period
from econweb.search_index.tags.blocks import OwnerTags, TagFacts
from econweb.upstream import clock
from econweb.upstream.errors import NotFound, Unavailable
from econweb.upstream.records import total_series


def read_tags(kind: str, number: int) -> OwnerTags:
    """Return the tags that a category or release has today; raise what the service would."""
    today = timezone.localdate()
    period = Period(today, today)
    try:
        edition, found = snapshot.consistent_read(lambda edition: queries.count_tags(edition, kind, number, period))
    except BadRequest as error:
        raise NotFound(str(error), is_explicit=True) from None
    except snapshot.FormatMismatch as error:
        raise Unavailable(str(error)) from None
    # `total_series` needs the largest count, and the counts of two groups.
    of_groups = [("", max(found.values(), default=0))]
    for group in ("freq", "seas"):
        of_groups += [(group, found[tag]) for tag in edition.in_group.get(group, ()) if tag in found]
    return OwnerTags(found, _facts(edition.identity), total_series(of_groups), clock.utc_now())


@lru_cache(maxsize=1)
def _facts(_identity: str) -> dict[int, TagFacts]:
    """Return what is the same for all owners, for each tag of a catalogue by its number."""
    rows = Tag.objects.values_list("number", *TagFacts._fields)
    return {number: TagFacts(*facts) for number, *facts in rows}
