"""Series by the words of their titles: in the index, and in the cache where nothing may be stored."""

from django.conf import settings

from econweb.search_index import find
from econweb.search_index.cached import find_in
from econweb.search_index.places import Record
from econweb.upstream import service


def find_cached(text: str) -> dict[int, Record]:
    """Return the series in the cache by place, best first; none where the index has them."""
    if settings.ECON_MAY_STORE:
        return {}
    newest = {one.id: one for one in service.cached_records()}
    records = [
        Record(one.id, one.title, one.frequency, one.seasonal_adjustment, one.units, one.popularity)
        for one in newest.values()
    ]
    return find_in(records, text)


def find_best(text: str, limit: int) -> list[Record]:
    cached = [*find_cached(text).values()]
    known = {one.series_id for one in cached}
    others = [one for one in find.find_best(text, limit) if one.series_id not in known]
    return [*cached, *others][:limit]
