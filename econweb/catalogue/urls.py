"""Paths of the embedded service."""

from django.urls import re_path

from econweb.catalogue import views

# Clients that join an address and a path of their own send two slashes.
urlpatterns = [
    re_path(r"^/*series\Z", views.series),
    re_path(r"^/*category/+tags\Z", views.category_tags),
    re_path(r"^/*release/+tags\Z", views.release_tags),
    re_path(r"^/*openapi\.yaml\Z", views.openapi),
    re_path("", views.unknown),
]
