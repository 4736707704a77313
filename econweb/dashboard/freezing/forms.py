"""The forms of frozen copies: to freeze a view, to change what is said about a copy, and to withdraw it."""

from datetime import datetime

from django import forms
from django.core.exceptions import ValidationError

from econweb.dashboard.entry_checks import AUDIENCE_WORDS, check_note, check_option, check_title, parse_moment
from econweb.dashboard.parameter_checks import text_field
from econweb.library.freezing import Draft

# Days for which a copy is kept; 0 is for ever.
DURATIONS = {"0": "For ever", "30": "30 days", "365": "1 year"}


class DraftForm(forms.Form):
    """Title, reason, audience and duration of a copy."""

    title = text_field()
    reason = text_field()
    audience = text_field()
    days = text_field()
    seen = text_field()

    def clean_title(self) -> str:
        return check_title(self.cleaned_data["title"])

    def clean_reason(self) -> str:
        return check_note(self.cleaned_data["reason"], "reason")

    def clean_audience(self) -> str:
        return check_option(self.cleaned_data["audience"], "audience", AUDIENCE_WORDS)

    def clean_days(self) -> int | None:
        return int(check_option(self.cleaned_data["days"] or "0", "days", DURATIONS)) or None

    def clean_seen(self) -> datetime | None:
        return parse_moment(self.cleaned_data["seen"])

    def draft(self) -> Draft:
        values = self.cleaned_data
        return Draft(values["title"], values["reason"], values["audience"], values["days"])


class WithdrawalForm(forms.Form):
    """A reason, which the page of the copy shows from then on."""

    reason = text_field()

    def clean_reason(self) -> str:
        reason = check_note(self.cleaned_data["reason"], "reason")
        if not reason:
            raise ValidationError("Reason: enter one. The page of the copy shows it from then on.")
        return reason
