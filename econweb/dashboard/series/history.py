"""Every version of a series, from the first day on. A page does without them when they cannot be read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.utils import timezone

from econweb.dashboard.error_texts.messages import NO_TURN_FOR_VERSIONS
from econweb.upstream import service
from econweb.upstream.errors import UpstreamError, is_lasting, message_of
from econweb.upstream.queries import FIRST_DAY, LAST_DAY, SeriesQuery
from econweb.upstream.records import Series, SeriesFailure, SeriesPage


@dataclass(frozen=True)
class History:
    """All versions, oldest first, or the reason why there are none."""

    page: SeriesPage | None = None
    error: str = ""

    @property
    def seriess(self) -> Sequence[Series]:
        return self.page.reply.seriess if self.page else ()

    @property
    def revision(self) -> tuple[object, ...]:
        """Return what a rendered page depends on."""
        return self.page and self.page.freshness, self.error


def find_versions(series_id: str) -> Sequence[Series]:
    """Look for all versions in the cache, then ask the embedded service (1 ms), but never another one."""
    if settings.ECON_BASE_URL and not service.cached_series(SeriesQuery(series_id, FIRST_DAY, LAST_DAY)):
        return ()
    return get_history(series_id).seriess


def nearest_version(query: SeriesQuery, versions: Sequence[Series]) -> tuple[date, str] | None:
    """Return a day of the first version for an earlier period, or of the last one where it has ended, and the words."""
    if not versions:
        return None
    first, last = versions[0].realtime_start, versions[-1].realtime_end
    if query.realtime_end and query.realtime_end < first:
        return first, f"The first version is of {first}"
    return (last, f"The last version ended on {last}") if last < timezone.localdate() else None


def get_history(series_id: str, renew: bool = False) -> History:
    query = SeriesQuery(series_id, FIRST_DAY, LAST_DAY)
    if not service.cached_series(query):
        if not renew and (reason := service.get_failure(query).message):
            return History(error=reason)
        # The record matters more: while the rate limit is used up, a page does not wait for its second answer.
        if service.state()["allowance_left"] == 0:
            return History(error=NO_TURN_FOR_VERSIONS)
    try:
        return History(service.series(query, renew))
    except UpstreamError as error:
        if is_lasting(error):
            # A service without an archive refuses each time.
            service.remember_failure(query, SeriesFailure(message_of(error), is_temporary=False))
        return History(error=message_of(error))
