"""The citation of a series as of one day."""

from dataclasses import replace
from datetime import date

from django.http import HttpRequest
from django.utils import timezone

from econweb.accounts.site_address import note_on_local_address
from econweb.dashboard.files.provenance import name_publisher
from econweb.dashboard.page_links import series_link
from econweb.dashboard.realtime import pin
from econweb.dashboard.relations.agency import find_agency
from econweb.dashboard.series.versions import is_updated_after
from econweb.dashboard.sharing.citations import Citation, join_lines
from econweb.dashboard.sharing.pins import is_pinnable, note_on_open_day
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import Series, SeriesPage


def build_citation(request: HttpRequest, query: SeriesQuery, page: SeriesPage) -> Citation:
    """Cite the newest description by its pinned link, or by the link without dates where pinning is impossible."""
    reply = page.reply
    fixed = pin(query, reply.realtime_start, reply.realtime_end)
    has_past, today = is_pinnable(query), timezone.localdate()
    lasting = fixed if has_past else SeriesQuery(query.series_id)
    link = request.build_absolute_uri(series_link(lasting))
    as_of = fixed.realtime_end or today
    citation = cite_series(reply.seriess[-1], as_of, today, link, name_publisher())
    caveat = f"{note_on_open_day([as_of]) if has_past else ''} {note_on_local_address(request)}".strip()
    return replace(citation, caveat=caveat)


def cite_series(series: Series, as_of: date, accessed: date, link: str, publisher: str) -> Citation:
    updated = "" if is_updated_after(series, as_of) else f", last updated {series.last_updated}"
    described = f"{series.frequency}, {series.units}, {series.seasonal_adjustment}"
    return Citation(
        name=series.id,
        title=join_lines(f"{series.title} [{series.id}]"),
        note=join_lines(f"{described}. As of {as_of}{updated}"),
        version=f"as of {as_of}",
        issued=as_of,
        link=link,
        accessed=accessed,
        publisher=publisher,
        author=find_agency(series.notes),
    )
