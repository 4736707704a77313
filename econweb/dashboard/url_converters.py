"""Path converters of the URLs: tag owners and file suffixes."""

from django.urls.converters import IntConverter, StringConverter

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.sharing import citations
from econweb.library.models import ID_LENGTH
from econweb.upstream.queries import TAG_OWNERS

# Services of this kind number categories and releases with at most nine digits.
MAX_OWNER_NUMBER = 999_999_999


class OwnerKind(StringConverter):
    """`category` or `release`."""

    regex = "|".join(TAG_OWNERS)


class OwnerNumber(IntConverter):
    """Number of a category or release; a larger one is not found, without a request to the service."""

    def to_python(self, value: str) -> int:
        number = super().to_python(value)
        if number > MAX_OWNER_NUMBER:
            raise ValueError(value)
        return number


class FileSuffix(StringConverter):
    """Suffix of an export file."""

    regex = "|".join(MEDIA_TYPES)


class CitationSuffix(StringConverter):
    """Suffix of a citation."""

    regex = "|".join(citations.MEDIA_TYPES)


class CopyId(StringConverter):
    """An id of a frozen copy, as people may type it, or part of one: its page says that there is no such copy."""

    regex = f"[0-9A-Za-z]{{1,{2 * ID_LENGTH}}}"


class FrozenPart(StringConverter):
    """A part of the tag page, or the check of a copy."""

    regex = "names|profile|check"
