"""The source of the tags of a category or release for the reader: a service, or the catalogue."""

from django.conf import settings

from econweb.search_index.tags.blocks import OwnerTags, owner_tags
from econweb.startup.catalogue_tags import read_tags
from econweb.upstream import service


def request_tags(kind: str, number: int) -> OwnerTags:
    """Ask the service, or read the embedded catalogue; raise Busy at once while users wait."""
    if settings.ECON_BASE_URL:
        return owner_tags(service.tags_in_background(kind, number))
    service.check_idle()
    return read_tags(kind, number)
