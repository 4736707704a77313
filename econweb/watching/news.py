"""Read the news: the announcements of sources, of a person or of everybody, in the words of pages, feeds and mails."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import Left, RowNumber
from django.urls import reverse
from django.utils import timezone

from econweb.upstream.queries import group_label
from econweb.watching.filters import GROUP_ID, choose_shown, has_filters
from econweb.watching.models import (
    BACK,
    CHANGED,
    DISCONTINUED,
    GONE,
    PRESENCE,
    RENAMED,
    SERIES,
    Announcement,
    ChangedFact,
)
from econweb.watching.watches import watches_of

# The kinds of news, as people read them.
KINDS = {CHANGED: "Changed", RENAMED: "Renamed", DISCONTINUED: "Discontinued", GONE: "Gone", BACK: "Back"}
# Lines of one announcement, and the characters of each value.
MAX_LINES, MAX_VALUE = 20, 300
# Returns the name of each source, which is a kind and a key.
NameSources = Callable[[Iterable[tuple[str, str]]], Mapping[tuple[str, str], str]]


@dataclass(frozen=True)
class NewsLine:
    """One changed fact as people read it; a value is None where there was or is nothing. A sentence has no values."""

    what: str
    before: str | None = None
    after: str | None = None

    @property
    def is_sentence(self) -> bool:
        return self.before is None and self.after is None

    def __str__(self) -> str:
        if self.is_sentence:
            return self.what
        if self.before is None or self.after is None:
            value = self.after if self.before is None else self.before
            words = "new" if self.before is None else "gone"
            return f"{self.what}: {words}{f', “{value}”' if value else ''}"
        return f"{self.what}: “{self.before}” → “{self.after}”"


@dataclass(frozen=True)
class NewsItem:
    """One announcement: what happened to which source, when it was seen, and when a second look confirmed it."""

    id: int
    kind: str
    source: tuple[str, str]
    name: str
    before: datetime
    seen: datetime
    confirmed: datetime
    lines: tuple[NewsLine, ...]
    # All facts that changed, also those without a line here; for a person, those of the filters.
    count: int

    @property
    def words(self) -> str:
        return KINDS.get(self.kind, self.kind.capitalize())

    @property
    def title(self) -> str:
        return f"{self.name}: {self.words.lower()}"

    @property
    def more(self) -> int:
        """Return the number of facts without a line; 0 where none are stored."""
        return max(0, self.count - len(self.lines)) if self.lines else 0

    @property
    def link(self) -> str:
        return link_of_source(*self.source)

    @property
    def comparison(self) -> str:
        """Return the comparison of the last day surely in the former state with today; empty where one is not known."""
        # The embedded service has no dates of tags: on a past day, a series has the tags of today.
        has_past = self.source[0] == SERIES or bool(settings.ECON_BASE_URL)
        if self.kind in {GONE, BACK} or not has_past:
            return ""
        # The service knows days: a change after the look of `before` may count for that whole day.
        source, day = ":".join(self.source), timezone.localdate(self.before) - timedelta(days=1)
        query = urlencode({"a": f"{source}@{day}", "b": source}, safe=":@")
        return f"{reverse('compare')}?{query}"


def link_of_source(kind: str, key: str) -> str:
    """Return the page of a source as it is now."""
    return reverse("series", args=[key]) if kind == SERIES else reverse("tags", args=[kind, int(key)])


def find_news(sources: Collection[tuple[str, str]] | None = None, person: str | None = None) -> QuerySet[Announcement]:
    """Return the news of everything, of some sources, or of what a person follows; the newest come first."""
    found = Announcement.objects.order_by("-pk")
    if person is not None:
        # One may belong to several watches of one person.
        own = Announcement.objects.filter(watch__in=watches_of(person).order_by())
        found = found.filter(pk__in=own.order_by().values("pk"))
    if sources is not None:
        wanted = Q(pk__in=[])
        for kind, key in sources:
            wanted |= Q(source__kind=kind, source__key=key)
        found = found.filter(wanted)
    return found


def read_items(found: Iterable[Announcement], name_sources: NameSources, person: str | None = None) -> list[NewsItem]:
    """Return the announcements with their lines and the names of their sources, in the same order.

    For a person, the lines are those that the filters of what the person follows show.
    """
    announcements = list(found.select_related("source") if isinstance(found, QuerySet) else found)
    ids = [one.pk for one in announcements]
    shown = _find_shown({one.pk: one.facts for one in announcements}, person) if person is not None else {}
    lines = _read_lines(ids, shown)
    sources = [(one.source.kind, one.source.key) for one in announcements]
    names = name_sources(sources)
    return [
        NewsItem(
            id=one.pk,
            kind=one.kind,
            source=source,
            name=names[source],
            before=one.before,
            seen=one.seen,
            confirmed=one.confirmed,
            lines=tuple(lines[one.pk]),
            count=len(shown[one.pk]) if one.pk in shown else one.facts,
        )
        for one, source in zip(announcements, sources, strict=True)
    ]


def _find_shown(counts: dict[int, int], person: str) -> dict[int, list[int]]:
    """Return the ids of the facts to show, by announcement, where each watch that has it has filters.

    An announcement with more facts than are stored is left out: nobody knows which of them the filters show.
    """
    watches: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    found = watches_of(person).order_by().filter(news__in=counts)
    for announcement, kind, target in found.values_list("news", "kind", "target"):
        watches[announcement].append((kind, target))
    filtered = [pk for pk, views in watches.items() if all(has_filters(*view) for view in views)]
    facts = ChangedFact.objects.filter(announcement__in=filtered).order_by("announcement_id", "pk").iterator()
    shown = {}
    for announcement, of_one in groupby(facts, lambda fact: fact.announcement_id):
        stored = list(of_one)
        if len(stored) == counts[announcement]:
            shown[announcement] = sorted(
                {fact.pk for view in watches[announcement] for fact in choose_shown(*view, stored)}
            )
    return shown


def _read_lines(ids: list[int], shown: Mapping[int, list[int]]) -> dict[int, list[NewsLine]]:
    """Return the first lines of each announcement; long values are cut where they are stored."""
    whole = Q(announcement__in=[pk for pk in ids if pk not in shown])
    wanted = whole | Q(pk__in=[pk for facts in shown.values() for pk in facts[:MAX_LINES]])
    place = Window(RowNumber(), partition_by=[F("announcement_id")], order_by=[F("pk").asc()])
    rows = (
        ChangedFact.objects.filter(wanted)
        .annotate(place=place, old=Left("before", MAX_VALUE + 1), new=Left("after", MAX_VALUE + 1))
        .filter(place__lte=MAX_LINES)
        .order_by("announcement_id", "pk")
        .values_list("announcement_id", "name", "group", "field", "old", "new")
    )
    lines: defaultdict[int, list[NewsLine]] = defaultdict(list)
    for announcement, name, group, field, old, new in rows:
        lines[announcement].append(_write_line(name, group, field, _cut(old), _cut(new)))
    return lines


def _write_line(name: str, group: str, field: str, before: str | None, after: str | None) -> NewsLine:
    if field == PRESENCE and not name:
        return NewsLine("The provider no longer has it." if after is None else "The provider has it again.")
    if field == GROUP_ID:
        return NewsLine(f"Tag {name}, group", before and group_label(before), after and group_label(after))
    return NewsLine(_describe(name, group, field), before, after)


def _describe(name: str, group: str, field: str) -> str:
    words = "" if field == PRESENCE else field.replace("_", " ")
    tag = f"tag {name}{f' ({group_label(group)})' if group else ''}" if name else ""
    # The first letter alone: the rest may be a name.
    text = ", ".join(filter(None, (tag, words)))
    return text[:1].upper() + text[1:]


def _cut(text: str | None) -> str | None:
    return f"{text[:MAX_VALUE]}…" if text and len(text) > MAX_VALUE else text


def drop_unprintable(text: str) -> str:
    """Return the text without the characters that neither XML nor mails may have."""
    return "".join(sign for sign in text if sign in "\t\n" or ((sign.isprintable() or sign.isspace()) and sign >= " "))
