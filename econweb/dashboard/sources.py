"""A category or a release: what the service has tags of."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import cached_property

from econweb.dashboard.addresses import path_of
from econweb.dashboard.provenance import with_words
from econweb.shelf import labels
from econweb.upstream import service
from econweb.upstream.queries import TagQuery
from econweb.upstream.records import TagPage


@dataclass(frozen=True)
class Source:
    """Knows its address and its name, and where its tags come from."""

    kind: str
    number: int
    name: str = ""
    note: str = ""

    @property
    def title(self) -> str:
        return f"{self.kind.capitalize()} {self.number}"

    @property
    def full_title(self) -> str:
        return " · ".join(filter(None, (self.name, self.title)))

    @cached_property
    def path(self) -> str:
        return path_of(f"{self.kind}_tags", self.number)

    def link(self, query: TagQuery, **changes: Any) -> str:
        return with_words(self.path, query.link(**changes))

    def links(self, query: TagQuery, name: str, values: Iterable[Any]) -> list[str]:
        return [with_words(self.path, words) for words in query.links(name, values)]

    def tags(self, query: TagQuery, renew: bool = False) -> TagPage:
        ask = service.category_tags if self.kind == "category" else service.release_tags
        return ask(self.number, query, renew)

    def hidden_groups(self, query: TagQuery) -> tuple[str, ...]:
        """Under a search: groups of the whole list, as far as that is kept; nobody is asked for it."""
        whole = query.search_text and service.kept_tags(self.kind, self.number, query.without_filters())
        return tuple(whole.group_counts) if whole else ()

    def count_without_words(self, query: TagQuery) -> int | None:
        """Of the view without its words, as far as the whole list is kept; nobody is asked for it."""
        whole = service.kept_tags(self.kind, self.number, query.replace(search_text=""))
        return whole.count if whole else None


def source_of(kind: str, number: int) -> Source:
    label = labels.label_of(kind, number)
    return Source(kind, number, label.name, label.note) if label else Source(kind, number)
