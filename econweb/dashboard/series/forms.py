"""Parameters of the series page, parsed into a SeriesQuery."""

from django import forms
from django.http import HttpRequest

from econweb.dashboard.forms import RealtimeForm
from econweb.upstream.queries import SeriesQuery


class SeriesForm(RealtimeForm):
    """The parameters of a series page (contract: GET /series)."""

    series_id = forms.RegexField(
        regex=r"^[A-Za-z0-9_]{1,25}\Z",
        error_messages={"invalid": "series_id is one to 25 letters, digits and underscores, for example GNPCA."},
    )

    def query(self) -> SeriesQuery:
        return SeriesQuery(**self.cleaned_data)


def series_form(request: HttpRequest, series_id: str) -> SeriesForm:
    given = request.GET.copy()
    given["series_id"] = series_id.upper()
    return SeriesForm(given)
