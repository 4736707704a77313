"""The form of one name on its page: the label, its revision when the form was opened, and a reason."""

from django import forms

from econweb.accounts.models import MAX_REASON
from econweb.label_book.forms import LabelForm

# The names of ten thousand categories take some 600 KB; the whole form has at most 1 MiB.
MAX_TEXT = 1_000_000


class NameForm(LabelForm):
    """A label as it is edited on the page of its category or release, and why."""

    reason = forms.CharField(required=False, max_length=MAX_REASON)

    class Meta(LabelForm.Meta):
        # Not the id: Django would refuse one that somebody else has just named, where `save_name` finds a conflict.
        fields = ("name", "note", "parent")  # type: ignore[assignment]  # the stubs want as many names


class TextForm(forms.Form):
    """Pasted or uploaded CSV, whether it is only looked at, and a digest of the names that it was seen to replace."""

    text = forms.CharField(
        max_length=MAX_TEXT,
        strip=False,
        error_messages={
            "required": "The text is empty. Paste CSV, or choose a file.",
            "max_length": "The text is longer than a million characters. Use manage.py labels import.",
        },
    )
    store = forms.BooleanField(required=False)
    seen = forms.CharField(required=False)
