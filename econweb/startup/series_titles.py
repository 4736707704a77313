"""The titles of the catalogue in the index of series: catalogue and index do not import each other."""

import hashlib
from collections.abc import Iterator

from django.conf import settings
from django.db.models import Case, Exists, IntegerField, OuterRef, Value, When
from django.db.models.functions import Length

from econweb.catalogue.models import Edition, SeriesVersion
from econweb.search_index.tags import tag_index
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import LETTERS_A_STEP, Record


def update_indexes() -> None:
    """Remove titles and tags that this service or the settings do not allow, and index a catalogue if it is not yet."""
    allowed = title_index.CATALOGUE if _may_index() else title_index.FETCHED
    sources = [title_index.IMPORTED, allowed] if settings.ECON_MAY_STORE else [title_index.IMPORTED]
    service = _identify_service()
    title_index.remove_foreign(service, sources)
    tag_index.remove_foreign(service)
    edition = Edition.objects.first()
    if edition and title_index.catalogue_identity() != edition.identity:
        index_catalogue(edition)


def _identify_service() -> str:
    """Return a digest of the address whose titles may be stored; empty for the embedded service and for none."""
    if not settings.ECON_BASE_URL or not settings.ECON_MAY_STORE:
        return ""
    address = f"{settings.ECON_BASE_URL}/{settings.ECON_SERVICE_PATH}"
    return hashlib.blake2b(address.encode(), digest_size=16).hexdigest()


def index_catalogue(edition: Edition) -> None:
    if _may_index():
        title_index.replace_catalogue(_newest_versions(), edition.identity)


def _may_index() -> bool:
    """Return whether pages show series of the catalogue."""
    return settings.ECON_MAY_STORE and not settings.ECON_BASE_URL


def _newest_versions() -> Iterator[Record]:
    """Yield the newest version of each series, roughly in the order of places, which stores them fastest."""
    newer = SeriesVersion.objects.filter(series_id=OuterRef("series_id"), realtime_start__gt=OuterRef("realtime_start"))
    has_ended = Case(
        When(title__icontains="(discontinued)", then=Value(1)), default=Value(0), output_field=IntegerField()
    )
    versions = SeriesVersion.objects.filter(~Exists(newer)).order_by(
        has_ended, "-popularity", Length("title") / LETTERS_A_STEP
    )
    return map(Record._make, versions.values_list(*Record._fields).iterator())
