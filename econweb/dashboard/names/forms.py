"""The form of one name on its page: the label, its revision when the form was opened, and a reason."""

from django import forms

from econweb.accounts.models import MAX_REASON
from econweb.label_book.forms import LabelForm
from econweb.label_book.models import Label

# The names of ten thousand categories take some 600 KB; the whole form has at most 1 MiB.
MAX_TEXT = 1_000_000


class NameForm(LabelForm):
    """A label as it is edited on the page of its category or release."""

    # The largest revision is 40 random bits.
    opened = forms.IntegerField(min_value=0, max_value=2**40)
    reason = forms.CharField(required=False, max_length=MAX_REASON)

    def label(self) -> Label:
        """Return the label as entered; the instance of the form is the stored one."""
        values = self.cleaned_data
        return Label(**{name: values[name] for name in ("kind", "number", "name", "note", "parent")})


class TextForm(forms.Form):
    """Pasted or uploaded CSV, and whether it is only looked at."""

    text = forms.CharField(
        max_length=MAX_TEXT,
        strip=False,
        error_messages={
            "required": "The text is empty. Paste CSV, or choose a file.",
            "max_length": "The text is longer than a million characters. Use manage.py labels import.",
        },
    )
    store = forms.BooleanField(required=False)
