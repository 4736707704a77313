"""The forms of frozen copies: to freeze a view, to change what is said about a copy, and to withdraw it."""

from django import forms
from django.core.exceptions import ValidationError

from econweb.dashboard.entry_checks import EntryForm, check_note, check_option
from econweb.dashboard.parameter_checks import text_field
from econweb.label_book.folding import is_blank
from econweb.library.freezing import Draft

# Days for which a copy is kept; 0 is for ever.
DURATIONS = {"0": "For ever", "30": "30 days", "365": "1 year"}


class DraftForm(EntryForm):
    """Title, reason, audience and duration of a copy, and the digest of the rows that the form was opened with."""

    reason = text_field()
    days = text_field()
    sha256 = text_field()

    def clean_reason(self) -> str:
        return check_note(self.cleaned_data["reason"], "reason")

    def clean_days(self) -> int | None:
        return int(check_option(self.cleaned_data["days"] or "0", "days", DURATIONS)) or None

    def draft(self) -> Draft:
        values = self.cleaned_data
        return Draft(values["title"], values["reason"], values["audience"], values["days"])


class WithdrawalForm(forms.Form):
    """A reason, which the page of the copy shows from then on."""

    reason = text_field()

    def clean_reason(self) -> str:
        reason = check_note(self.cleaned_data["reason"], "reason")
        if is_blank(reason):
            raise ValidationError("Reason: enter one. The page of the copy shows it from then on.")
        return reason
