"""The label book in Django's admin."""

from django.contrib import admin

from econweb.shelf.models import Label

admin.site.site_header = admin.site.site_title = "econweb"
admin.site.index_title = "The label book"


@admin.register(Label)
class LabelAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    list_display = ("name", "kind", "number", "note")
    list_filter = ("kind",)
    search_fields = ("words", "number")
    list_per_page = 50
    actions = None
