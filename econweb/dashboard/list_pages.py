"""Pages of long lists: their links, a page of rows, and files, which have every row."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import parse_qsl

from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from econweb.accounts.people import Person
from econweb.dashboard.display.controls import Chip, ColumnHeader, number_header
from econweb.dashboard.files.negotiation import wanted_format
from econweb.dashboard.files.provenance import name_source
from econweb.dashboard.files.responses import export_response
from econweb.dashboard.files.sheet import Sheet
from econweb.dashboard.page_links import changed_query_string, url_path, with_query
from econweb.dashboard.paging import Paging, Step
from econweb.dashboard.parameter_checks import MAX_OFFSET
from econweb.dashboard.parameters import LinkForm, Parser, choice, number
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.sharing.view_links import Export, file_links
from econweb.label_book.folding import pattern_of
from econweb.library.models import read_id
from econweb.search_index.reading.status import describe_coverage
from econweb.search_index.tags import tag_index
from econweb.upstream.queries import SORT_ORDERS, TAG_OWNERS


@dataclass(frozen=True)
class ListQuery:
    """The query of a link to a list; its fields with defaults are the parameters, in their order."""

    # The name of the route.
    page: ClassVar[str]

    @property
    def path(self) -> str:
        return url_path(self.page)

    def link(self, **changes: Any) -> str:
        return with_query(self.path, self.query_string(**changes))

    def query_string(self, **changes: Any) -> str:
        return changed_query_string(self, changes)

    def kept(self) -> dict[str, str]:
        """Return the parameters that stay when the words change."""
        return dict(parse_qsl(self.query_string(q="", offset=0)))

    def steps(self, paging: Paging) -> list[Step]:
        return paging.steps(lambda offset: self.link(offset=offset))

    def chips(self, parameter: str, names: Mapping[str, str], counts: Mapping[str, int]) -> Iterator[Chip]:
        """Yield a link to everything, and one to each value of a parameter, with their numbers."""
        chosen = getattr(self, parameter)
        yield Chip("All", self.link(**{parameter: ""}), sum(counts.values()), not chosen)
        for value, name in names.items():
            yield Chip(name, self.link(**{parameter: value}), counts.get(value, 0), value == chosen)


@dataclass(frozen=True)
class OwnerListQuery(ListQuery):
    """One kind of categories and releases or both, their order, and the first row of a page."""

    kind: str = ""
    order_by: str = ""
    sort_order: str = "desc"
    offset: int = 0

    def columns(self, names: Mapping[str, str], long_names: Mapping[str, str]) -> Iterator[ColumnHeader]:
        """Yield the header of the owners, and one for each number."""
        yield ColumnHeader("owner", "Category or release")
        for key, name in names.items():
            sort_order = self.sort_order if key == self.order_by else ""
            yield number_header(key, name, sort_order, self.link, long_names.get(key, ""))


def owner_list_parsers(orders: Collection[str], default_order: str) -> dict[str, Parser]:
    return {
        "kind": choice(("", *TAG_OWNERS)),
        "order_by": choice(orders, default_order),
        "sort_order": choice(SORT_ORDERS, "desc"),
        "offset": number(0, MAX_OFFSET),
    }


def redirect_or_file(
    request: HttpRequest, results: Any, suffix: str, make_sheet: Callable[[Any, str], Sheet], limit: int = MAX_OFFSET
) -> HttpResponseBase | None:
    """Return a redirect to the canonical link, or a file of every row up to `limit`; None where the page is wanted."""
    query = results.query
    if better := canonical_redirect(request, query.link()):
        return redirect(better)
    if suffix := suffix or wanted_format(request):
        whole = replace(results, query=replace(query, offset=0), limit=limit)
        return export_response(request, make_sheet(whole, request.build_absolute_uri(whole.query.link())), suffix)
    return None


def words_context(form: LinkForm, query: ListQuery) -> dict[str, object]:
    """Return what every page of a list shows of its query, which its form of words changes."""
    return {
        "query": query,
        "canonical": query.link(),
        "form_link": query.path,
        "misspelt": form.suggest_spellings(),
    }


def list_context(form: LinkForm, results: Any, **more: object) -> dict[str, object]:
    """Return the context of a page of rows, with the links to its neighbours and files."""
    query: ListQuery = results.query
    export = Export(file_links(query.path.rstrip("/"), query.query_string(offset=0)), results.total)
    return {
        **words_context(form, query),
        "results": results,
        "steps": query.steps(results.paging),
        "export": export,
        "other_forms": [export.alternates],
        **more,
    }


def index_metadata(link: str, **more: str) -> dict[str, str]:
    """Return the metadata of a file with rows of the index of tags, whose revision changes with any tag or count."""
    index = {"coverage": describe_coverage(), "index": f"{tag_index.state().revision:x}"}
    return name_source(link) | more | index


def has_words(words: str, field: str, person: Person | None, ids: Sequence[str] = ()) -> Q:
    """Return the condition that each word is in the title, in this field, or for people in the name of the person.

    A word may also be one of the ids or digests in the fields `ids`. A stranger sees no names, and guesses none.
    """
    found = Q()
    for word in words.split():
        # SQLite compares with LIKE without regard to case for ASCII letters alone, and by regular expression for all.
        pattern = pattern_of(word)
        in_row = Q(title__iregex=pattern) | Q(**{f"{field}__iregex": pattern})
        if person:
            in_row |= Q(person__iregex=pattern)
        for name in ids:
            in_row |= Q(**{name: read_id(word)})
        found &= in_row
    return found
