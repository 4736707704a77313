"""The appendix pack of a frozen copy: the same bytes for every person who may see the copy."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from econweb.dashboard.files.provenance import format_utc
from econweb.dashboard.files.sheet import Sheet
from econweb.dashboard.frozen.landing import PUBLIC, Landing
from econweb.dashboard.frozen.owner import frozen_owner
from econweb.dashboard.frozen.selection import held_ids
from econweb.dashboard.frozen.series_pages import FrozenListQuery, ids_of, note_of, sheet_of_list, sheet_of_series
from econweb.dashboard.frozen.titles import view_query
from econweb.dashboard.page_links import url_path
from econweb.dashboard.realtime import as_of
from econweb.dashboard.series.sharing_links import series_request
from econweb.dashboard.series_list.forms import SeriesListForm
from econweb.dashboard.sharing.pack import Pack, notes_of
from econweb.dashboard.sharing.snippets import ServiceRequest
from econweb.dashboard.tags.forms import MAX_ROWS_PER_PAGE
from econweb.dashboard.tags.results import TagResults
from econweb.dashboard.tags.sharing_links import tag_request
from econweb.dashboard.tags.sheet import tag_sheet
from econweb.library import canonical
from econweb.library.copies import read_lines
from econweb.upstream.queries import SeriesQuery


class Content(NamedTuple):
    """The sheet of a copy for each file format, and the requests to the service behind it."""

    make_sheet: Callable[[str], Sheet]
    requests: Sequence[ServiceRequest]
    # The records of a view that has fewer than the copy, in canonical form.
    view: bytes = b""


def pack_of(landing: Landing) -> Pack:
    request, copy = landing.request, landing.copy
    lines = read_lines(copy)
    records = canonical.read_records(copy.kind, lines)
    content = {"tags": _tags, "series": _series, "list": _list}[copy.kind](landing)
    return Pack(
        name=f"frozen-{copy.pk}",
        title=copy.title,
        description=copy.reason or f"A frozen copy: its content is that of {format_utc(copy.fetched)}.",
        facts=_facts(landing),
        moment=copy.created,
        make_sheet=content.make_sheet,
        records=lines,
        view=content.view,
        notes=notes_of(records),
        citation=landing.citation,
        service=copy.service,
        site=request.build_absolute_uri("/"),
        requests=content.requests,
    )


def _facts(landing: Landing) -> dict[str, str]:
    copy = landing.copy
    return {
        "Address": landing.address,
        "Frozen": format_utc(copy.created),
        "Kept until": format_utc(copy.expires) if copy.expires else "",
        "View": landing.request.build_absolute_uri(copy.target),
        "Service": landing.service_name,
        "As of": as_of(copy.realtime_start, copy.realtime_end),
        "Fetched": format_utc(copy.fetched),
        "Rows of the view": f"{copy.view_rows}, SHA-256 {copy.view_sha256}",
        "All rows": f"{copy.rows}, SHA-256 {copy.sha256}",
        "Canonical form": str(copy.form),
        "Complete": f"no, {landing.restriction}" if landing.restriction else "yes" if copy.is_complete else "no",
        "Warnings": " ".join(copy.warnings.splitlines()),
        "Note": note_of(landing),
        "Missing": "; ".join(copy.missing.splitlines()),
    }


def _tags(landing: Landing) -> Content:
    request, copy = landing.request, landing.copy
    owner, query = frozen_owner(copy, None), view_query(copy).replace(offset=0)
    results, link = TagResults(owner, query, owner.tags(query)), request.build_absolute_uri(owner.link(query))
    # More rows take another request.
    dated = query.replace(limit=MAX_ROWS_PER_PAGE, realtime_start=copy.realtime_start, realtime_end=copy.realtime_end)
    pages = range(0, max(1, copy.view_rows), MAX_ROWS_PER_PAGE)
    requests = [tag_request(request, owner, dated.replace(offset=offset)) for offset in pages]
    view = canonical.write_lines(results.page.matches) if copy.view_rows < copy.rows else b""
    return Content(lambda suffix: tag_sheet(results, link, suffix), requests, view)


def _series(landing: Landing) -> Content:
    requests = [_series_request(landing, series_id) for series_id in ids_of(landing.copy.target)]
    return Content(lambda suffix: sheet_of_series(landing, url_path(PUBLIC, landing.copy.pk), suffix), requests)


def _list(landing: Landing) -> Content:
    form = SeriesListForm(landing.copy.parameters)
    query = FrozenListQuery(**form.cleaned_data, path=url_path(PUBLIC, landing.copy.pk))
    held = held_ids(query.ids, landing.copy.missing.splitlines())
    requests = [_series_request(landing, series_id) for series_id in held]
    return Content(lambda suffix: sheet_of_list(landing, query, suffix), requests)


def _series_request(landing: Landing, series_id: str) -> ServiceRequest:
    copy = landing.copy
    query = SeriesQuery(series_id, copy.realtime_start, copy.realtime_end)
    return series_request(landing.request, query, copy.service)
