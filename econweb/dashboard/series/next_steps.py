"""Links that continue from a series: a comparison of it, or a list with it."""

from dataclasses import dataclass

from django.utils import timezone

from econweb.dashboard.page_links import append_query, comparison_link, day_comparison_link, page_link
from econweb.dashboard.search_box.pasted_ids import MAX_IDS
from econweb.upstream.queries import SeriesQuery


@dataclass(frozen=True)
class NextSteps:
    """Label and link of a comparison, and the link of a list with the series in it."""

    compare_label: str
    compare: str
    add: str
    # Series of a list, at most: the browser adds none to a full one.
    most: int = MAX_IDS


def next_steps(query: SeriesQuery) -> NextSteps:
    today, series_id = timezone.localdate(), query.series_id
    add = append_query(page_link("series_list", ids=series_id, added=series_id), query.query_string())
    if query.realtime_end and query.realtime_end < today:
        return NextSteps("Compare with today", day_comparison_link(series_id, query.realtime_end, None), add)
    return NextSteps("Compare", comparison_link("series", series_id, None), add)
