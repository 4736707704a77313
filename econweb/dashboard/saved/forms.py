"""The form of a saved view."""

from datetime import datetime

from django import forms

from econweb.dashboard.entry_checks import AUDIENCE_WORDS, check_note, check_option, check_title, parse_moment
from econweb.dashboard.parameter_checks import text_field
from econweb.library.saved_views import Entry


class SavedViewForm(forms.Form):
    """The entry of a person for a view, and the state of the view that the person saw."""

    title = text_field()
    note = text_field()
    audience = text_field()
    is_pinned = forms.BooleanField(required=False)
    seen = text_field()

    def clean_title(self) -> str:
        return check_title(self.cleaned_data["title"])

    def clean_note(self) -> str:
        return check_note(self.cleaned_data["note"], "note")

    def clean_audience(self) -> str:
        return check_option(self.cleaned_data["audience"], "audience", AUDIENCE_WORDS)

    def clean_seen(self) -> datetime | None:
        return parse_moment(self.cleaned_data["seen"])

    def entry(self) -> Entry:
        values = self.cleaned_data
        return Entry(values["title"], values["note"], values["audience"], values["is_pinned"])
