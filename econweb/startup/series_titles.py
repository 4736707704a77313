"""The titles of the catalogue in the index of series: catalogue and index do not import each other."""

import hashlib
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db.models import Case, Exists, IntegerField, OuterRef, Value, When
from django.db.models.functions import Length

from econweb.catalogue.loading.load import catalogue_loaded
from econweb.catalogue.models import Edition, SeriesVersion
from econweb.search_index import tag_index, titles
from econweb.search_index.places import LETTERS_A_STEP, Record


def connect() -> None:
    catalogue_loaded.connect(_index_loaded, dispatch_uid="series titles")


def update_titles() -> None:
    """Remove titles and tags that this service or the settings do not allow, and index a catalogue that is not yet."""
    is_own = _may_index()
    allowed = titles.CATALOGUE if is_own else titles.FETCHED
    sources = [titles.IMPORTED, allowed] if settings.ECON_MAY_STORE else [titles.IMPORTED]
    may_fetch = settings.ECON_MAY_STORE and settings.ECON_BASE_URL
    address = f"{settings.ECON_BASE_URL}/{settings.ECON_SERVICE_PATH}" if may_fetch else ""
    service = hashlib.blake2b(address.encode(), digest_size=16).hexdigest() if address else ""
    titles.keep_for(service, sources)
    tag_index.keep_for(service)
    edition = Edition.objects.first()
    if is_own and edition and titles.catalogue_identity() != edition.identity:
        titles.replace_catalogue(_newest_versions(), edition.identity)


def _may_index() -> bool:
    """Return whether pages show series of the catalogue."""
    return settings.ECON_MAY_STORE and not settings.ECON_BASE_URL


def _index_loaded(edition: Edition, **_: Any) -> None:
    """Index the titles in the transaction of the load: both are there, or neither."""
    if _may_index():
        titles.replace_catalogue(_newest_versions(), edition.identity)


def _newest_versions() -> Iterator[Record]:
    """Yield the newest version of each series, roughly in the order of places, which stores them fastest."""
    newer = SeriesVersion.objects.filter(series_id=OuterRef("series_id"), realtime_start__gt=OuterRef("realtime_start"))
    has_ended = Case(
        When(title__icontains="(discontinued)", then=Value(1)), default=Value(0), output_field=IntegerField()
    )
    versions = SeriesVersion.objects.filter(~Exists(newer)).order_by(
        has_ended, "-popularity", Length("title") / LETTERS_A_STEP
    )
    columns = ("series_id", "title", "frequency", "seasonal_adjustment", "units", "popularity")
    return map(Record._make, versions.values_list(*columns).iterator())
