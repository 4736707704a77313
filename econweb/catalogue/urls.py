"""Paths of the embedded service (spec 4)."""

from django.urls import path, re_path
from django.views.decorators.http import require_safe

from econweb.catalogue import views

urlpatterns = [
    path("series", views.series),
    path("category/tags", views.category_tags),
    path("release/tags", views.release_tags),
    path("openapi.yaml", require_safe(views.openapi)),
    re_path("", views.unknown),
]
