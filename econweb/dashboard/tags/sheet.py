"""Export of a view: all rows in its order, with metadata that identifies the view."""

from econweb.dashboard.error_texts.messages import POPULARITY_OF_THE_FETCH
from econweb.dashboard.files.provenance import provenance
from econweb.dashboard.files.responses import has_whole_records
from econweb.dashboard.files.sheet import Column, Sheet, Value, file_name
from econweb.dashboard.lookup.tag_owners import TagOwner
from econweb.dashboard.realtime import as_of, is_past
from econweb.dashboard.tags.columns import BY_KEY
from econweb.dashboard.tags.results import TagResults
from econweb.upstream.queries import TagQuery

# The order of the contract's `Tag`.
FIELDS = ("name", "group_id", "notes", "created", "popularity", "series_count")


def tag_sheet(results: TagResults, link: str, suffix: str) -> Sheet:
    owner, query, page = results.owner, results.query, results.page
    # JSON and XML have whole records, as the service sends them.
    chosen = FIELDS if query.columns is None or has_whole_records(suffix) else ("name", *query.columns)
    names = [name for name in FIELDS if name in chosen]
    is_of_past = is_past(owner.asked_day(query), page.freshness.fetched)
    period = as_of(page.realtime_start, page.realtime_end)
    filters = (query.tag_group_id, *query.tag_names, query.search_text)
    name = owner.name if suffix == "tex" else owner.name_in_files
    return Sheet(
        name=file_name(owner.kind, owner.number, "tags", *filters, period),
        title=f"Tags of {owner.kind} {owner.number}{f', {name}' if name else ''}",
        metadata=provenance(link, page.realtime_start, page.realtime_end, page.freshness)
        # Another service may have been asked for a frozen copy.
        | {"service": owner.service_name}
        | {
            "filters": filters_in_words(owner, query),
            "order": f"{query.order_by} {query.sort_order}",
            "rows": str(page.count),
        }
        | ({"warning": " ".join(page.warnings)} if page.warnings else {})
        | ({"note": POPULARITY_OF_THE_FETCH} if is_of_past else {}),
        columns=[Column(name, BY_KEY[name].kind, BY_KEY[name].heading) for name in names],
        rows=([getattr(tag, name) for name in names] for tag in page.matches),
        fetched=(page.freshness.fetched,),
        plural="tags",
        singular="tag",
        envelope=_envelope(results),
    )


def filters_in_words(owner: TagOwner, query: TagQuery) -> str:
    """Describe the filters with the parameter names of the contract, after the words of a frozen search."""
    given = {
        "tag_names": ", ".join(query.tag_names),
        "tag_group_id": query.tag_group_id,
        "search_text": query.search_text if query.search_text != owner.searched_text else "",
    }
    filters = [owner.restriction, *(f"{name}: {value}" for name, value in given.items() if value)]
    return "; ".join(filter(None, filters)) or "none"


def _envelope(results: TagResults) -> dict[str, Value]:
    """Return the envelope of one reply with every row; a limit is at least 1."""
    query, page = results.query, results.page
    return {
        "realtime_start": page.realtime_start,
        "realtime_end": page.realtime_end,
        "order_by": query.order_by,
        "sort_order": query.sort_order,
        "count": page.count,
        "offset": 0,
        "limit": max(1, page.count),
    }
