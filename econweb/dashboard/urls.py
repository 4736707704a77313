"""Paths of the pages."""

from django.urls import path, register_converter

from econweb.dashboard import views
from econweb.dashboard.account import views as account_views
from econweb.dashboard.account import ways_to_sign_in
from econweb.dashboard.account.assistants import assistants
from econweb.dashboard.browse.views import browse, children
from econweb.dashboard.changes import views as change_views
from econweb.dashboard.comparison import views as compare_views
from econweb.dashboard.freezing import views as freezing_views
from econweb.dashboard.freezing.timemap import timegate, timemap
from econweb.dashboard.frozen import views as frozen_views
from econweb.dashboard.id_check.views import id_check
from econweb.dashboard.mcp.views import mcp
from econweb.dashboard.names import views as name_views
from econweb.dashboard.news import feeds
from econweb.dashboard.news import views as news_views
from econweb.dashboard.occurrences import views as occurrence_views
from econweb.dashboard.overview.views import overview
from econweb.dashboard.saved import views as saved_views
from econweb.dashboard.search_box.browser_search import describe, suggest_to_browser
from econweb.dashboard.search_box.views import search_box, suggest
from econweb.dashboard.series import views as series_views
from econweb.dashboard.series_list import views as series_list_views
from econweb.dashboard.series_search.views import series_search
from econweb.dashboard.sharing.pack import PACK
from econweb.dashboard.similar.views import similar
from econweb.dashboard.tag_list.views import tag_list
from econweb.dashboard.tags import views as tag_views
from econweb.dashboard.url_converters import CitationSuffix, CopyId, FileSuffix, FrozenPart, OwnerKind, OwnerNumber
from econweb.dashboard.watches import views as watch_views

register_converter(OwnerKind, "owner")
register_converter(OwnerNumber, "number")
register_converter(FileSuffix, "file")
register_converter(CitationSuffix, "citation")
register_converter(FrozenPart, "frozen")
register_converter(CopyId, "copy")

# Only these set cookies (settings.PERSONAL_PATHS).
personal = [
    path("sign-in/", account_views.sign_in, name="sign_in"),
    path("sign-in/callback/", ways_to_sign_in.callback, name="sign_in_callback"),
    path("sign-in/signed-out/", ways_to_sign_in.signed_out, name="signed_out"),
    path("sign-in/<str:account>/<str:token>/", account_views.invitation, name="invitation"),
    path("me/", account_views.me, name="me"),
    path("me/sessions/", account_views.end_sessions, name="end_sessions"),
    path("me/password/", account_views.password, name="password"),
    path("me/sign-out/", account_views.sign_out, name="sign_out"),
    path("me/assistants/", assistants, name="assistants"),
    path("me/news/", news_views.my_news, name="my_news"),
    path("me/follow/", watch_views.follow, name="follow"),
    path("me/watches/", watch_views.my_watches, name="my_watches"),
    path("me/unsubscribe/", news_views.unsubscribe, name="unsubscribe"),
    path("me/names/", name_views.names, name="names"),
    path("me/names.csv", name_views.names_file, name="names_file"),
    path("me/names/<owner:kind>/<number:number>/", name_views.edit_name, name="edit_name"),
    path("me/save/", saved_views.save_view, name="save_view"),
    path("me/saved/", saved_views.my_saved, name="my_saved"),
    path("me/saved/<slug:slug>/", saved_views.my_saved_view, name="my_saved_view"),
    path("me/saved/<slug:slug>.zip", saved_views.my_saved_view, {"suffix": PACK}, name="my_saved_pack"),
    path("me/saved/<slug:slug>/edit/", saved_views.edit_saved_view, name="edit_saved_view"),
    path("me/changes/<int:number>/undo/", change_views.undo_change, name="undo_change"),
    path("me/freeze/", freezing_views.freeze_view, name="freeze"),
    path("me/frozen/", freezing_views.my_copies, name="my_copies"),
    path("me/frozen/<copy:copy_id>/", frozen_views.my_frozen, name="my_frozen"),
    path("me/frozen/<copy:copy_id>/edit/", freezing_views.edit_copy, name="edit_copy"),
    path("me/frozen/<copy:copy_id>/withdraw/", freezing_views.withdraw_copy, name="withdraw_copy"),
    path("me/frozen/<copy:copy_id>/<frozen:part>", frozen_views.my_frozen, name="my_frozen_part"),
    path("me/frozen/<copy:copy_id>.<file:suffix>", frozen_views.my_frozen, name="my_frozen_file"),
    path("me/frozen/<copy:copy_id>.zip", frozen_views.my_frozen, {"suffix": PACK}, name="my_frozen_pack"),
    path("me/frozen/<copy:copy_id>.<citation:suffix>", frozen_views.my_frozen, name="my_frozen_citation"),
    path("me/compare/", compare_views.my_compare, name="my_compare"),
    path("me/compare.<file:suffix>", compare_views.my_compare, name="my_compare_file"),
    path("changes/", change_views.changes, name="changes"),
    path("changes/record.<file:suffix>", change_views.changes, name="changes_file"),
]
urlpatterns = [
    # The most requested pages come first.
    path("<owner:kind>/<number:number>/tags/", tag_views.tags, name="tags"),
    path("", views.home, name="home"),
    path("go", search_box, name="go"),
    path("browse/", browse, name="browse"),
    path("browse/categories/", browse, {"kind": "category"}, name="browse_categories"),
    path("browse/categories/<number:number>/children", children, name="browse_children"),
    path("browse/releases/", browse, {"kind": "release"}, name="browse_releases"),
    path("browse/overview/", overview, name="overview"),
    path("browse/overview.<file:suffix>", overview, name="overview_file"),
    path("browse/tags/", tag_list, name="tag_list"),
    path("browse/tags.<file:suffix>", tag_list, name="tag_list_file"),
    path("about/", views.about, name="about"),
    path("help/", views.help_page, name="help"),
    path("suggest", suggest, name="suggest"),
    path("suggest.json", suggest_to_browser, name="browser_suggestions"),
    path("opensearch.xml", describe, name="opensearch"),
    path("search/", series_search, name="series_search"),
    path("search.<file:suffix>", series_search, name="series_search_file"),
    path("check/", id_check, name="id_check"),
    path("check.<file:suffix>", id_check, name="id_check_file"),
    path("series/", series_list_views.series_list, name="series_list"),
    path("series.<file:suffix>", series_list_views.series_list, name="series_list_file"),
    path("series/<str:series_id>/", series_views.series, name="series"),
    path("series/<str:series_id>/code", series_views.series_code, name="series_code"),
    path("series/<str:series_id>.<file:suffix>", series_views.series, name="series_file"),
    path("series/<str:series_id>.<citation:suffix>", series_views.series_citation, name="series_citation"),
    path("tag/<path:name>/", occurrence_views.tag, name="tag"),
    path("tag/<path:name>.<file:suffix>", occurrence_views.tag, name="tag_file"),
    path("compare/", compare_views.compare, name="compare"),
    path("compare.<file:suffix>", compare_views.compare, name="compare_file"),
    path("news/", news_views.news, name="news"),
    path("news/feed.atom", feeds.news_feed, {"suffix": feeds.SUFFIX}, name="news_feed"),
    path("feeds/mine.atom", feeds.my_feed, {"suffix": feeds.SUFFIX}, name="my_feed"),
    path("mcp", mcp, name="mcp"),
    path("saved/", saved_views.saved, name="saved"),
    path("saved/<slug:slug>/", saved_views.saved_view, name="saved_view"),
    path("saved/<slug:slug>/feed.atom", feeds.saved_feed, {"suffix": feeds.SUFFIX}, name="saved_feed"),
    path("saved/<slug:slug>.zip", saved_views.saved_view, {"suffix": PACK}, name="saved_pack"),
    path("<owner:kind>/<number:number>/", views.owner, name="owner"),
    path("<owner:kind>/<number:number>/similar/", similar, name="similar"),
    path("<owner:kind>/<number:number>/tags.<file:suffix>", tag_views.tags, name="tags_file"),
    path("<owner:kind>/<number:number>/tags/code", tag_views.tags_code, name="tags_code"),
    path("<owner:kind>/<number:number>/tags/names", tag_views.names, name="tag_names"),
    path("<owner:kind>/<number:number>/tags/profile", tag_views.profile, name="tag_profile"),
    path("frozen/timemap", timemap, name="timemap"),
    path("frozen/timegate", timegate, name="timegate"),
    path("frozen/", freezing_views.public_list, name="copies"),
    path("frozen/<copy:copy_id>/", frozen_views.frozen, name="frozen"),
    path("frozen/<copy:copy_id>/<frozen:part>", frozen_views.frozen, name="frozen_part"),
    path("frozen/<copy:copy_id>.<file:suffix>", frozen_views.frozen, name="frozen_file"),
    path("frozen/<copy:copy_id>.zip", frozen_views.frozen, {"suffix": PACK}, name="frozen_pack"),
    path("frozen/<copy:copy_id>.<citation:suffix>", frozen_views.frozen, name="frozen_citation"),
    *personal,
]
