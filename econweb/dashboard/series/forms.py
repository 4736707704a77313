"""Parameters of the series page, parsed into a SeriesQuery."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict

from econweb.dashboard.files.negotiation import MEDIA_TYPES as FILE_TYPES
from econweb.dashboard.parameters import RealtimeLinkForm
from econweb.dashboard.sharing.citations import MEDIA_TYPES as CITATION_TYPES
from econweb.upstream.queries import SeriesQuery, is_series_id

WRONG_ID = "A series id has one to 25 letters, digits and underscores, for example GNPCA."
_FORMATS = f"{', '.join(FILE_TYPES)}, {', '.join(CITATION_TYPES)}"
WRONG_FORMAT = f"No series id has a dot, and there is no such format of a file. The formats are {_FORMATS}."


class SeriesForm(RealtimeLinkForm):
    """The parameters of a series page (contract: GET /series)."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        super().__init__(given, {"series_id": _parse_id})

    def query(self) -> SeriesQuery:
        return SeriesQuery(**self.cleaned_data)


def series_form(given: QueryDict, series_id: str) -> SeriesForm:
    fields = given.copy()
    fields["series_id"] = series_id
    return SeriesForm(fields)


def _parse_id(given: str, _name: str) -> str:
    if not is_series_id(given):
        raise ValidationError(WRONG_FORMAT if "." in given else WRONG_ID)
    # Not before: other letters, such as the dotless i, have capitals of an id.
    return given.upper()
