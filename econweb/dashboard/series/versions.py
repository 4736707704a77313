"""The versions of a series: a time line, and what each of them changed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone

from econweb.dashboard.error_texts.messages import (
    COVERAGE_OF_COPY,
    COVERAGE_OF_END_OR_FETCH,
    COVERAGE_OF_THIS_END,
    COVERAGE_OF_TODAY,
    POPULARITY_OF_THE_FETCH,
)
from econweb.dashboard.page_links import day_comparison_link, series_link
from econweb.dashboard.series.changes import Change, list_changes
from econweb.dashboard.series.span import MIN_WIDTH, WIDTH
from econweb.upstream.queries import FIRST_DAY, LAST_DAY, SeriesQuery
from econweb.upstream.records import Series

# The oldest ones of a longer history are in its files only.
MAX_VERSIONS = 100
# Years on the drawing are at least this far apart, in percent.
MIN_LABEL_GAP = 14
# Space for a first version without a beginning.
MIN_LEAD = timedelta(days=365)


@dataclass(frozen=True)
class Version:
    """One version, what it changed, and its position on the drawing."""

    series: Series
    changes: tuple[Change, ...]
    link: str
    # The link that compares it with the version of today; empty for that one.
    compare: str
    is_first: bool
    is_current: bool
    is_shown: bool
    x: float
    width: float


@dataclass(frozen=True)
class TimeLine:
    """Versions, oldest first, with the years at their joints."""

    versions: tuple[Version, ...]
    labels: tuple[tuple[float, str, str], ...]
    # The number of older ones that are left out.
    omitted: int


def draw_time_line(seriess: Sequence[Series], shown: Series, today: date) -> TimeLine:
    kept = seriess[-MAX_VERSIONS:]
    joints = _position_joints(kept, today)
    has_first = len(seriess) == len(kept)
    versions = []
    for index, series in enumerate(kept):
        before = kept[index - 1] if index else None
        x, end = joints[index], joints[index + 1]
        versions.append(
            Version(
                series,
                tuple(list_changes(before, series)) if before else (),
                _link(series),
                day_comparison_link(series.id, series.realtime_end, None) if series.realtime_end < today else "",
                is_first=has_first and not index,
                is_current=series.realtime_end >= today,
                is_shown=series.realtime_start <= shown.realtime_start <= series.realtime_end,
                x=x,
                width=max(round(end - x, 1), MIN_WIDTH),
            )
        )
    return TimeLine(tuple(versions), tuple(_label_joints(kept, joints)), len(seriess) - len(kept))


def note_on_version(seriess: Sequence[Series], shown: Series, today: date) -> str:
    """Return the note of an earlier day of a version: its coverage and last update are of its end, or today's.

    Where no version is known, it is that of lists and files.
    """
    ends = [
        series.realtime_end for series in seriess if series.realtime_start <= shown.realtime_end <= series.realtime_end
    ]
    if not ends:
        return note_on_coverage([shown], shown.realtime_end)
    if min(ends[-1], today) <= shown.realtime_end:
        return ""
    message = COVERAGE_OF_TODAY if ends[-1] >= today else COVERAGE_OF_THIS_END
    return message.format(end=ends[-1], day=shown.realtime_end)


def is_updated_after(series: Series, day: date) -> bool:
    """Return whether the record of a past day was updated later: it is of the end of its version, or of the fetch."""
    # A time stamp of a zone in the east may be of tomorrow.
    return day < timezone.localdate() and series.last_updated[:10] > str(day)


def note_on_coverage(seriess: Iterable[Series], day: date, message: str = COVERAGE_OF_END_OR_FETCH) -> str:
    """Return the note on coverage as of a past day; empty where no record was updated later.

    A record of one day does not say whether its version has ended.
    """
    return message.format(day=day) if any(is_updated_after(series, day) for series in seriess) else ""


def note_on_copy(seriess: Iterable[Series], day: date) -> str:
    """Return the note on coverage of a frozen copy, which never changes."""
    return note_on_coverage(seriess, day, COVERAGE_OF_COPY)


def notes_on_past(seriess: Iterable[Series], day: date) -> str:
    """Return the notes of a view as of a past day."""
    return f"{note_on_coverage(seriess, day)} {POPULARITY_OF_THE_FETCH}".strip()


def _link(series: Series) -> str:
    """Return the page of this version; the open one is the page without dates."""
    if series.realtime_end == LAST_DAY:
        return series_link(SeriesQuery(series.id))
    return series_link(SeriesQuery(series.id, series.realtime_start, series.realtime_end))


def _position_joints(seriess: Sequence[Series], today: date) -> list[float]:
    """Return where each version starts on the drawing, and where the last one ends."""
    last = max(min(seriess[-1].realtime_end, today), seriess[-1].realtime_start)
    days = [*(series.realtime_start for series in seriess), last]
    if days[0] == FIRST_DAY:
        # The service knows no beginning, and three centuries would leave no space for the others.
        days[0] = days[1] - max((last - days[1]) // 3, MIN_LEAD)
    length = max((last - days[0]).days, 1)
    return [round((day - days[0]).days * WIDTH / length, 1) for day in days]


def _label_joints(seriess: Sequence[Series], joints: Sequence[float]) -> Iterator[tuple[float, str, str]]:
    """Yield position, text and class of the labels that have space."""
    beginning, last = seriess[0].realtime_start, seriess[-1].realtime_end
    yield 0, "earlier" if beginning == FIRST_DAY else str(beginning.year), "first"
    taken = MIN_LABEL_GAP / 2
    for x, series in zip(joints[1:-1], seriess[1:], strict=True):
        if taken + MIN_LABEL_GAP <= x <= WIDTH - 1.5 * MIN_LABEL_GAP:
            yield x, str(series.realtime_start.year), ""
            taken = x
    yield WIDTH, "now" if last == LAST_DAY else str(last.year), "last"
