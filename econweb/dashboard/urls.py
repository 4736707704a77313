"""Paths of the pages."""

from django.urls import path, register_converter

from econweb.dashboard import views
from econweb.dashboard.browse.views import browse
from econweb.dashboard.comparison import views as compare_views
from econweb.dashboard.search.views import search_box, suggest
from econweb.dashboard.series import views as series_views
from econweb.dashboard.series_list import views as series_list_views
from econweb.dashboard.tags import views as tag_views
from econweb.dashboard.url_converters import CitationSuffix, FileSuffix, OwnerKind, OwnerNumber

register_converter(OwnerKind, "owner")
register_converter(OwnerNumber, "number")
register_converter(FileSuffix, "file")
register_converter(CitationSuffix, "citation")

urlpatterns = [
    # The most requested pages come first.
    path("<owner:kind>/<number:number>/tags/", tag_views.tags, name="tags"),
    path("", views.home, name="home"),
    path("go", search_box, name="go"),
    path("browse/", browse, name="browse"),
    path("about/", views.about, name="about"),
    path("help/", views.help_page, name="help"),
    path("suggest", suggest, name="suggest"),
    path("series/", series_list_views.series_list, name="series_list"),
    path("series.<file:suffix>", series_list_views.series_list, name="series_list_file"),
    path("series/<str:series_id>/", series_views.series, name="series"),
    path("series/<str:series_id>/code", series_views.series_code, name="series_code"),
    path("series/<str:series_id>.<file:suffix>", series_views.series, name="series_file"),
    path("series/<str:series_id>.<citation:suffix>", series_views.series_citation, name="series_citation"),
    path("compare/", compare_views.compare, name="compare"),
    path("compare.<file:suffix>", compare_views.compare, name="compare_file"),
    path("<owner:kind>/<number:number>/tags.<file:suffix>", tag_views.tags, name="tags_file"),
    path("<owner:kind>/<number:number>/tags/code", tag_views.tags_code, name="tags_code"),
    path("<owner:kind>/<number:number>/tags/names", tag_views.names, name="tag_names"),
    path("<owner:kind>/<number:number>/tags/profile", tag_views.profile, name="tag_profile"),
]
