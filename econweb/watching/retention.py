"""Remove what nobody needs any more, in batches: old news, ended watches and idle sources (docs/deploy.md)."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from econweb.watching.models import Announcement, EndedWatch, Watch, WatchedSource
from econweb.watching.watches import LAST_INTERVAL

NEWS_AGE = timedelta(days=365)
# An end is taken back within this time.
ENDED_AGE = timedelta(days=1)
# A person who comes back before then finds the former state (econweb/watching/watches.py).
SOURCE_AGE = timedelta(days=LAST_INTERVAL)
# Rows that are removed, and locked, at once.
BATCH = 500


def remove_old(now: datetime) -> int:
    """Remove old news and ended watches, then the sources without news that nobody follows; return their number."""
    followed, told = Watch.objects.filter(sources=OuterRef("pk")), Announcement.objects.filter(source=OuterRef("pk"))
    is_old = Q(state_at=None) | Q(state_at__lt=now - SOURCE_AGE)
    sources = WatchedSource.objects.filter(is_old, ~Exists(followed), ~Exists(told), due=None)
    old_news = Announcement.objects.filter(confirmed__lt=now - NEWS_AGE)
    ended = EndedWatch.objects.filter(ended__lt=now - ENDED_AGE)
    return sum(_remove(rows) for rows in (old_news, ended, sources))


def _remove(rows: QuerySet[Any]) -> int:
    removed = 0
    while ids := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            # Somebody may follow a source at this moment, and locks it first, in the same order.
            of_batch = rows.model.objects.filter(pk__in=ids)
            list(of_batch.select_for_update().order_by("pk").values_list("pk", flat=True))
            _, by_table = rows.filter(pk__in=ids).delete()
            removed += by_table.get(rows.model._meta.label, 0)
    return removed
