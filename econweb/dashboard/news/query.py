"""The part of the news that a link asks for."""

import re
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError

from econweb.dashboard.list_pages import ListQuery
from econweb.dashboard.page_links import follow_link, url_path, with_query
from econweb.dashboard.parameter_checks import MAX_OFFSET
from econweb.dashboard.parameters import choice, number
from econweb.upstream.queries import SERIES_ID
from econweb.watching.models import SERIES
from econweb.watching.news import KINDS, link_of_source

_SOURCE = re.compile(rf"(series):({SERIES_ID})|(category|release):([1-9][0-9]{{0,8}}|0)")


@dataclass(frozen=True)
class NewsQuery(ListQuery):
    """A source, a kind of news, and the first row of a page; the news of everything, or of what a person follows."""

    page = "news"
    source: str = ""
    kind: str = ""
    offset: int = 0

    @property
    def sources(self) -> list[tuple[str, str]] | None:
        kind, _, key = self.source.partition(":")
        return [(kind, key)] if key else None

    @property
    def source_words(self) -> str:
        """Return the source without its name, inside a sentence."""
        kind, _, key = self.source.partition(":")
        return key if kind == SERIES else f"{kind} {key}"

    @property
    def source_link(self) -> str:
        kind, _, key = self.source.partition(":")
        return link_of_source(kind, key)

    @property
    def follow_link(self) -> str:
        return follow_link(self.source_link)

    @property
    def feed(self) -> str:
        """Return the feed of the same news; readers of feeds sort kinds by themselves."""
        return with_query(url_path("news_feed"), self.query_string(kind="", offset=0))


class MyNewsQuery(NewsQuery):
    page = "my_news"


def _source(given: str, name: str) -> Any:
    """Return a source in its one spelling."""
    found = _SOURCE.fullmatch(given.strip())
    if given.strip() and not found:
        raise ValidationError("Source: write series:GNPCA, category:125 or release:53.")
    return f"series:{found[2].upper()}" if found and found[1] else given.strip()


PARSERS = {"source": _source, "kind": choice(("", *KINDS)), "offset": number(0, MAX_OFFSET)}
