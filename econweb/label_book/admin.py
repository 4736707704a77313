"""The label book in Django's admin."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from econweb.label_book.editing import delete_name, save_name
from econweb.label_book.forms import AdminForm
from econweb.label_book.models import Label

admin.site.site_header = admin.site.site_title = settings.SITE.name
admin.site.index_title = "The label book"
# The header of every page links to the site.
admin.site.site_url = None
# A single model needs no sidebar.
admin.site.enable_nav_sidebar = False


@admin.register(Label)
class LabelAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    form = AdminForm
    list_display = ("name", "kind", "number", "parent", "note")
    list_filter = ("kind",)
    search_fields = ("words", "number")
    list_per_page = 50
    actions = None

    def save_model(self, request: HttpRequest, obj: Label, form: Any, change: bool) -> None:
        label = form.label()
        save_name(request.user.get_username(), label, form.cleaned_data["opened"])
        # Django's record of the admin needs the key of a new one.
        obj.pk = obj.pk or label.pk

    def delete_model(self, request: HttpRequest, obj: Label) -> None:
        delete_name(request.user.get_username(), obj.kind, obj.number)

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
