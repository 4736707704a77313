"""Paths of the pages."""

from django.urls import path, register_converter

from econweb.dashboard import code_views, compare_views, series_list_views, tag_views, views
from econweb.dashboard.suffixes import CitationSuffix, FileSuffix

register_converter(FileSuffix, "file")
register_converter(CitationSuffix, "citation")

urlpatterns = [
    # What is asked for most is found first.
    path("category/<int:category_id>/tags/", tag_views.category_tags, name="category_tags"),
    path("release/<int:release_id>/tags/", tag_views.release_tags, name="release_tags"),
    path("", views.home, name="home"),
    path("go", views.go, name="go"),
    path("about/", views.about, name="about"),
    path("suggest", views.suggest, name="suggest"),
    path("series/", series_list_views.series_list, name="series_list"),
    path("series.<file:suffix>", series_list_views.series_list, name="series_list_file"),
    path("series/<str:series_id>/", views.series, name="series"),
    path("series/<str:series_id>/code", code_views.series_code, name="series_code"),
    path("series/<str:series_id>.<file:suffix>", views.series, name="series_file"),
    path("series/<str:series_id>.<citation:suffix>", code_views.series_citation, name="series_citation"),
    path("compare/", compare_views.compare, name="compare"),
    path("compare.<file:suffix>", compare_views.compare, name="compare_file"),
    path("category/<int:category_id>/tags.<file:suffix>", tag_views.category_tags, name="category_tags_file"),
    path("release/<int:release_id>/tags.<file:suffix>", tag_views.release_tags, name="release_tags_file"),
    path(
        "category/<int:number>/tags/code",
        code_views.tags_code,
        {"kind": "category"},
        name="category_tags_code",
    ),
    path(
        "release/<int:number>/tags/code", code_views.tags_code, {"kind": "release"}, name="release_tags_code"
    ),
    path(
        "category/<int:number>/tags/names", tag_views.names, {"kind": "category"}, name="category_tag_names"
    ),
    path("release/<int:number>/tags/names", tag_views.names, {"kind": "release"}, name="release_tag_names"),
    path(
        "category/<int:number>/tags/profile",
        tag_views.profile,
        {"kind": "category"},
        name="category_tag_profile",
    ),
    path(
        "release/<int:number>/tags/profile",
        tag_views.profile,
        {"kind": "release"},
        name="release_tag_profile",
    ),
]
