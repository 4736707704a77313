"""The label book in Django's admin."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from econweb.label_book.models import Label
from econweb.label_book.tree import find_circles, problem_with_parent, stored_parents

admin.site.site_header = admin.site.site_title = "econweb"
admin.site.index_title = "The label book"
# The header of every page links to the site.
admin.site.site_url = None
# A single model needs no sidebar.
admin.site.enable_nav_sidebar = False


class LabelForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """The form of one label, which must fit into the tree of categories."""

    def clean(self) -> None:
        super().clean()
        values = self.cleaned_data
        if self.errors or values.get("parent") is None:
            return
        label = Label(kind=values["kind"], number=values["number"], parent=values["parent"])
        parents = stored_parents() | ({label.number: label.parent} if label.kind == "category" else {})
        if problem := problem_with_parent(label, parents, find_circles(parents)):
            self.add_error("parent", problem[0].upper() + problem[1:])


@admin.register(Label)
class LabelAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    form = LabelForm
    list_display = ("name", "kind", "number", "parent", "note")
    list_filter = ("kind",)
    search_fields = ("words", "number")
    list_per_page = 50
    actions = None

    def save_model(self, request: HttpRequest, obj: Label, form: Any, change: bool) -> None:
        obj.is_edited = True
        super().save_model(request, obj, form, change)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {"title": "Names of categories and releases"})

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        title = "Change a name" if object_id else "Name a category or a release"
        return super().changeform_view(request, object_id, form_url, {"title": title})
