"""Links that share a tag page: pinned view, files, code and comparison."""

from dataclasses import replace

from django.http import HttpRequest

from econweb.dashboard.lookup.tag_owners import TagOwner
from econweb.dashboard.page_links import comparison_link, with_query
from econweb.dashboard.realtime import pin_period
from econweb.dashboard.sharing.pins import name_of_pin, note_on_open_day
from econweb.dashboard.sharing.snippets import ServiceRequest, endpoint_url
from econweb.dashboard.sharing.view_links import Export, ViewLinks, feed_link, file_links, timemap_link
from econweb.dashboard.tags.forms import MAX_ROWS_PER_PAGE
from econweb.upstream.queries import TagQuery
from econweb.upstream.records import TagPage


def tag_export(owner: TagOwner, query: TagQuery, count: int, to_print: int) -> Export:
    """Return the export links; `to_print` is the number of rows, or 0 when the page shows all of them."""
    whole = query.query_string(limit=TagQuery.limit)
    files, more = file_links(owner.path.rstrip("/"), whole), _to_print(owner, query, to_print)
    return Export(files, count, more, pack=owner.pack)


def view_links_of(owner: TagOwner, query: TagQuery, export: Export) -> ViewLinks:
    """Return the links that all pages of a view share."""
    if not owner.is_live:
        return ViewLinks(export, has_past=False, is_live=False)
    return ViewLinks(
        export=export,
        compare=comparison_link(owner.kind, owner.number, query.realtime_end),
        current=owner.link(query, realtime_start=None, realtime_end=None),
        timemap=timemap_link(owner.link(query, offset=0)),
        feed=feed_link(f"{owner.kind}:{owner.number}"),
    )


def page_links_of(owner: TagOwner, query: TagQuery, link: str, page: TagPage, shared: ViewLinks) -> ViewLinks:
    """Return the links of one page of the view."""
    if not owner.is_live:
        return shared
    fixed = pin_period(query, page.realtime_start, page.realtime_end)
    pinned = owner.link(query, offset=query.offset, **fixed)
    return replace(
        shared,
        pinned="" if pinned == link else pinned,
        name_of_pin=name_of_pin([fixed["realtime_end"]]),
        day_note=note_on_open_day([fixed["realtime_end"]]),
        code=with_query(f"{owner.path}code", query.query_string()),
    )


def tag_request(request: HttpRequest, owner: TagOwner, query: TagQuery) -> ServiceRequest:
    """Return the request of the view with all defaults, since those of the service differ."""
    parameters = {f"{owner.kind}_id": str(owner.number)} | query.service_parameters()
    if query.tag_names:
        parameters["tag_names"] = ";".join(query.tag_names)
    if query.tag_group_id:
        parameters["tag_group_id"] = query.tag_group_id
    for name in ("order_by", "sort_order", "limit", "offset"):
        parameters[name] = str(getattr(query, name))
    return ServiceRequest(endpoint_url(request, f"{owner.kind}/tags", owner.service_address), parameters)


def _to_print(owner: TagOwner, query: TagQuery, count: int) -> dict[str, str]:
    rows = min(count, MAX_ROWS_PER_PAGE)
    if not rows:
        return {}
    label = f"Print all {rows:,} rows" if rows == count else f"Print the first {rows:,} rows"
    return {label: owner.link(query, limit=MAX_ROWS_PER_PAGE)}
