"""Watches: what each person follows, and which sources are therefore looked at."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from econweb.accounts.changes import PRIVATE, Edit, record_changes
from econweb.accounts.people import Person, account_of, of_person, of_same_people
from econweb.watching.filters import lets_through
from econweb.watching.models import Announcement, EndedWatch, Watch, WatchedSource

MAX_WATCHES = 500
# Different series, categories and releases of one person: in the longest case all are due at once, and others wait.
MAX_SOURCES = 2000
# Days between two looks at a source that somebody has just begun to follow, and the longest interval.
FIRST_INTERVAL, LAST_INTERVAL = 1.0, 7.0
# Sources that are locked at once.
BATCH = 500
# The kind of watches in the record of changes, which does not tell what a person follows.
KIND = "watch"
Source = tuple[str, str]


class TooManyWatches(Exception):
    """The person follows as many views as one may."""


class TooManySources(Exception):
    """The person would follow more different sources than one may."""


def find(person: str, target: str) -> Watch | None:
    return Watch.objects.filter(of_person(person), target=target).first()


def watches_of(person: str) -> QuerySet[Watch]:
    """Return what the person follows, the newest first."""
    return Watch.objects.filter(of_person(person)).order_by("-created", "-pk")


def find_ended(person: str, number: int) -> EndedWatch | None:
    return EndedWatch.objects.filter(of_person(person), pk=number).first()


def follow(person: Person, kind: str, target: str, sources: Iterable[Source], undo: int = 0) -> Watch:
    """Return the watch of the person for a view, which is one however often the person follows it.

    `undo` is the number of an ended watch of the view: the new one is as old, and has its news and those since its end.
    """
    now = timezone.now()
    with transaction.atomic():
        # The sources are locked first, by every function here: no two of them wait for each other.
        rows = _add_and_lock(sources)
        # The additions of one person follow each other, so that none of them counts too few.
        Watch.objects.select_for_update().filter(person=person.name).order_by("pk").first()
        if found := find(person.name, target):
            return found
        own = watches_of(person.name)
        if own.count() >= MAX_WATCHES:
            raise TooManyWatches
        all_sources = Q(watch__in=own.order_by()) | Q(pk__in=[row.pk for row in rows])
        if WatchedSource.objects.filter(all_sources).distinct().count() > MAX_SOURCES:
            raise TooManySources
        ended = EndedWatch.objects.filter(of_person(person.name), pk=undo, target=target).first()
        created, account = ended.created if ended else now, account_of(person.name)
        # One that an earlier person of the name left is nobody's.
        Watch.objects.filter(person=person.name, target=target).delete()
        watch = Watch.objects.create(person=person.name, account_id=account, kind=kind, target=target, created=created)
        watch.sources.set(rows)
        if ended:
            watch.news.set([*Announcement.objects.filter(pk__in=ended.news), *_find_missed(watch, ended.ended)])
            ended.delete()
        _settle(rows, now)
        _record(person, "followed", watch, None, {"since": watch.created.isoformat()})
    return watch


def _find_missed(watch: Watch, since: datetime) -> list[Announcement]:
    """Return the news since then that the filters let through, as far as facts are stored; notes of tags are not."""
    found = Announcement.objects.filter(source__watch=watch, confirmed__gte=since).prefetch_related("changedfact_set")
    return [
        one
        for one in found
        if len(facts := one.changedfact_set.all()) < one.facts or lets_through(watch.kind, watch.target, facts)
    ]


def unfollow(person: Person, number: int) -> EndedWatch | None:
    """End a watch of the person, and return what it was; None if there is none of this number."""
    with transaction.atomic():
        watch = watches_of(person.name).filter(pk=number).first()
        if watch is None:
            return None
        rows, now = _lock_sources(watch.sources.values_list("pk", flat=True)), timezone.now()
        news = list(watch.news.values_list("pk", flat=True))
        deleted, _ = Watch.objects.filter(pk=number).delete()
        if not deleted:
            # Another window was faster.
            return None
        ended = EndedWatch.objects.create(
            person=watch.person,
            account=watch.account_id,
            target=watch.target,
            created=watch.created,
            ended=now,
            news_json=json.dumps(news),
        )
        _settle(rows, now)
        _record(person, "stopped following", watch, {"since": watch.created.isoformat()}, None)
    return ended


def settle_all() -> int:
    """Give a place in the queue to the sources that somebody follows, and to no other one.

    It ends the looks for people who have left, begins those of people who are back, and starts again where the site
    asks another service. Return the number of changes.
    """
    begin = Q(_is_followed(), Q(due=None) | ~Q(service=settings.ECON_BASE_URL))
    wrong = begin | Q(~_is_followed(), due__isnull=False)
    ids = list(WatchedSource.objects.filter(wrong).order_by("pk").values_list("pk", flat=True))
    changes = 0
    for start in range(0, len(ids), BATCH):
        with transaction.atomic():
            changes += _settle(_lock_sources(ids[start : start + BATCH]), timezone.now())
    return changes


def _is_followed() -> Q:
    return Q(Exists(Watch.objects.filter(of_same_people(), sources=OuterRef("pk"))))


def _add_sources(sources: Iterable[Source]) -> list[int]:
    """Return the rows of the sources. They are added in one order, so that no two additions wait for each other."""
    wanted = sorted(set(sources))
    new = [
        WatchedSource(kind=kind, key=key, service=settings.ECON_BASE_URL, interval=FIRST_INTERVAL)
        for kind, key in wanted
    ]
    WatchedSource.objects.bulk_create(new, ignore_conflicts=True)
    named = Q(pk__in=[])
    for kind in {kind for kind, _ in wanted}:
        named |= Q(kind=kind, key__in=[key for of, key in wanted if of == kind])
    return list(WatchedSource.objects.filter(named).values_list("pk", flat=True))


def _add_and_lock(sources: Iterable[Source]) -> list[WatchedSource]:
    wanted = set(sources)
    while True:
        rows = _lock_sources(_add_sources(wanted))
        # Between the two statements, a row that nobody followed may have been removed.
        if len(rows) == len(wanted):
            return rows


def _lock_sources(ids: Iterable[int]) -> list[WatchedSource]:
    return list(WatchedSource.objects.select_for_update().filter(pk__in=list(ids)).order_by("pk"))


def _settle(rows: list[WatchedSource], now: datetime) -> int:
    """Begin or end the looks at locked sources; return how many have changed."""
    service = settings.ECON_BASE_URL
    of_rows = WatchedSource.objects.filter(_is_followed(), pk__in=[row.pk for row in rows])
    followed = set(of_rows.values_list("pk", flat=True))
    begun = [row for row in rows if row.pk in followed and (row.due is None or row.service != service)]
    ended = [row for row in rows if row.pk not in followed and row.due is not None]
    # What another service says, or what was long ago, is no change that somebody waits for.
    oldest = now - timedelta(days=LAST_INTERVAL)
    forgotten = [row for row in begun if row.service != service or row.state_at is None or row.state_at < oldest]
    _update(begun, due=now, interval=FIRST_INTERVAL, failures=0, failure="")
    _update(ended, due=None)
    nothing = dict.fromkeys(("state", "state_at", "candidate", "candidate_at", "held_until"))
    _update(forgotten, service=service, holder="", **nothing)
    return len(begun) + len(ended)


def _update(rows: list[WatchedSource], **values: object) -> None:
    if rows:
        WatchedSource.objects.filter(pk__in=[row.pk for row in rows]).update(**values)


def _record(
    person: Person, verb: str, watch: Watch, before: dict[str, str] | None, after: dict[str, str] | None
) -> None:
    record_changes(person.name, verb, [Edit(KIND, str(watch.pk), PRIVATE, before, after)])
