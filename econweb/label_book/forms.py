"""The forms of a label, for the admin and for the page of a category or release."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from econweb import advisory_lock
from econweb.label_book.models import Label
from econweb.label_book.tree import problem_in_stored_tree

CHANGED_MEANWHILE = "Somebody else changed this name since the form was opened. Open it again, and enter yours."


class LabelForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """One label, which must fit into the tree of categories, and its revision when the form was opened."""

    # The largest revision is 40 random bits.
    opened = forms.IntegerField(min_value=0, max_value=2**40, widget=forms.HiddenInput)

    class Meta:
        model = Label
        fields = ("kind", "number", "name", "note", "parent")

    def clean(self) -> None:
        super().clean()
        # An editor of the name alone keeps the parent, which may have been deleted.
        if self.errors or self.cleaned_data.get("parent") is None or "parent" not in self.changed_data:
            return
        if problem := problem_in_stored_tree(self.label()):
            self.add_error("parent", problem[0].upper() + problem[1:])

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
        # Django's admin has begun the transaction that stores the label: until then it stays as it is here.
        advisory_lock.take_turns(advisory_lock.NAMES)
        stored = Label.objects.select_for_update().filter(pk=self.instance.pk).first()
        if stored and stored.revision != self.cleaned_data.get("opened"):
            raise ValidationError(CHANGED_MEANWHILE)
