"""Parameters of the series page, parsed into a SeriesQuery."""

import re
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest

from econweb.dashboard.parameters import RealtimeLinkForm
from econweb.upstream.queries import SeriesQuery

WRONG_ID = "series_id is one to 25 letters, digits and underscores, for example GNPCA."


class SeriesForm(RealtimeLinkForm):
    """The parameters of a series page (contract: GET /series)."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        super().__init__(given, {"series_id": _parse_id})

    def query(self) -> SeriesQuery:
        return SeriesQuery(**self.cleaned_data)


def series_form(request: HttpRequest, series_id: str) -> SeriesForm:
    given = request.GET.copy()
    given["series_id"] = series_id.upper()
    return SeriesForm(given)


def _parse_id(given: str, _name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_]{1,25}", given):
        raise ValidationError(WRONG_ID)
    return given
