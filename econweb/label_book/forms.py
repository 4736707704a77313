"""The form of a label, for the admin and for the page of a category or release."""

from django import forms

from econweb.label_book.models import Label
from econweb.label_book.tree import find_circles, problem_with_parent, stored_parents


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
        parents = stored_parents() | ({label.number: label.parent} if label.kind == "category" else {})
        if problem := problem_with_parent(label, parents, find_circles(parents)):
            self.add_error("parent", problem[0].upper() + problem[1:])
