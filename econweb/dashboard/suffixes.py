"""The ends of addresses that stand for a file; any other end is no page."""

from django.urls.converters import StringConverter

from econweb.dashboard import citations
from econweb.dashboard.files import formats


class FileSuffix(StringConverter):
    """A view as a file."""

    regex = "|".join(formats.MEDIA_TYPES)


class CitationSuffix(StringConverter):
    """A series as a reference of a paper."""

    regex = "|".join(citations.MEDIA_TYPES)
