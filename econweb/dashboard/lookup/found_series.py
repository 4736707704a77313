"""Series by the words of their titles: in the index, and in the cache where nothing may be stored."""

from django.conf import settings

from econweb.search_index.titles import find
from econweb.search_index.titles.cached import find_in
from econweb.search_index.titles.places import Record, record_of
from econweb.upstream import service


def find_cached(text: str) -> dict[int, Record]:
    """Return the series in the cache by place, best first; none where the index has them."""
    if settings.ECON_MAY_STORE:
        return {}
    return find_in([record_of(series) for series in service.decoded_series().values()], text)


def find_best(text: str, limit: int) -> list[Record]:
    cached = [*find_cached(text).values()]
    known = {one.series_id for one in cached}
    others = [one for one in find.find_best(text, limit) if one.series_id not in known]
    return [*cached, *others][:limit]
