"""The appendix pack of a saved list: the series as the service describes them now."""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from econweb.accounts.site_address import note_on_local_address
from econweb.dashboard.error_pages import problems, upstream_problems
from econweb.dashboard.files.provenance import format_utc, name_live_service, name_publisher
from econweb.dashboard.page_links import split_link
from econweb.dashboard.realtime import as_of
from econweb.dashboard.saved.results import link_of
from econweb.dashboard.series.sharing_links import series_request
from econweb.dashboard.series_list.forms import SeriesListForm
from econweb.dashboard.series_list.loading import SeriesList, load_list
from econweb.dashboard.series_list.query import SeriesListQuery
from econweb.dashboard.series_list.sheet import series_list_sheet
from econweb.dashboard.series_list.views import require_all
from econweb.dashboard.sharing.citations import Citation, join_lines
from econweb.dashboard.sharing.pack import Pack, notes_of, pack_response
from econweb.library import canonical
from econweb.library.models import SavedView

_DATA_OF_LATER = "the data of the day on which it is opened. The rows of this day are in this pack alone."


@upstream_problems.render_upstream_errors
def show_pack(request: HttpRequest, view: SavedView) -> HttpResponseBase:
    if view.kind != "list":
        return problems.error_response(request, "no_pack")
    form = SeriesListForm(split_link(view.target)[1])
    results = load_list(form.query())
    require_all(results)
    return pack_response(request, _pack_of(request, view, results))


def _is_past(query: SeriesListQuery) -> bool:
    return query.realtime_end is not None and query.realtime_end < timezone.localdate()


def _pack_of(request: HttpRequest, view: SavedView, results: SeriesList) -> Pack:
    fetched = results.freshness().fetched
    start, end = results.period()
    period = as_of(start, end)
    lines = canonical.write_lines(results.found)
    address = request.build_absolute_uri(link_of(view))
    view_address = request.build_absolute_uri(view.target)
    missing = "; ".join(f"{entry.series_id}: {entry.error}" for entry in results.missing)
    found = [query for query in results.query.series_queries() if query.series_id not in results.ids_not_found]
    return Pack(
        name=view.slug,
        title=view.title,
        description=view.note or "A saved list of series.",
        facts={
            "Address": address,
            "Address shows": "" if _is_past(results.query) else _DATA_OF_LATER,
            "Saved": format_utc(view.created),
            "View": view_address,
            "Service": name_live_service(),
            "As of": period,
            "Fetched": format_utc(fetched),
            "Series": f"{len(results.found)}, SHA-256 {canonical.digest(lines)}",
            "Note": results.note,
            "Missing": missing,
        },
        moment=fetched,
        make_sheet=lambda suffix: series_list_sheet(results, view_address, suffix),
        records=lines,
        notes=notes_of(results.found),
        citation=Citation(
            name=view.slug,
            title=join_lines(f"{view.title} [saved list]"),
            note=f"{results.size()} as of {period}, fetched {format_utc(fetched)}",
            version=f"as of {period}",
            issued=end,
            link=address,
            accessed=timezone.localdate(),
            publisher=name_publisher(),
            caveat=note_on_local_address(request),
        ),
        service=settings.ECON_BASE_URL,
        site=request.build_absolute_uri("/"),
        requests=[series_request(request, query, settings.ECON_BASE_URL) for query in found],
    )
