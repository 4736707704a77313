"""What leads out of a view: its link for a colleague, for a year from now, its files, its request as code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from econweb.dashboard import citations
from econweb.dashboard.addresses import path_of
from econweb.dashboard.compare_query import CompareQuery, Side
from econweb.dashboard.controls import listed
from econweb.dashboard.files.formats import MEDIA_TYPES
from econweb.dashboard.forms import MOST_ROWS
from econweb.dashboard.pages import show
from econweb.dashboard.provenance import fixed_period, pinned, series_link, with_words
from econweb.dashboard.snippets import ServiceRequest
from econweb.dashboard.sources import Source
from econweb.dashboard.vary import vary_on
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.upstream.records import SeriesPage, TagPage


@dataclass(frozen=True)
class Export:
    """All rows of a view: the place in the list says nothing about it."""

    files: dict[str, str]
    # The view with more rows on its page, in words; empty when no more go there.
    to_print: dict[str, str] = field(default_factory=dict)

    @cached_property
    def shown(self) -> SafeString:
        return listed(self.files | self.to_print)

    @cached_property
    def alternates(self) -> str:
        """RFC 8288: programs find the other forms of a page without reading it."""
        return ", ".join(
            f'<{link}>; rel="alternate"; type="{MEDIA_TYPES[suffix]}"' for suffix, link in self.files.items()
        )


@dataclass(frozen=True)
class TakeAlong:
    """Paths within this site; `pinned` is empty when the view says its dates itself."""

    pinned: str
    export: Export
    code: str
    compare: str
    citations: Mapping[str, str]


def export_of_tags(source: Source, query: TagQuery, to_print: int) -> Export:
    """`to_print` tells how many rows the view has, or 0 when its page shows them all."""
    whole = query.link(limit=TagQuery.limit)
    return Export(_files(source.path.rstrip("/"), whole), _to_print(source, query, to_print))


def of_tags(source: Source, query: TagQuery, page: TagPage, export: Export) -> TakeAlong:
    fixed = fixed_period(page.realtime_start, page.realtime_end)
    link = source.link(query, offset=query.offset, **fixed)
    return TakeAlong(
        pinned="" if link == source.link(query) else link,
        export=export,
        code=with_words(f"{source.path}code", query.link()),
        compare=_comparison(source.kind, source.number, query.realtime_end),
        citations={},
    )


def of_series(query: SeriesQuery, page: SeriesPage) -> TakeAlong:
    path, words = path_of("series", query.series_id).rstrip("/"), query.link()
    fixed = pinned(query, page.reply.realtime_start, page.reply.realtime_end)
    return TakeAlong(
        pinned="" if fixed == query else series_link(fixed),
        export=Export(_files(path, words)),
        code=with_words(f"{path}/code", words),
        compare=_comparison("series", query.series_id, query.realtime_end),
        citations={suffix: with_words(f"{path}.{suffix}", words) for suffix in citations.MEDIA_TYPES},
    )


def of_view(path: str, words: str, pinned_link: str) -> TakeAlong:
    """A view of several requests has none to show as code."""
    export = Export(_files(path.rstrip("/"), words))
    return TakeAlong(pinned_link, export, code="", compare="", citations={})


def tag_request(request: HttpRequest, source: Source, query: TagQuery) -> ServiceRequest:
    """Spec 4.5, with every default said, since the service's own are not those of a page."""
    parameters = {f"{source.kind}_id": str(source.number)} | query.source_parameters()
    if query.tag_names:
        parameters["tag_names"] = ";".join(query.tag_names)
    if query.tag_group_id:
        parameters["tag_group_id"] = query.tag_group_id
    for name in ("order_by", "sort_order", "limit", "offset"):
        parameters[name] = str(getattr(query, name))
    return ServiceRequest(_address(request, f"{source.kind}/tags"), parameters)


def series_request(request: HttpRequest, query: SeriesQuery) -> ServiceRequest:
    return ServiceRequest(_address(request, "series"), query.parameters())


def shown_with(
    request: HttpRequest, name: str, context: Mapping[str, object], links: TakeAlong, steps: Mapping[str, str]
) -> HttpResponse:
    return announced(show(request, name, {**context, "take": links}), links, steps)


def announced(response: HttpResponse, links: TakeAlong, steps: Mapping[str, str]) -> HttpResponse:
    """RFC 8288: programs find the pages around a page without reading it."""
    around = [f'<{link}>; rel="{rel}"' for rel, link in steps.items()]
    response["Link"] = ", ".join([*around, links.export.alternates])
    vary_on(response, "Accept")
    return response


@lru_cache(maxsize=1000)
def _comparison(kind: str, identity: object, day: date | None) -> str:
    """The form that asks with what."""
    return with_words(path_of("compare"), CompareQuery({"a": Side(kind, str(identity), day)}).link())


def _to_print(source: Source, query: TagQuery, count: int) -> dict[str, str]:
    rows = min(count, MOST_ROWS)
    if not rows:
        return {}
    words = f"{'All ' if rows == count else ''}{rows:,} rows on one page, to print"
    return {words: source.link(query, limit=MOST_ROWS)}


def _files(path: str, words: str) -> dict[str, str]:
    return {suffix: with_words(f"{path}.{suffix}", words) for suffix in MEDIA_TYPES}


def _address(request: HttpRequest, endpoint: str) -> str:
    if settings.ECON_BASE_URL:
        return f"{settings.ECON_BASE_URL}/{settings.ECON_SERVICE_PATH}/{endpoint}"
    return request.build_absolute_uri(f"/econ/{endpoint}")
