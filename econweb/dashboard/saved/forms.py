"""The form of a saved view."""

from django import forms

from econweb.dashboard.entry_checks import EntryForm, check_note
from econweb.dashboard.parameter_checks import text_field
from econweb.library.saved_views import Entry


class SavedViewForm(EntryForm):
    """The entry of a person for a view."""

    note = text_field()
    is_pinned = forms.BooleanField(required=False)

    def clean_note(self) -> str:
        return check_note(self.cleaned_data["note"], "note")

    def entry(self) -> Entry:
        values = self.cleaned_data
        return Entry(values["title"], values["note"], values["audience"], values["is_pinned"])
