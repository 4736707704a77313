"""The category or release of a frozen copy: the tag page shows it as it shows a live one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import msgspec
from django.http import HttpRequest
from django.utils.functional import cached_property

from econweb.accounts.people import Person
from econweb.dashboard.files.provenance import name_service
from econweb.dashboard.frozen.landing import Landing, actions_of, narrowing_query, route_for
from econweb.dashboard.frozen.selection import (
    asked_day,
    days_in_words,
    restriction_of,
)
from econweb.dashboard.frozen.titles import replace_filters, title_under, view_query
from econweb.dashboard.lookup.tag_owners import TagOwner
from econweb.dashboard.page_links import url_path, with_query
from econweb.dashboard.parameters import without_period
from econweb.dashboard.tags.forms import TagForm
from econweb.label_book.models import Label
from econweb.library.canonical import digest, write_lines
from econweb.library.copies import read_tags
from econweb.library.models import FrozenCopy
from econweb.upstream import service
from econweb.upstream.queries import TagQuery
from econweb.upstream.records import FetchedTags, TagPage, total_series
from econweb.word_beginnings import begins_words, searched_words


@dataclass(frozen=True)
class FrozenOwner(TagOwner):
    """An owner whose tags are those of a copy, at the address of the copy."""

    copy: FrozenCopy = field(kw_only=True)
    # None on public pages.
    person: Person | None = field(kw_only=True)
    is_live = False

    @property
    def route(self) -> str:
        return route_for(self.person)

    @property
    def actions(self) -> Mapping[str, str]:
        return actions_of(self.copy, self.person)

    def current(self) -> "FrozenOwner":
        return frozen_owner(FrozenCopy.objects.get(pk=self.copy.pk), self.person)

    def revision(self) -> object:
        copy = self.copy
        return super().revision(), copy.changed, copy.is_expired, list(self.actions)

    @cached_property
    def path(self) -> str:
        return url_path(self.route, self.copy.pk)

    @property
    def frozen_view(self) -> str:
        """Return the link to the rows that were frozen as the view, where they are not all."""
        return with_query(self.path, query) if (query := narrowing_query(self.copy)) else ""

    @cached_property
    def cited(self) -> TagQuery:
        """Return the query of the rows that were frozen as the view."""
        return view_query(self.copy)

    @cached_property
    def searched_text(self) -> str:
        return self.copy.search_text

    @cached_property
    def restriction(self) -> str:
        return restriction_of(self.searched_text)

    def asked_day(self, query: TagQuery) -> date | None:
        return asked_day(self.copy)

    def note_on_citation(self, query: TagQuery, page: TagPage) -> str:
        """Say that the citation is of the rows that were frozen as the view, where the page shows others."""
        copy, cited = self.copy, self.cited
        shown, frozen = ((one.tag_names, one.tag_group_id, one.search_text) for one in (query, cited))
        # Other filters may find the same rows; to compare many takes time.
        if shown == frozen or (page.count == copy.view_rows and {*page.matches} == {*self.tags(cited).matches}):
            return ""
        part = f"{copy.view_rows:,} of {copy.rows:,}" if copy.view_rows < copy.rows else f"all {copy.rows:,}"
        return f"The citation is of {part} rows, as they were frozen, and not of the rows that are shown here."

    def context(self, request: HttpRequest) -> dict[str, object]:
        return Landing(self.copy, self.person, request).context()

    @property
    def full_title(self) -> str:
        return f"{replace_filters(self.copy, self.cited, ())} · {days_in_words(self.copy)}"

    def heading(self, query: TagQuery) -> str:
        """Return the title of the copy with the filters of the rows that the page shows."""
        return title_under(self.copy, self.cited, query)

    @property
    def pack(self) -> str:
        return url_path(f"{self.route}_pack", self.copy.pk)

    @property
    def name_in_files(self) -> str:
        """Return no name: the files of copies that were frozen before they kept one never change, except on paper."""
        return ""

    @property
    def service_address(self) -> str:
        return self.copy.service

    @property
    def service_name(self) -> str:
        return name_service(self.copy.service, self.copy.is_sample)

    @property
    def has_similar(self) -> bool:
        return False

    def children(self) -> Sequence[Label]:
        return ()

    def tags(self, query: TagQuery, renew: bool = False) -> TagPage:
        return service.stored_tags(
            f"{self.copy.pk} {query.search_text}", lambda: self._load(query.search_text), query, self.copy.fetched
        )

    def _cached_tags(self, query: TagQuery) -> TagPage:
        return self.tags(query)

    def _load(self, search_text: str) -> FetchedTags:
        """Read the content; under a search, the tags where each word begins a word of the name or the notes."""
        fetched = read_tags(self.copy)
        words = searched_words(search_text)
        if not words or search_text == self.searched_text:
            # The service found these itself, perhaps by other rules.
            return fetched
        found = tuple(tag for tag in fetched.tags if begins_words(words, f"{tag.name} {tag.notes or ''}"))
        series = total_series([(tag.group_id, tag.series_count) for tag in found])
        return msgspec.structs.replace(fetched, tags=found, series=series)


def frozen_owner(copy: FrozenCopy, person: Person | None) -> FrozenOwner:
    """Return the owner that the copy's view is of, under its name at the freezing."""
    target: dict[str, Any] = copy.page.kwargs
    return FrozenOwner(target["kind"], target["number"], copy.owner_name, copy=copy, person=person)


def read_view(copy: FrozenCopy) -> tuple[int, str]:
    """Return the number and the digest of the rows of the view, or nothing if the copy has no valid view."""
    form = TagForm(without_period(copy.parameters))
    if form.errors:
        return 0, ""
    page = frozen_owner(copy, None).tags(form.query().replace(offset=0))
    return len(page.matches), digest(write_lines(page.matches))
