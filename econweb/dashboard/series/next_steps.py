"""Links that continue from a series: a comparison of it, or a list with it."""

from dataclasses import dataclass

from django.utils import timezone

from econweb.dashboard.page_links import comparison_link, day_comparison_link, page_link
from econweb.dashboard.series.history import History
from econweb.dashboard.series.versions import find_earlier
from econweb.upstream.queries import SeriesQuery


@dataclass(frozen=True)
class NextSteps:
    """Label and link of a comparison, and the link of a list with the series in it."""

    compare_label: str
    compare: str
    add: str


def next_steps(query: SeriesQuery, history: History) -> NextSteps:
    today, series_id = timezone.localdate(), query.series_id
    add = page_link("series_list", ids=series_id, added=series_id)
    if query.realtime_end and query.realtime_end < today:
        return NextSteps("Compare with today", day_comparison_link(series_id, query.realtime_end, None), add)
    if earlier := find_earlier(history.seriess, today):
        compare = day_comparison_link(series_id, earlier.realtime_end, None)
        return NextSteps(f"Compare with the version of {earlier.realtime_end}", compare, add)
    return NextSteps("Compare", comparison_link("series", series_id, None), add)
