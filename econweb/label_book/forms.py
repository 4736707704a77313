"""The forms of a label, for the admin and for the page of a category or release."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import normalize_newlines

from econweb import advisory_lock
from econweb.label_book.models import Label
from econweb.label_book.tree import problem_with_new_parent

CHANGED_MEANWHILE = "Somebody else changed this name since the form was opened. Open it again, and enter yours."


class LabelForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """One label, and its revision when the form was opened."""

    # The largest revision is 40 random bits.
    opened = forms.IntegerField(min_value=0, max_value=2**40, widget=forms.HiddenInput)

    class Meta:
        model = Label
        fields = ("kind", "number", "name", "note", "parent")

    def clean_note(self) -> str:
        """Return the note with the line ends that a file of names has; a browser sends CRLF."""
        note: str = normalize_newlines(self.cleaned_data["note"])
        return note

    def label(self) -> Label:
        """Return the label as entered; the instance of the form is the stored one."""
        values = {"kind": self.instance.kind, "number": self.instance.number, **self.cleaned_data}
        return Label(**{name: values[name] for name in ("kind", "number", "name", "note", "parent")})


class AdminForm(LabelForm):
    """A label in Django's admin, where a stored one keeps its kind and number."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["opened"].initial = self.instance.revision
        for name in {"kind", "number"} & self.fields.keys():
            self.fields[name].disabled = self.instance.pk is not None

    def clean(self) -> None:
        super().clean()
        # Django's admin has begun the transaction that stores the label: until then all stay as they are here.
        advisory_lock.take_turns(advisory_lock.NAMES)
        if not self.errors and (problem := problem_with_new_parent(self.label(), self.instance.parent)):
            self.add_error("parent", problem)
        stored = Label.objects.select_for_update().filter(pk=self.instance.pk).first()
        if stored and stored.revision != self.cleaned_data.get("opened"):
            raise ValidationError(CHANGED_MEANWHILE)
