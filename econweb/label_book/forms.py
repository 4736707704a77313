"""The form of a label, for the admin and for the page of a category or release."""

from django import forms

from econweb.label_book.models import Label
from econweb.label_book.tree import problem_in_stored_tree


class LabelForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """One label, which must fit into the tree of categories."""

    class Meta:
        model = Label
        fields = ("kind", "number", "name", "note", "parent")

    def clean(self) -> None:
        super().clean()
        if self.errors or self.cleaned_data.get("parent") is None:
            return
        label = Label(**{name: self.cleaned_data[name] for name in ("kind", "number", "parent")})
        if problem := problem_in_stored_tree(label):
            self.add_error("parent", problem[0].upper() + problem[1:])
