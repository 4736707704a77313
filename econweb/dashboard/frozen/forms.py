"""The forms of frozen copies: to freeze a view, to change what is said about a copy, and to withdraw it."""

from django import forms

from econweb.library.freezing import Draft
from econweb.library.models import EVERYONE, MAX_NOTE, MAX_TITLE, ME, SIGNED_IN

AUDIENCES = {EVERYONE: "Everyone", SIGNED_IN: "People who are signed in", ME: "Only me"}
# Days for which a copy is kept; 0 is for ever.
DURATIONS = {"0": "For ever", "30": "30 days", "365": "1 year"}


class DraftForm(forms.Form):
    """Title, reason, audience and duration of a copy."""

    title = forms.CharField(max_length=MAX_TITLE, error_messages={"required": "Enter a title."})
    reason = forms.CharField(max_length=MAX_NOTE, required=False)
    audience = forms.ChoiceField(choices=list(AUDIENCES.items()))
    days = forms.ChoiceField(choices=list(DURATIONS.items()), required=False)

    def draft(self) -> Draft:
        given = self.cleaned_data
        return Draft(given["title"], given["reason"], given["audience"], int(given["days"] or 0) or None)


class WithdrawalForm(forms.Form):
    """A reason, which the page of the copy shows from then on."""

    reason = forms.CharField(max_length=MAX_NOTE, error_messages={"required": "Enter a reason: readers will see it."})
